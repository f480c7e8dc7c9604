package rules

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/graph"
)

// Counts returns for each row how many of its members should be 1, as the linear terms say it: those of a penalty
// P·(x_1 + … + x_m - k)² are P·(1 - 2k). What the aim adds to them may be none for most members, as of a tour, or as
// much as balances its couplings, as of a bisection. The counts are those for which less is left to the aim, in one of
// these two ways. They are -1 for a row of Whole without a weight.
func (r *Rows) Counts(g *graph.Graph, root int) []int {
	linear, field := make([]float64, g.N()), make([]float64, g.N())
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			w := float64(g.Weights[e])
			if int(g.Neighbors[e]) == root {
				field[v] += w
			}
			linear[v] -= w // twice the linear term of the QUBO
		}
	}
	// Of a row of weight w, linear has w·(1 - 2k), and field w·(2k - m).
	plain, left := r.counts(linear, func(int) float64 { return 1 }, -2)
	balanced, less := r.counts(field, func(m int) float64 { return -float64(m) }, 2)
	if less < left {
		return balanced
	}
	return plain
}

// counts returns the counts for which terms are mostly the sum over the rows of a vertex of weight·(base(size) +
// times·count), and the median of what is left of them, in units of the weights.
func (r *Rows) counts(terms []float64, base func(size int) float64, times float64) (counts []int, left float64) {
	const passes = 4
	counts = make([]int, len(r.Rows))
	for k := range counts {
		counts[k] = 1
	}
	of := func(k int32) float64 {
		if int(k) == len(r.Rows) {
			return 0
		}
		return float64(r.Rows[k].Weight) * (base(len(r.Rows[k].Members)) + times*float64(counts[k]))
	}
	rest := func(v int32) float64 { return terms[v] - of(r.Of[v][0]) - of(r.Of[v][1]) }
	var all []float64
	for pass := range passes {
		for k, row := range r.Rows {
			if row.Weight == 0 {
				counts[k] = -1
				continue
			}
			var each []float64
			for _, v := range row.Members {
				each = append(each, rest(v)/float64(row.Weight))
			}
			slices.Sort(each)
			middle := each[len(each)/2]
			counts[k] = min(max(counts[k]+int(math.Round(middle/times)), 0), len(row.Members))
			if pass == passes-1 {
				for _, v := range row.Members {
					all = append(all, math.Abs(rest(v))/float64(row.Weight))
				}
			}
		}
	}
	if len(all) == 0 {
		return counts, 0
	}
	slices.Sort(all)
	return counts, all[len(all)/2]
}
