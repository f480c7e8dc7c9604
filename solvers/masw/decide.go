package masw

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
)

// selection selects survivors. It keeps memory for the next time; the zero value has none.
type selection struct {
	order []ranked
	kept  []bool
}

// ranked is a parent or a child with its value.
type ranked struct {
	f float64 // +Inf for values that are not finite
	i int     // parents come first
}

func (a ranked) before(b ranked) bool { return a.f < b.f || a.f == b.f && a.i < b.i }

// survive selects the P best of P parents and P children. It orders them by value, then parents before
// children, then by index. The surviving children, in increasing order, take the slots of the removed
// parents, in increasing order. It appends pairs slot, child to swaps.
func (s *selection) survive(swaps []uint32, parents, children []float64) []uint32 {
	n := len(parents)
	s.order = s.order[:0]
	for _, values := range [][]float64{parents, children} {
		for _, f := range values {
			if !host.Finite(f) {
				f = math.Inf(1)
			}
			s.order = append(s.order, ranked{f, len(s.order)})
		}
	}
	first(s.order, n)
	s.kept = slices.Grow(s.kept[:0], 2*n)[:2*n]
	clear(s.kept)
	for _, o := range s.order[:n] {
		s.kept[o.i] = true
	}
	slot := 0
	for c, kept := range s.kept[n:] {
		if !kept {
			continue
		}
		for s.kept[slot] {
			slot++
		}
		swaps = append(swaps, uint32(slot), uint32(c))
		slot++
	}
	return swaps
}

// first moves the first n of s, in any order, to its front (Hoare's selection). Sorting would take several times as
// long, which counts in a step of many small runs.
func first(s []ranked, n int) {
	for len(s) > 1 {
		pivot := s[len(s)/2]
		i := 0
		j := len(s) - 1
		for i <= j {
			for s[i].before(pivot) {
				i++
			}
			for pivot.before(s[j]) {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			s = s[:j+1]
		case n > i:
			s, n = s[i:], n-i
		default:
			return
		}
	}
}
