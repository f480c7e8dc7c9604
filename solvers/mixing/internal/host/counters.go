package host

import (
	"math/bits"

	"github.com/clopt/clopt/problems/graph"
)

// Counters are the edges of a graph of small whole weights in the form in which gains are counted for 32 chains at
// once. The counters are spread over words, one word for each binary digit:
//
//	c_v = Σ |w_vj| [flipping v gains edge j],   gain g_v = 2 c_v - W_v,   W_v = Σ |w_vj|
//
// A weight has an entry for each of its binary digits that is 1, and four entries of the same digit are stored
// together. All places of a row of 32 have as many entries as the vertex with most.
//
// A class would wait long for a hub, a vertex of many more entries than most. So the place of a hub has only the first
// of its entries, and the others are in bunches, which are counted at the same time, before the class is decided. The
// bunches of the fixed vertex come last. They are only counted when cuts are.
type Counters struct {
	// Totals has for a place W and, 12 and 20 bits higher, the number of its first bunch in the class and of its
	// bunches.
	Totals  []uint32
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

	of   *Sliced
	each int   // the most entries of a place or a bunch
	nth  []int // the place of the hub of a bunch has the entries before it, and nth-1 bunches do; 0: padding
	// latest is the edge that was listed last, of which vertex, and the entries of its edges before it.
	latest struct {
		vertex        uint32
		edge, entries int
	}
}

const (
	signBit   = 1 << 31
	bitsOfSum = 12               // digits of the largest W
	maxSum    = 1<<bitsOfSum - 1 // the largest W

	leastEach   = 32  // the least entries of a place for which there are bunches
	mostBunches = 224 // of a class
)

// digitsAt returns the number of binary digits that are 1 of the weights of vertex v.
func digitsAt(g *graph.Graph, v int) (n int) {
	for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
		n += bits.OnesCount64(uint64(max(w, -w)))
	}
	return n
}

// newCounters returns the counters of g in the order s. The vertices have numbers of entries.
func newCounters(g *graph.Graph, s *Sliced, entries []int) *Counters {
	c := &Counters{of: s, Totals: make([]uint32, s.Places)}
	largest := uint64(0)
	heaviest := uint64(0)
	total := uint64(0)
	all := 0
	for v := range g.N() {
		sum := uint64(0)
		for _, w := range g.Weights[g.Offsets[v]:g.Offsets[v+1]] {
			size := uint64(max(w, -w))
			sum += size
			largest = max(largest, size)
			c.Positive += max(w, 0)
		}
		total += sum
		if all += entries[v]; v != s.fixed {
			c.Totals[s.Place[v]] = uint32(sum)
			heaviest = max(heaviest, sum)
		}
	}
	c.Positive /= 2 // each edge is at both ends
	c.Digits = max(bits.Len64(largest), 1)
	c.Planes = max(bits.Len64(heaviest), 1)
	c.Total = max(bits.Len64(total), 1)
	for c.each = max(leastEach, (2*all/max(g.N(), 1)+3)&^3); !c.bunch(entries); c.each *= 2 {
	}
	c.fill(g)
	return c
}

// most returns the most entries of the place of vertex v, and of each of its bunches. What those of the fixed vertex
// count fits in Planes, which are for the others.
func (c *Counters) most(v uint32) int {
	if int(v) == c.of.fixed {
		return min(c.each, (1<<c.Planes-1)>>(c.Digits-1))
	}
	return c.each
}

// bunch divides the entries of hubs, of which entries has the numbers. It returns false if there are too many bunches.
func (c *Counters) bunch(entries []int) bool {
	c.Bunches = []uint32{0}
	c.Owners = nil
	c.nth = nil
	for k := 0; k < len(c.of.Classes); k += 3 {
		begin := len(c.Owners)
		for q := SliceBlock * c.of.Classes[k]; q < SliceBlock*c.of.Classes[k]+c.of.Classes[k+2]; q++ {
			before := len(c.Owners)
			n := c.addBunches(q, entries)
			c.Totals[q] = c.Totals[q]&maxSum | uint32(before-begin)<<12 | uint32(n)<<20
			if n == 0 {
				break // the others have fewer
			}
		}
		c.padBunches(SliceBlock * c.of.Classes[k])
		if len(c.Owners)-begin > mostBunches {
			return false
		}
		c.Bunches = append(c.Bunches, uint32(len(c.Owners)))
	}
	if c.of.fixed >= 0 {
		c.addBunches(c.of.Place[c.of.fixed], entries)
		c.padBunches(c.of.Place[c.of.fixed])
	}
	return true
}

// addBunches adds the bunches of the vertex at place q, and returns their number.
func (c *Counters) addBunches(q uint32, entries []int) (n int) {
	v := c.of.Vertex[q]
	n = (entries[v] - 1) / c.most(v)
	for i := range n {
		c.Owners, c.nth = append(c.Owners, q), append(c.nth, i+1)
	}
	return n
}

// padBunches adds empty bunches of the place q up to a whole row.
func (c *Counters) padBunches(q uint32) {
	for len(c.Owners)%32 != 0 {
		c.Owners, c.nth = append(c.Owners, q), append(c.nth, 0)
	}
}

// LargestBunches returns the largest number of bunches of a class.
func (c *Counters) LargestBunches() (most int) {
	for k := range len(c.Bunches) - 1 {
		most = max(most, int(c.Bunches[k+1]-c.Bunches[k]))
	}
	return most
}

// list calls f for the entries of a place, or of a bunch if q is not below Places, with their digits.
func (c *Counters) list(g *graph.Graph, q int, f func(digit int, entry uint32)) {
	nth := 0
	if q >= c.of.Places {
		if nth = c.nth[q-c.of.Places]; nth == 0 {
			return
		}
		q = int(c.Owners[q-c.of.Places])
	}
	v, at := c.of.Vertex[q], 0
	if v == noVertex {
		return
	}
	begin, end := nth*c.most(v), (nth+1)*c.most(v)
	first := g.Offsets[v]
	if l := c.latest; l.vertex == v && l.entries <= begin && nth > 0 { // the bunch before this one ended there
		first, at = l.edge, l.entries
	}
	for e := first; e < g.Offsets[v+1] && at < end; e++ {
		c.latest.vertex, c.latest.edge, c.latest.entries = v, e, at
		entry := c.of.Place[g.Neighbors[e]]
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
func (c *Counters) fill(g *graph.Graph) {
	c.Fours = append(c.Fours, 0)
	lists := make([][32][]uint32, c.Digits)
	for r := 0; r < c.of.Places+len(c.Owners); r += 32 {
		var own [32]uint32
		for l := range own {
			for d := range lists {
				lists[d][l] = lists[d][l][:0]
			}
			c.list(g, r+l, func(digit int, entry uint32) { lists[digit][l] = append(lists[digit][l], entry) })
			own[l] = uint32(r + l)
			if r >= c.of.Places {
				own[l] = c.Owners[r+l-c.of.Places]
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
							c.Entries = append(c.Entries, list[i])
						} else {
							// A place never differs from itself, so that this entry adds nothing.
							c.Entries = append(c.Entries, own[l]|signBit)
						}
					}
				}
			}
			c.Fours = append(c.Fours, uint32(len(c.Entries)/128))
		}
	}
}

// flips returns the chains in which flipping the vertex at place q of a class changes the cut by -m or more.
func (c *Counters) flips(x []uint32, q uint32, class int, m int64) uint32 {
	var counts [bitsOfSum + 2]uint32
	c.count(x, &counts, q, x[q])
	first := uint32(c.of.Places) + c.Bunches[class] + c.Totals[q]>>12&0xff
	for b := first; b < first+c.Totals[q]>>20; b++ {
		c.count(x, &counts, b, x[q])
	}
	least := uint32(0) // 2c - W >= -m
	if w := int64(c.Totals[q] & maxSum); m < w {
		least = uint32(w+1-m) >> 1
	}
	flips := ^uint32(0)
	for k, digit := range counts[:c.Planes] {
		if least>>k&1 != 0 {
			flips &= digit
		} else {
			flips |= digit
		}
	}
	return flips
}

// count adds to counts the entries of a place, or of a bunch if q is not below Places, that flipping a vertex gains.
func (c *Counters) count(x []uint32, counts *[bitsOfSum + 2]uint32, q, own uint32) {
	lane := q % 32
	for d := range c.Digits {
		row := int(q/32)*c.Digits + d
		for f := c.Fours[row]; f < c.Fours[row+1]; f++ {
			at := c.Entries[4*(32*f+lane):][:4]
			digit, one := add(counts[d], gains(x, own, at[0]), gains(x, own, at[1]))
			digit, two := add(digit, gains(x, own, at[2]), gains(x, own, at[3]))
			counts[d] = digit
			higher, carry := add(counts[d+1], one, two)
			counts[d+1] = higher
			for k := d + 2; carry != 0 && k < c.Planes; k++ {
				counts[k], carry = counts[k]^carry, counts[k]&carry
			}
		}
	}
}

// gains returns the chains in which flipping a vertex gains one of its edges.
func gains(x []uint32, own, entry uint32) uint32 {
	e := own ^ x[entry&^signBit]
	if entry&signBit == 0 {
		return ^e
	}
	return e
}

// add returns a + b + c as a digit and a carry, for each bit.
func add(a, b, c uint32) (digit, carry uint32) {
	half := a ^ b
	return half ^ c, a&b | half&c
}
