package host

import (
	"math"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
)

// Sliced is a graph of small whole weights in the form for annealing 32 chains in each word (multi-spin coding; Isakov,
// Zintchenko, Rønnow and Troyer 2015, doi:10.1016/j.cpc.2015.02.015): bit i of the word at the place of a vertex is its
// side in chain i. Counters that are spread over words, one word for each binary digit, give the gains of all 32:
//
//	c_v = Σ |w_vj| [flipping v gains edge j],   gain g_v = 2 c_v - W_v,   W_v = Σ |w_vj|
//
// The places of a class are consecutive, in decreasing order of their number of entries, and padded to whole blocks of
// SliceBlock. All places of a row of 32 have as many entries as the vertex with most. A weight has an entry for each of
// its binary digits that is 1, and four entries of the same digit are stored together.
type Sliced struct {
	Places  int      // a multiple of SliceBlock
	Vertex  []uint32 // at a place; noVertex: padding
	Place   []uint32 // of a vertex
	Classes []uint32 // for each class: first block, end block, number of vertices
	Sums    []uint32 // W of a place
	// Entries has four f of lane l at 4·(32·f + l). An entry is a place, with signBit if a flip gains when sides
	// differ.
	Entries []uint32
	Fours   []uint32 // row r has for digit d the fours [Fours[r·Digits+d], Fours[r·Digits+d+1])
	Digits  int      // of the largest weight
	Planes  int      // digits of the largest W
	Total   int      // digits of the sum of W over all vertices, at most 32

	Positive int64 // the sum of all positive weights
}

// SliceBlock is the number of places that take their draws from 32 counters, four words each.
const SliceBlock = 128

const (
	signBit  = 1 << 31
	noVertex = 1<<32 - 1
	maxSum   = 1<<12 - 1 // the largest W
)

// ChainsPerWord is the number of chains of a word, which share draws.
const ChainsPerWord = 32

// smallSums reports whether the weights of g are small enough for the counters.
func smallSums(g *graph.Graph) bool {
	total := int64(0)
	for v := range g.N() {
		sum := int64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			if sum += min(max(w, -w), maxSum+1); sum > maxSum {
				return false
			}
		}
		total += sum
	}
	return total <= math.MaxUint32
}

func newSliced(g *graph.Graph, classes *linkage.Classes) *Sliced {
	s := &Sliced{Place: make([]uint32, g.N())}
	sums, counts := make([]uint32, g.N()), make([]uint32, g.N())
	largest, heaviest, total := uint64(0), uint32(0), uint64(0)
	for v := range g.N() {
		sum := uint64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			size := uint64(max(w, -w))
			sum += size
			largest = max(largest, size)
			counts[v] += uint32(bits.OnesCount64(size))
			s.Positive += max(w, 0)
		}
		sums[v] = uint32(sum)
		heaviest = max(heaviest, sums[v])
		total += sum
	}
	s.Positive /= 2 // each edge is at both ends
	s.Digits, s.Planes, s.Total = max(bits.Len64(largest), 1), max(bits.Len32(heaviest), 1), max(bits.Len64(total), 1)
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

// fill sets Entries and Fours.
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
							// A place never differs from itself, so that this entry adds nothing.
							s.Entries = append(s.Entries, uint32(r+l)|signBit)
						}
					}
				}
			}
			s.Fours = append(s.Fours, uint32(len(s.Entries)/128))
		}
	}
}

// draw returns the index of the counter and the word of its draw that decide vertex v.
func (s *Sliced) draw(v uint32) (index, word uint32) {
	q := s.Place[v]
	return q/SliceBlock*32 + q%32, q / 32 % 4
}
