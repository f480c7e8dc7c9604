package samples

import (
	"cmp"
	"math/bits"
	"slices"
)

// everything offers the points of a small problem, the best first, until the pool is full.
func (s *search) everything(p *pool) {
	unpack([]uint64{0}, s.side[:s.free])
	s.begin()
	cuts := make([]int64, 1<<s.free)
	order := make([]uint32, 0, len(cuts))
	for k := range cuts { // in the order of Gray: one variable changes at a time
		at := uint32(k ^ k>>1)
		if k > 0 {
			s.flip(bits.TrailingZeros(uint(k)))
		}
		cuts[at] = s.cut
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(cuts[b], cuts[a]), cmp.Compare(bits.Reverse32(a), bits.Reverse32(b)))
	})
	for _, at := range order {
		if len(p.members) == p.Points {
			return
		}
		p.offer([]uint64{uint64(at)}, cuts[at])
	}
}
