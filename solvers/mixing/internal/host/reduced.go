package host

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// reduced is a problem on what is left of its graph.
type reduced struct {
	problems.Cut
	left *graph.Reduction
}

// Reduced returns p on what is left of its graph without vertices of at most three neighbours, which follow from the
// others. It returns p if there are none. If the graph or what is left of it has no conflict or is a square, its
// largest cut is known.
func Reduced(p problems.Cut) problems.Cut {
	if s, ok := solve(p); ok {
		return s
	}
	left := p.Graph().Reduce()
	if left == nil {
		return p
	}
	p = reduced{p, left}
	if s, ok := solve(p); ok {
		return s
	}
	return p
}

func (p reduced) Graph() *graph.Graph { return p.left.Graph }

func (p reduced) Value(cut int64) float64 { return p.Cut.Value(p.left.Whole(cut)) }

func (p reduced) Point(side []uint8, x []float64) { p.Cut.Point(p.left.Expand(side), x) }

func (p reduced) Side(x []float64, side []uint8) {
	whole := make([]uint8, p.Cut.Graph().N())
	p.Cut.Side(x, whole)
	for k, v := range p.left.Vertices {
		side[k] = whole[v]
	}
}

// solved is a problem on a graph whose largest cut is known. It has a graph without edges, all of whose partitions
// stand for this cut.
type solved struct {
	problems.Cut
	best int64
	side []uint8
}

// solve returns p with its largest cut if its graph has edges, and no conflict or those of one square.
func solve(p problems.Cut) (s solved, ok bool) {
	best, side, ok := p.Graph().Balanced()
	if !ok {
		best, side, ok = p.Graph().Largest(0) // that of a square
	}
	return solved{p, best, side}, ok && p.Graph().M() > 0
}

func (p solved) Graph() *graph.Graph {
	return &graph.Graph{Offsets: []int{0, 0, 0}, Unit: p.Cut.Graph().Unit}
}

func (p solved) Value(cut int64) float64 { return p.Cut.Value(p.best + cut) }

func (p solved) Point(_ []uint8, x []float64) { p.Cut.Point(p.side, x) }

func (p solved) Side(_ []float64, side []uint8) { clear(side) }
