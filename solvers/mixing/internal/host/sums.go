package host

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
)

// Sums are the edges of a graph of any weights in the form in which gains are added up, one sum for each of 32 chains:
//
//	L_v = Σ w_vj [the sides of v and j differ],   gain g_v = W_v - 2 L_v,   W_v = Σ w_vj
//
// The edges of a row of 32 places are in turn, one of each place after the other, as many as the vertex with most has.
// If more than half of them would be padding, as in the row of a hub, those of each place are together instead. The
// fixed vertex has none.
type Sums struct {
	Edges   []uint32 // the place of the neighbour
	Weights []int64  // of the edges
	// Lists has two numbers for a place: its first edge, and the number of its edges. The next edge of a place is 32
	// later or, if the number has togetherBit, follows.
	Lists  []uint32
	Totals []int64 // W of a place
	Wide   bool    // the sums may exceed 32 bits
}

// togetherBit marks the number of edges of a place that has them together.
const togetherBit = 1 << 31

func newSums(g *graph.Graph, s *Sliced) *Sums {
	u := &Sums{Lists: make([]uint32, 2*s.Places), Totals: make([]int64, s.Places)}
	degree := func(v uint32) int {
		if v == noVertex || int(v) == s.fixed {
			return 0
		}
		return g.Offsets[v+1] - g.Offsets[v]
	}
	for r := 0; r < s.Places; r += 32 {
		longest, all := 0, 0
		for _, v := range s.Vertex[r : r+32] {
			longest, all = max(longest, degree(v)), all+degree(v)
		}
		first := len(u.Edges)
		size := 32 * longest
		together := 32*longest > 2*all
		if together {
			size = all
		}
		u.Edges, u.Weights = append(u.Edges, make([]uint32, size)...), append(u.Weights, make([]int64, size)...)
		for l, v := range s.Vertex[r : r+32] {
			list := u.Lists[2*(r+l):][:2]
			at := first + l
			step := 32
			list[1] = uint32(degree(v))
			if together {
				list[1] |= togetherBit
				at, step = first, 1
				first += degree(v)
			}
			list[0] = uint32(at)
			for k := range degree(v) {
				e := g.Offsets[v] + k
				u.Edges[at+k*step], u.Weights[at+k*step] = s.Place[g.Neighbors[e]], g.Weights[e]
			}
		}
	}
	for q, v := range s.Vertex {
		sum := 0.0
		for e := range degree(v) {
			w := g.Weights[g.Offsets[v]+e]
			u.Totals[q] += w
			sum += math.Abs(float64(w))
		}
		u.Wide = u.Wide || sum >= 1<<30
	}
	return u
}

// flips returns the chains in which flipping the vertex at place q changes the cut by -m or more.
func (u *Sums) flips(x []uint32, q uint32, m int64) (flips uint32) {
	var lost [ChainsPerWord]int64
	at := u.Lists[2*q]
	n := u.Lists[2*q+1]
	step := uint32(32)
	if n&togetherBit != 0 {
		n, step = n&^togetherBit, 1
	}
	for end := at + n*step; at != end; at += step {
		differ, w := x[q]^x[u.Edges[at]], u.Weights[at]
		for i := range lost {
			lost[i] += w & -int64(differ>>i&1)
		}
	}
	most := (u.Totals[q] + m) >> 1 // W - 2L >= -m
	for i, l := range lost {
		if l <= most {
			flips |= 1 << i
		}
	}
	return flips
}
