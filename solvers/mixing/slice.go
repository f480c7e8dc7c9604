package mixing

import (
	"math/bits"
	"slices"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/linkage"
)

// slicedGraph is a graph of small whole weights as devices anneal 32 chains of
// it in each word (multi-spin coding; Isakov, Zintchenko, Rønnow and Troyer
// 2015, doi:10.1016/j.cpc.2015.02.015): bit i of the word at a vertex's place
// is the vertex's side in chain i. The gain of all 32 comes from counters
// spread over words, one word a binary digit:
//
//	c_v = Σ |w_vj| [flipping v gains edge j],   gain g_v = 2 c_v - W_v,   W_v = Σ |w_vj|
//
// The places of a class stand together, by falling number of entries, padded to
// whole blocks of sliceBlock; a row of 32 places is as long as its longest
// vertex needs. A weight has an entry for each binary digit of it that is 1,
// and entries come in fours that have the same digit.
type slicedGraph struct {
	places  int      // a multiple of sliceBlock
	vertex  []uint32 // at a place; noVertex: padding
	place   []uint32 // of a vertex
	classes []uint32 // first block, end block, vertices; for each class
	sums    []uint32 // W of a place
	entries []uint32 // four of lane l and four f at 4·(32·f + l): a place, and signBit if flipping gains where the sides differ
	fours   []uint32 // row r, digit d: fours [fours[r·digits+d], fours[r·digits+d+1])
	digits  int      // of the largest weight
	planes  int      // digits of the largest W
}

const (
	sliceBlock = 128 // places whose draws are those of 32 counters: four words each
	signBit    = 1 << 31
	noVertex   = 1<<32 - 1
	maxSum     = 1<<12 - 1 // W at most
)

// chainsPerWord is the chains that share draws.
const chainsPerWord = 32

// wordsOfChains is how many words n chains take at a place.
func wordsOfChains(n int) int { return (n + chainsPerWord - 1) / chainsPerWord }

// newSlicedGraph returns nil where weights are too large for counters.
func newSlicedGraph(g *graph.Graph, classes *linkage.Classes) *slicedGraph {
	s := &slicedGraph{place: make([]uint32, g.N())}
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
	s.digits, s.planes = max(bits.Len64(largest), 1), max(bits.Len32(heaviest), 1)
	for k := range classes.N() {
		members := slices.Clone(classes.Of(k))
		slices.SortStableFunc(members, func(a, b uint32) int { return int(counts[b]) - int(counts[a]) })
		begin := uint32(s.places / sliceBlock)
		for at, v := range members {
			s.place[v] = uint32(s.places + at)
		}
		s.vertex = append(s.vertex, members...)
		s.places += (len(members) + sliceBlock - 1) / sliceBlock * sliceBlock
		for len(s.vertex) < s.places {
			s.vertex = append(s.vertex, noVertex)
		}
		s.classes = append(s.classes, begin, uint32(s.places/sliceBlock), uint32(len(members)))
	}
	s.sums = make([]uint32, s.places)
	for q, v := range s.vertex {
		if v != noVertex {
			s.sums[q] = sums[v]
		}
	}
	s.fill(g)
	return s
}

// fill makes the entries.
func (s *slicedGraph) fill(g *graph.Graph) {
	s.fours = append(s.fours, 0)
	lists := make([][]uint32, 32)
	for r := 0; r < s.places; r += 32 {
		for d := range s.digits {
			longest := 0
			for l := range lists {
				lists[l] = lists[l][:0]
				v := s.vertex[r+l]
				if v == noVertex {
					continue
				}
				for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
					w := g.Weights[e]
					if max(w, -w)>>d&1 == 0 {
						continue
					}
					entry := s.place[g.Neighbors[e]]
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
							s.entries = append(s.entries, lists[l][i])
						} else {
							// A place differs never from itself.
							s.entries = append(s.entries, uint32(r+l)|signBit)
						}
					}
				}
			}
			s.fours = append(s.fours, uint32(len(s.entries)/128))
		}
	}
}

// draw is the counter's index and the word that decide vertex v.
func (s *slicedGraph) draw(v uint32) (index, word uint32) {
	q := s.place[v]
	return q/sliceBlock*32 + q%32, q / 32 % 4
}
