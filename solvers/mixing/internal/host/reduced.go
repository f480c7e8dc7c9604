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
// others. It returns p if there are none.
func Reduced(p problems.Cut) problems.Cut {
	if left := p.Graph().Reduce(); left != nil {
		return reduced{p, left}
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
