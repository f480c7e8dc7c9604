package linkage

import "math/bits"

// near is an entry of a cluster's heap: another cluster as it was when the
// entry was made.
type near struct {
	key   float64 // sum of similarities, divided by the size of the other
	other uint32  // slot
	size  uint32  // of the other
	tag   uint32  // of the other
}

// before orders the neighbours of one cluster: by higher average similarity, then
// by smaller union, then by smaller sum of tags. The size and the tag of the cluster
// itself are the same in both sums and are left out.
func (a near) before(b near) bool {
	switch {
	case a.key != b.key:
		return a.key > b.key
	case a.size != b.size:
		return a.size < b.size
	}
	return a.tag < b.tag
}

// nearHeap is a binary heap; the first entry in the order is on top.
type nearHeap []near

func (h nearHeap) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h nearHeap) down(i int) {
	e := h[i]
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(e) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = e
}

func (h *nearHeap) push(e near) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 && e.before(s[(i-1)/2]) {
		s[i] = s[(i-1)/2]
		i = (i - 1) / 2
	}
	s[i] = e
}

func (h *nearHeap) pop() near {
	s := *h
	top, last := s[0], len(s)-1
	s[0] = s[last]
	*h = s[:last]
	if last > 0 {
		s[:last].down(0)
	}
	return top
}

// pairs maps unordered pairs of slots to sums. It is a hash table with open
// addressing and linear probing, at most half full.
type pairs struct {
	keys  []uint64 // 0: free; a pair of different slots is never 0
	sums  []float64
	shift int
}

func newPairs(most int) *pairs {
	log := max(bits.Len(uint(2*most)), 4)
	return &pairs{make([]uint64, 1<<log), make([]float64, 1<<log), 64 - log}
}

func pairOf(a, b uint32) uint64 { return uint64(max(a, b))<<32 | uint64(min(a, b)) }

func (p *pairs) home(key uint64) int { return int(key * 0x9E3779B97F4A7C15 >> p.shift) }

// find returns the place of the pair, or the free place for it.
func (p *pairs) find(key uint64) int {
	i := p.home(key)
	for p.keys[i] != key && p.keys[i] != 0 {
		i = (i + 1) & (len(p.keys) - 1)
	}
	return i
}

func (p *pairs) get(a, b uint32) (sum float64, ok bool) {
	key := pairOf(a, b)
	i := p.find(key)
	return p.sums[i], p.keys[i] == key
}

// set sets the sum of a pair. There are never more pairs than at first, since merges
// only join some.
func (p *pairs) set(a, b uint32, sum float64) {
	key := pairOf(a, b)
	i := p.find(key)
	p.keys[i], p.sums[i] = key, sum
}

// take removes a pair.
func (p *pairs) take(a, b uint32) (sum float64, ok bool) {
	key := pairOf(a, b)
	i := p.find(key)
	if p.keys[i] != key {
		return 0, false
	}
	sum = p.sums[i]
	for j, mask := i, len(p.keys)-1; ; {
		p.keys[i], p.sums[i] = 0, 0
		for {
			j = (j + 1) & mask
			if p.keys[j] == 0 {
				return sum, true
			}
			if (j-p.home(p.keys[j]))&mask >= (j-i)&mask {
				break // it may move to i
			}
		}
		p.keys[i], p.sums[i] = p.keys[j], p.sums[j]
		i = j
	}
}
