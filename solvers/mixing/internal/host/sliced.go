package host

import (
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
)

// Sliced is a graph of small whole weights as devices anneal 32 chains of
// it in each word (multi-spin coding; Isakov, Zintchenko, Rønnow and Troyer
// 2015, doi:10.1016/j.cpc.2015.02.015): bit i of the word at a vertex's place
// is the vertex's side in chain i. The gain of all 32 comes from counters
// spread over words, one word a binary digit:
//
//	c_v = Σ |w_vj| [flipping v gains edge j],   gain g_v = 2 c_v - W_v,   W_v = Σ |w_vj|
//
// The places of a class stand together, by falling number of entries, padded to
// whole blocks of SliceBlock; a row of 32 places is as long as its longest
// vertex needs. A weight has an entry for each binary digit of it that is 1,
// and entries come in fours that have the same digit.
type Sliced struct {
	Places  int      // a multiple of SliceBlock
	Vertex  []uint32 // at a place; noVertex: padding
	Place   []uint32 // of a vertex
	Classes []uint32 // first block, end block, vertices; for each class
	Sums    []uint32 // W of a place
	// four of lane l and four f at 4·(32·f + l): a place, and signBit if flipping gains where sides differ
	Entries []uint32
	Fours   []uint32 // row r, digit d: fours [Fours[r·Digits+d], Fours[r·Digits+d+1])
	Digits  int      // of the largest weight
	Planes  int      // digits of the largest W
}

// SliceBlock is how many places take their draws from 32 counters, four words each.
const SliceBlock = 128

const (
	signBit  = 1 << 31
	noVertex = 1<<32 - 1
	maxSum   = 1<<12 - 1 // W at most
)

// ChainsPerWord is the chains that share draws.
const ChainsPerWord = 32

// newSliced returns nil where weights are too large for counters.
func newSliced(g *graph.Graph, classes *linkage.Classes) *Sliced {
	s := &Sliced{Place: make([]uint32, g.N())}
	sums, counts := make([]uint32, g.N()), make([]uint32, g.N())
	largest, heaviest := uint64(0), uint32(0)
	for v := range g.N() {
		sum := uint64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			size := uint64(max(w, -w))
			if sum += size; sum > maxSum {
				return nil
			}
			largest = max(largest, size)
			counts[v] += uint32(bits.OnesCount64(size))
		}
		sums[v] = uint32(sum)
		heaviest = max(heaviest, sums[v])
	}
	s.Digits, s.Planes = max(bits.Len64(largest), 1), max(bits.Len32(heaviest), 1)
	for k := range classes.N() {
		members := slices.Clone(classes.Of(k))
		slices.SortStableFunc(members, func(a, b uint32) int { return int(counts[b]) - int(counts[a]) })
		begin := uint32(s.Places / SliceBlock)
		for at, v := range members {
			s.Place[v] = uint32(s.Places + at)
		}
		s.Vertex = append(s.Vertex, members...)
		s.Places += (len(members) + SliceBlock - 1) / SliceBlock * SliceBlock
		for len(s.Vertex) < s.Places {
			s.Vertex = append(s.Vertex, noVertex)
		}
		s.Classes = append(s.Classes, begin, uint32(s.Places/SliceBlock), uint32(len(members)))
	}
	s.Sums = make([]uint32, s.Places)
	for q, v := range s.Vertex {
		if v != noVertex {
			s.Sums[q] = sums[v]
		}
	}
	s.fill(g)
	return s
}

// LargestClass returns the number of blocks of the largest class.
func (s *Sliced) LargestClass() (blocks int) {
	for k := 0; k < len(s.Classes); k += 3 {
		blocks = max(blocks, int(s.Classes[k+1]-s.Classes[k]))
	}
	return blocks
}

// fill makes the entries.
func (s *Sliced) fill(g *graph.Graph) {
	s.Fours = append(s.Fours, 0)
	lists := make([][]uint32, 32)
	for r := 0; r < s.Places; r += 32 {
		for d := range s.Digits {
			longest := 0
			for l := range lists {
				lists[l] = lists[l][:0]
				v := s.Vertex[r+l]
				if v == noVertex {
					continue
				}
				for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
					w := g.Weights[e]
					if max(w, -w)>>d&1 == 0 {
						continue
					}
					entry := s.Place[g.Neighbors[e]]
					if w < 0 {
						entry |= signBit
					}
					lists[l] = append(lists[l], entry)
				}
				longest = max(longest, len(lists[l]))
			}
			for k := 0; k < longest; k += 4 {
				for l := range lists {
					for i := k; i < k+4; i++ {
						if i < len(lists[l]) {
							s.Entries = append(s.Entries, lists[l][i])
						} else {
							// A place differs never from itself.
							s.Entries = append(s.Entries, uint32(r+l)|signBit)
						}
					}
				}
			}
			s.Fours = append(s.Fours, uint32(len(s.Entries)/128))
		}
	}
}

// draw is the counter's index and the word that decide vertex v.
func (s *Sliced) draw(v uint32) (index, word uint32) {
	q := s.Place[v]
	return q/SliceBlock*32 + q%32, q / 32 % 4
}
