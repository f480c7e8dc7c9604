package host

import (
	"math/bits"

	"github.com/clopt/clopt/problems/graph"
)

// Signs is a dense graph whose weights are all Magnitude or -Magnitude, as a matrix of bits, for chains that keep the
// number of gained edges of each vertex (see mixing/signs.cl). Each vertex has one more edge, to itself, of negative
// weight.
type Signs struct {
	Row       int // words of a row: a multiple of SignsPack
	Digits    int // of numbers of edges and their differences, with a sign
	Magnitude int64
	Complete  bool // each vertex has an edge to each other one
	// Matrix has for each vertex a row of the vertices to which its edges have positive weights and, unless Complete,
	// one of those to which it has edges. Edges has the digits of the numbers of edges, a row for each digit.
	Matrix, Edges []uint32
}

// SignsPack is the largest number of words that an item decides one after the other.
const SignsPack = 16

func newSigns(g *graph.Graph) *Signs {
	n := g.N()
	s := &Signs{Row: (n + 32*SignsPack - 1) / (32 * SignsPack) * SignsPack, Digits: bits.Len(uint(n+1)) + 1,
		Magnitude: max(g.Weights[0], -g.Weights[0]), Complete: g.M() == n*(n-1)/2}
	rows := 2
	if s.Complete {
		rows = 1
	}
	s.Matrix, s.Edges = make([]uint32, n*rows*s.Row), make([]uint32, s.Digits*s.Row)
	set := func(row []uint32, v uint32) { row[v/32] |= 1 << (v % 32) }
	for v := range uint32(n) {
		row := s.Matrix[int(v)*rows*s.Row:][:rows*s.Row]
		has := row[(rows-1)*s.Row:]
		lo, hi := g.Offsets[v], g.Offsets[v+1]
		for e := lo; e < hi; e++ {
			if g.Weights[e] > 0 {
				set(row, g.Neighbors[e])
			}
		}
		if !s.Complete {
			set(has, v)
			for _, u := range g.Neighbors[lo:hi] {
				set(has, u)
			}
		}
		for l := range s.Digits {
			if (hi-lo+1)>>l&1 != 0 {
				set(s.Edges[l*s.Row:], v)
			}
		}
	}
	return s
}
