package graph

import (
	"math/big"

	"github.com/clopt/clopt/problems/input"
)

// Fix returns the function of the variables that are left where those of value have these values, 0 or 1. m is a model
// of bits. What fixed variables add to the objective goes to the offset and to the linear terms of the others. The
// names must be those of all variables; fixed ones move to Fixed, in their order.
func (m *Model) Fix(value map[int]uint8) *Model {
	to := *m
	to.Names, to.Fixed = nil, m.Fixed
	place := make([]uint32, m.N()) // of the variables that are left
	for v, name := range m.Names {
		if one, fixed := value[v]; fixed {
			to.Fixed = append(to.Fixed, input.Fixed{Name: name, Value: one})
			continue
		}
		place[v] = uint32(len(to.Names))
		to.Names = append(to.Names, name)
	}
	to.Linear = make([]int64, len(to.Names))
	g := &Graph{Offsets: []int{0}, Unit: m.Pairs.Unit}
	constant := int64(0)
	for v := range m.N() {
		one, fixed := value[v]
		linear := int64(0)
		if m.Linear != nil {
			linear = m.Linear[v]
		}
		for e := m.Pairs.Offsets[v]; e < m.Pairs.Offsets[v+1]; e++ {
			u, w := m.Pairs.Neighbors[e], m.Pairs.Weights[e]
			other, otherFixed := value[int(u)]
			switch {
			case otherFixed && fixed && int(u) < v: // counted once
				constant += w * int64(one) * int64(other)
			case otherFixed && !fixed:
				linear += w * int64(other)
			case !otherFixed && !fixed:
				g.Neighbors, g.Weights = append(g.Neighbors, place[u]), append(g.Weights, w)
			}
		}
		if fixed {
			constant += linear * int64(one)
			continue
		}
		to.Linear[place[v]] = linear
		g.Offsets = append(g.Offsets, len(g.Neighbors))
	}
	to.Pairs = g
	shift := new(big.Rat).Mul(m.UnitScale(), big.NewRat(constant, 1))
	to.Offset = shift.Add(shift, m.Offset)
	return &to
}
