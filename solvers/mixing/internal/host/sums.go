package host

import (
	"math"

	"github.com/clopt/clopt/problems/graph"
)

// Sums are the edges of a graph of any weights in the form in which gains are added up, one sum for each of 32 chains:
//
//	L_v = Σ w_vj [the sides of v and j differ],   gain g_v = W_v - 2 L_v,   W_v = Σ w_vj
//
// All places of a row of 32 have as many edges as the vertex with most. The others have edges of weight 0. The fixed
// vertex has none.
type Sums struct {
	Edges   []uint32 // edge k of lane l is at 32·k + l: the place of the neighbour
	Weights []int64  // of the edges
	Rows    []uint32 // row r has the edges [Rows[r], Rows[r+1]) of each lane
	Totals  []int64  // W of a place
	Wide    bool     // the sums may exceed 32 bits
}

func newSums(g *graph.Graph, s *Sliced) *Sums {
	u := &Sums{Rows: []uint32{0}, Totals: make([]int64, s.Places)}
	degree := func(v uint32) int {
		if v == noVertex || int(v) == s.fixed {
			return 0
		}
		return g.Offsets[v+1] - g.Offsets[v]
	}
	for r := 0; r < s.Places; r += 32 {
		longest := 0
		for _, v := range s.Vertex[r : r+32] {
			longest = max(longest, degree(v))
		}
		for k := range longest {
			for l, v := range s.Vertex[r : r+32] {
				at, weight := uint32(r+l), int64(0)
				if k < degree(v) {
					e := g.Offsets[v] + k
					at, weight = s.Place[g.Neighbors[e]], g.Weights[e]
				}
				u.Edges, u.Weights = append(u.Edges, at), append(u.Weights, weight)
			}
		}
		u.Rows = append(u.Rows, uint32(len(u.Edges)/32))
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
	for k := u.Rows[q/32]; k < u.Rows[q/32+1]; k++ {
		differ, w := x[q]^x[u.Edges[32*k+q%32]], u.Weights[32*k+q%32]
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
