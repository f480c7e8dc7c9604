package methods

import "github.com/clopt/clopt/problems"

// The work without gain after which a run on a graph ends that has no stop rule, in edges and vertices: what two cores
// of a processor do in three seconds at most. They do least on small graphs, where launches take the time or a local
// search leads, and most on graphs that are too large for that search. Small QUBOs of rules and penalties come to their
// optima with half of it, and not always with a quarter.
const (
	stallOfSmall = 1 << 28 // up to smallGraph vertices; beyond, it grows with the square of their number
	stallOfMost  = 1 << 35
	stallOfLarge = 1 << 37 // beyond largeGraph vertices

	smallGraph, largeGraph = 100, 1 << 12

	leastStall = 1 << 14 // evaluations: more than those of a small first population
)

// StallOf returns the evaluations without gain after which a run on a graph ends if it has no stop rule. They follow
// from the size of the graph alone, so that a run repeats, whatever the clock.
func StallOf(p problems.Cut) int64 {
	n, edges := int64(p.Graph().N()), int64(p.Graph().M())
	work := int64(stallOfLarge)
	if n <= largeGraph {
		times := max(1, n*n/(smallGraph*smallGraph))
		work = min(stallOfSmall*times, stallOfMost)
	}
	return max(leastStall, work/max(1, n+edges))
}
