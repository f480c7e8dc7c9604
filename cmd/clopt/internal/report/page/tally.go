package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// tally counts the problems with results of all methods: on how many each method is the best, on how many all are
// equal, and on how many the lead of the best one is sure.
type tally struct {
	wins                  map[string]int
	problems, equal, sure int
}

// count counts the problems of a pool.
func count(pool report.Pool) tally {
	t := tally{wins: map[string]int{}}
	groups := slices.Concat(pool.Tables...)
	methods := countLabels(groups)
	for _, same := range report.ByProblem(groups) {
		if methods < 2 || len(same) < methods {
			continue
		}
		t.problems++
		race := report.Raced(same)
		first := bestOf(same, race)
		best := slices.DeleteFunc(slices.Clone(same), func(g *report.Group) bool {
			return g.Score(race) != first.Score(race)
		})
		if len(best) == methods {
			t.equal++
			continue
		}
		for _, g := range best {
			t.wins[g.Label]++
		}
		if !slices.ContainsFunc(same, func(g *report.Group) bool {
			return g != first && !(difference(first, g) < 0.05)
		}) {
			t.sure++
		}
	}
	return t
}

// verdicts says of each pool of tables with several methods which one is the best on how many problems.
func (r *Report) verdicts() (lines []string) {
	for _, pool := range report.Pools(r.Results) {
		if t := count(pool); t.problems > 0 {
			lines = append(lines, pool.Title+": "+t.String())
		}
	}
	if len(lines) == 0 && len(r.Results) > 0 {
		lines = []string{"No method is compared with another: no two ran on one problem with the same limit. " +
			"clopt report RUN... takes the runs of several."}
	}
	return lines
}

// String says on how many problems each method is the best, and on how many of them that is sure.
func (t tally) String() string {
	all := report.Counted(t.problems, "problem")
	if t.equal == t.problems {
		return "all methods are equal on " + all + "."
	}
	labels := slices.SortedFunc(maps.Keys(t.wins), func(a, b string) int {
		return cmp.Or(t.wins[b]-t.wins[a], strings.Compare(a, b))
	})
	parts := []string{fmt.Sprintf("%s is best on %d of %s", labels[0], t.wins[labels[0]], all)}
	for _, label := range labels[1:] {
		parts = append(parts, fmt.Sprintf("%s on %d", label, t.wins[label]))
	}
	if t.equal > 0 {
		parts = append(parts, fmt.Sprintf("and all are equal on %d", t.equal))
	}
	lead := "No lead over all other methods is sure (p < 0.05)."
	if t.sure > 0 {
		lead = fmt.Sprintf("The lead over every other method is sure (p < 0.05) on %d.", t.sure)
	}
	return strings.Join(parts, ", ") + ". " + lead
}

// countLabels returns the number of methods of groups.
func countLabels(groups []*report.Group) int {
	labels := map[string]bool{}
	for _, g := range groups {
		labels[g.Label] = true
	}
	return len(labels)
}
