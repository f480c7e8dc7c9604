package masw

import (
	"math"
	"slices"

	"github.com/clopt/clopt/solvers/internal/host"
)

// survive selects the P best of P parents and P children. It orders them by value, then parents before
// children, then by index. The surviving children, in increasing order, take the slots of the removed
// parents, in increasing order. It returns pairs slot, child.
func survive(parents, children []float64) []uint32 {
	n := len(parents)
	type rank struct {
		f float64 // +Inf for values that are not finite
		i int     // parents come first
	}
	order := make([]rank, 2*n)
	for i := range order {
		f := 0.0
		if i < n {
			f = parents[i]
		} else {
			f = children[i-n]
		}
		if !host.Finite(f) {
			f = math.Inf(1)
		}
		order[i] = rank{f, i}
	}
	slices.SortFunc(order, func(a, b rank) int {
		switch {
		case a.f < b.f:
			return -1
		case a.f > b.f:
			return 1
		}
		return a.i - b.i
	})
	kept := make([]bool, 2*n)
	for _, o := range order[:n] {
		kept[o.i] = true
	}
	var swaps []uint32
	slot := 0
	for c := range n {
		if !kept[n+c] {
			continue
		}
		for kept[slot] {
			slot++
		}
		swaps = append(swaps, uint32(slot), uint32(c))
		slot++
	}
	return swaps
}
