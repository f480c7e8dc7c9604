package solvers

import "slices"

// better says whether value a ranks before b: finite before not finite, then
// the smaller. Equal values are not better.
func better(a, b float64) bool {
	if !finite(a) {
		return false
	}
	return !finite(b) || a < b
}

// survive picks the P best of P parents and P children: by value, a parent
// before a child of equal value, then by index. It returns slot, child, slot,
// child, …: the surviving children in increasing order take the slots of the
// removed parents in increasing order.
func survive(parents, children []float64) []uint32 {
	n := len(parents)
	value := func(i int) float64 {
		if i < n {
			return parents[i]
		}
		return children[i-n]
	}
	order := make([]int, 2*n)
	for i := range order {
		order[i] = i
	}
	// Stable: parents come first, and indices increase.
	slices.SortStableFunc(order, func(a, b int) int {
		switch va, vb := value(a), value(b); {
		case better(va, vb):
			return -1
		case better(vb, va):
			return 1
		}
		return 0
	})
	kept := make([]bool, 2*n)
	for _, i := range order[:n] {
		kept[i] = true
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
