package host

import (
	"cmp"
	"slices"

	"github.com/clopt/clopt/internal/problems/linkage"
)

// Sliced is a graph in the form for annealing 32 chains in each word (multi-spin coding; Isakov, Zintchenko, Rønnow
// and Troyer 2015, doi:10.1016/j.cpc.2015.02.015): bit i of the word at the place of a vertex is its side in chain i.
//
// The places of a class are consecutive, in decreasing order of their number of entries, and padded to whole blocks of
// SliceBlock.
//
// The root of a QUBO or Ising problem has an edge for each linear term, and often a sum that is too large for counters.
// It is fixed then: it never flips, which changes nothing, because a partition and its complement are the same cut. Its
// place comes last and belongs to no class.
type Sliced struct {
	Places  int      // a multiple of SliceBlock
	Vertex  []uint32 // at a place; noVertex: padding
	Place   []uint32 // of a vertex
	Classes []uint32 // for each class: first block, end block, number of vertices

	// What flips gain is counted or, where the weights are too large for counters, added up. The other one is nil.
	Counters *Counters
	Sums     *Sums

	fixed int // the vertex that is never decided, or -1
}

const (
	// SliceBlock is the number of places that take their draws from 32 counters, four words each.
	SliceBlock = 128
	// ChainsPerWord is the number of chains of a word, which share draws.
	ChainsPerWord = 32

	noVertex = 1<<32 - 1
)

// newSliced returns the form of a graph whose vertices are decided in classes. Its fixed vertex is in none of them.
func newSliced(shape *Shape, classes *linkage.Classes) *Sliced {
	g, counted := shape.Graph, shape.Gains == Counted
	s := &Sliced{Place: make([]uint32, g.N()), fixed: shape.Fixed}
	entries := make([]int, g.N())
	for v := range entries {
		entries[v] = g.Offsets[v+1] - g.Offsets[v]
		if counted {
			entries[v] = digitsAt(g, v)
		}
	}
	for k := range classes.N() {
		members := slices.Clone(classes.Of(k))
		slices.SortStableFunc(members, func(a, b uint32) int { return cmp.Compare(entries[b], entries[a]) })
		begin := uint32(s.Places / SliceBlock)
		s.place(members...)
		s.Classes = append(s.Classes, begin, uint32(s.Places/SliceBlock), uint32(len(members)))
	}
	if s.fixed >= 0 {
		s.place(uint32(s.fixed))
	}
	if counted {
		s.Counters = newCounters(g, s, entries)
	} else {
		s.Sums = newSums(g, s)
	}
	return s
}

// place gives vertices the next places, padded to whole blocks.
func (s *Sliced) place(vertices ...uint32) {
	for _, v := range vertices {
		s.Place[v] = uint32(len(s.Vertex))
		s.Vertex = append(s.Vertex, v)
	}
	for len(s.Vertex)%SliceBlock != 0 {
		s.Vertex = append(s.Vertex, noVertex)
	}
	s.Places = len(s.Vertex)
}

// LargestClass returns the number of blocks of the largest class.
func (s *Sliced) LargestClass() (blocks int) {
	for k := 0; k < len(s.Classes); k += 3 {
		blocks = max(blocks, int(s.Classes[k+1]-s.Classes[k]))
	}
	return blocks
}

// draw returns the index of the counter and the word of its draw that decide vertex v.
func (s *Sliced) draw(v uint32) (index, word uint32) {
	q := s.Place[v]
	return q/SliceBlock*32 + q%32, q / 32 % 4
}
