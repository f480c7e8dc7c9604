package masw

import (
	"cmp"
	"math"
	"slices"

	"github.com/clopt/clopt/solvers/internal/host"
)

// ranked is an individual with its value: +Inf for one that is not finite.
type ranked struct {
	f float64
	i int
}

func rankedOf(i int, f float64) ranked {
	if !host.Finite(f) {
		f = math.Inf(1)
	}
	return ranked{f, i}
}

// selection selects survivors. It keeps memory for the next time; the zero value has none.
type selection struct{ leave, enter []ranked }

// survive selects the P best of P parents and P children. It orders them by value, then parents before
// children, then by index. The surviving children, in increasing order, take the slots of the removed
// parents, in increasing order. It appends pairs slot, child to swaps.
//
// The k-th best child survives if it is better than the k-th worst parent. So only parents worse than the best child
// can leave, and only children better than the worst parent can enter. These are few in most generations.
func (s *selection) survive(swaps []uint32, parents, children []float64) []uint32 {
	best, worst := math.Inf(1), math.Inf(-1)
	for j := range parents {
		best, worst = min(best, rankedOf(j, children[j]).f), max(worst, rankedOf(j, parents[j]).f)
	}
	s.leave, s.enter = s.leave[:0], s.enter[:0]
	for j := range parents {
		if p := rankedOf(j, parents[j]); p.f > best {
			s.leave = append(s.leave, p)
		}
		if c := rankedOf(j, children[j]); c.f < worst {
			s.enter = append(s.enter, c)
		}
	}
	slices.SortFunc(s.leave, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.f, a.f), b.i-a.i) })
	slices.SortFunc(s.enter, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.f, b.f), a.i-b.i) })
	n := 0
	for n < min(len(s.leave), len(s.enter)) && s.enter[n].f < s.leave[n].f {
		n++
	}
	leave, enter := s.leave[:n], s.enter[:n]
	byIndex := func(a, b ranked) int { return a.i - b.i }
	slices.SortFunc(leave, byIndex)
	slices.SortFunc(enter, byIndex)
	for k := range n {
		swaps = append(swaps, uint32(leave[k].i), uint32(enter[k].i))
	}
	return swaps
}
