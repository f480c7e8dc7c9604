package report

import (
	"slices"

	"github.com/clopt/clopt/internal/solvers/stats"
)

// Expected returns the expected evaluations to the target, +Inf if no run has met it, and how many runs have.
func (g *Group) Expected() (evaluations float64, hits int) {
	var times []float64
	var hit []bool
	for _, f := range g.Runs {
		times, hit = append(times, f.Effort("evaluations")), append(hit, f.Hit())
		if f.Hit() {
			hits++
		}
	}
	return stats.ExpectedTime(times, hit), hits
}

// Raced reports whether a run of one of the groups of a problem has met its target. Such a run stops there, and its
// value says no more.
func Raced(same []*Group) bool {
	return slices.ContainsFunc(same, func(g *Group) bool { return slices.ContainsFunc(g.Runs, Record.Hit) })
}

// Score returns the number by which a group is compared with the others on its problem, smaller ones are better: the
// median, or in a race to a target the expected evaluations, which are +Inf without a hit.
func (g *Group) Score(race bool) float64 {
	if !race {
		return g.Median()
	}
	evaluations, _ := g.Expected()
	return evaluations
}
