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
//
// A class would wait long for a hub, a vertex of many more entries than most. So the place of a hub has only the first
// of its entries, and the others are in bunches, which are counted at the same time, before the class is decided.
//
// The root of a QUBO or Ising problem has an edge for each linear term, and often a sum that is too large for the
// counters. It is fixed then: it never flips, which changes nothing, because a partition and its complement are the
// same cut. Its place and its bunches come last and belong to no class. They are only counted when cuts are.
type Sliced struct {
	Places  int      // a multiple of SliceBlock
	Vertex  []uint32 // at a place; noVertex: padding
	Place   []uint32 // of a vertex
	Classes []uint32 // for each class: first block, end block, number of vertices
	// Sums has for a place W and, 12 and 20 bits higher, the number of its first bunch in the class and of its bunches.
	Sums    []uint32
	Bunches []uint32 // class k has the bunches [Bunches[k], Bunches[k+1]), padded to whole rows of 32
	Owners  []uint32 // the place of the hub of a bunch
	// Entries has four f of lane l at 4·(32·f + l). An entry is a place, with signBit if a flip gains when sides
	// differ.
	Entries []uint32
	Fours   []uint32 // row r has for digit d the fours [Fours[r·Digits+d], Fours[r·Digits+d+1]); bunches are last
	Digits  int      // of the largest weight
	Planes  int      // digits of the largest W of a vertex that is decided
	Total   int      // digits of the sum of W over all vertices, at most 32

	Positive int64 // the sum of all positive weights

	fixed int   // the vertex that is never decided, or -1
	each  int   // the most entries of a place or a bunch
	nth   []int // the place of the hub of a bunch has the entries before it, and nth-1 bunches do; 0: padding
}

// SliceBlock is the number of places that take their draws from 32 counters, four words each.
const SliceBlock = 128

const (
	signBit  = 1 << 31
	noVertex = 1<<32 - 1
	maxSum   = 1<<12 - 1 // the largest W

	leastEach   = 32  // the least entries of a place for which there are bunches
	mostBunches = 224 // of a class
)

// ChainsPerWord is the number of chains of a word, which share draws.
const ChainsPerWord = 32

// AnnealsWords reports whether chains of g are annealed 32 to a word.
func AnnealsWords(g *graph.Graph) bool {
	fits, _ := fitsWords(g)
	return fits && !KeepsFields(g)
}

// fitsWords reports whether the weights of g are small enough for the counters. If they are without the root, fixed is
// its vertex, and otherwise -1.
func fitsWords(g *graph.Graph) (fits bool, fixed int) {
	if smallSums(g, -1) {
		return true, -1
	}
	v := root(g)
	return v >= 0 && smallSums(g, v), v
}

// smallSums reports whether the sums of absolute weights are small enough for the counters, whatever that of vertex
// fixed is.
func smallSums(g *graph.Graph, fixed int) bool {
	total := int64(0)
	for v := range g.N() {
		sum := int64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			if sum += min(max(w, -w), maxSum+1); sum > maxSum && v != fixed {
				return false
			}
		}
		total += sum
	}
	return total <= math.MaxUint32
}

// newSliced returns the form of g whose vertices are decided in classes. The vertex fixed, if it is not -1, is in none.
func newSliced(g *graph.Graph, classes *linkage.Classes, fixed int) *Sliced {
	s := &Sliced{Place: make([]uint32, g.N()), fixed: fixed}
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
		if total += sum; v != fixed {
			sums[v] = uint32(sum)
			heaviest = max(heaviest, sums[v])
		}
	}
	s.Positive /= 2 // each edge is at both ends
	s.Digits, s.Planes, s.Total = max(bits.Len64(largest), 1), max(bits.Len32(heaviest), 1), max(bits.Len64(total), 1)
	for k := range classes.N() {
		members := slices.Clone(classes.Of(k))
		slices.SortStableFunc(members, func(a, b uint32) int { return int(counts[b]) - int(counts[a]) })
		begin := uint32(s.Places / SliceBlock)
		s.place(members...)
		s.Classes = append(s.Classes, begin, uint32(s.Places/SliceBlock), uint32(len(members)))
	}
	if fixed >= 0 {
		s.place(uint32(fixed))
	}
	s.Sums = make([]uint32, s.Places)
	all := 0
	for q, v := range s.Vertex {
		if v != noVertex {
			s.Sums[q] = sums[v]
			all += int(counts[v])
		}
	}
	for s.each = max(leastEach, (2*all/max(g.N(), 1)+3)&^3); !s.bunch(counts); s.each *= 2 {
	}
	s.fill(g)
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

// most returns the most entries of the place of vertex v, and of each of its bunches. What those of the fixed vertex
// count fits in Planes, which are for the others.
func (s *Sliced) most(v uint32) int {
	if int(v) == s.fixed {
		return min(s.each, (1<<s.Planes-1)>>(s.Digits-1))
	}
	return s.each
}

// bunch divides the entries of hubs, of which counts has the numbers. It returns false if there are too many bunches.
func (s *Sliced) bunch(counts []uint32) bool {
	s.Bunches, s.Owners, s.nth = []uint32{0}, nil, nil
	for k := 0; k < len(s.Classes); k += 3 {
		begin := len(s.Owners)
		for q := SliceBlock * s.Classes[k]; q < SliceBlock*s.Classes[k]+s.Classes[k+2]; q++ {
			before := len(s.Owners)
			n := s.addBunches(q, counts)
			s.Sums[q] = s.Sums[q]&maxSum | uint32(before-begin)<<12 | uint32(n)<<20
			if n == 0 {
				break // the others have fewer
			}
		}
		s.padBunches(SliceBlock * s.Classes[k])
		if len(s.Owners)-begin > mostBunches {
			return false
		}
		s.Bunches = append(s.Bunches, uint32(len(s.Owners)))
	}
	if s.fixed >= 0 {
		s.addBunches(s.Place[s.fixed], counts)
		s.padBunches(s.Place[s.fixed])
	}
	return true
}

// addBunches adds the bunches of the vertex at place q, and returns their number.
func (s *Sliced) addBunches(q uint32, counts []uint32) (n int) {
	v := s.Vertex[q]
	n = (int(counts[v]) - 1) / s.most(v)
	for i := range n {
		s.Owners, s.nth = append(s.Owners, q), append(s.nth, i+1)
	}
	return n
}

// padBunches adds empty bunches of the place q up to a whole row.
func (s *Sliced) padBunches(q uint32) {
	for len(s.Owners)%32 != 0 {
		s.Owners, s.nth = append(s.Owners, q), append(s.nth, 0)
	}
}

// LargestBunches returns the largest number of bunches of a class.
func (s *Sliced) LargestBunches() (most int) {
	for k := range len(s.Bunches) - 1 {
		most = max(most, int(s.Bunches[k+1]-s.Bunches[k]))
	}
	return most
}

// LargestClass returns the number of blocks of the largest class.
func (s *Sliced) LargestClass() (blocks int) {
	for k := 0; k < len(s.Classes); k += 3 {
		blocks = max(blocks, int(s.Classes[k+1]-s.Classes[k]))
	}
	return blocks
}

// list calls f for the entries of a place, or of a bunch if q is not below Places, with their digits.
func (s *Sliced) list(g *graph.Graph, q int, f func(digit int, entry uint32)) {
	nth := 0
	if q >= s.Places {
		if nth = s.nth[q-s.Places]; nth == 0 {
			return
		}
		q = int(s.Owners[q-s.Places])
	}
	v, at := s.Vertex[q], 0
	if v == noVertex {
		return
	}
	begin, end := nth*s.most(v), (nth+1)*s.most(v)
	for e := g.Offsets[v]; e < g.Offsets[v+1] && at < end; e++ {
		entry := s.Place[g.Neighbors[e]]
		if g.Weights[e] < 0 {
			entry |= signBit
		}
		for left := uint64(max(g.Weights[e], -g.Weights[e])); left != 0; left &= left - 1 {
			if at >= begin && at < end {
				f(bits.TrailingZeros64(left), entry)
			}
			at++
		}
	}
}

// fill sets Entries and Fours.
func (s *Sliced) fill(g *graph.Graph) {
	s.Fours = append(s.Fours, 0)
	lists := make([][32][]uint32, s.Digits)
	for r := 0; r < s.Places+len(s.Owners); r += 32 {
		var own [32]uint32
		for l := range own {
			for d := range lists {
				lists[d][l] = lists[d][l][:0]
			}
			s.list(g, r+l, func(digit int, entry uint32) { lists[digit][l] = append(lists[digit][l], entry) })
			if own[l] = uint32(r + l); r >= s.Places {
				own[l] = s.Owners[r+l-s.Places]
			}
		}
		for d := range lists {
			longest := 0
			for _, list := range lists[d] {
				longest = max(longest, len(list))
			}
			for k := 0; k < longest; k += 4 {
				for l, list := range lists[d] {
					for i := k; i < k+4; i++ {
						if i < len(list) {
							s.Entries = append(s.Entries, list[i])
						} else {
							// A place never differs from itself, so that this entry adds nothing.
							s.Entries = append(s.Entries, own[l]|signBit)
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
