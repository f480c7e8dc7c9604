package graph

import (
	"encoding/json"
	"math/big"

	"github.com/clopt/clopt/internal/problems/input"
)

// Fix returns the function of the variables that are left where those of value have these values, which are decimal
// numbers. m is a model of bits or spins. What fixed variables add to the objective goes to the offset and to the
// linear terms of the others. Where the sum of all |coefficients| would be beyond 2^60, they are rounded to units with
// which it is below 2^56; rounded counts those that are, and Rest has the rest. The names must be those of all
// variables; fixed ones move to Fixed, in their order.
func (m *Model) Fix(value map[int]*big.Rat) (fixed *Model, rounded int) {
	to := *m
	to.Names, to.Fixed = nil, m.Fixed
	place := make([]uint32, m.N()) // of the variables that are left
	for v, name := range m.Names {
		if is := value[v]; is != nil {
			to.Fixed = append(to.Fixed, input.Fixed{Name: name, Value: json.Number(input.Decimal(is))})
			continue
		}
		place[v] = uint32(len(to.Names))
		to.Names = append(to.Names, name)
	}
	to.Linear = make([]int64, len(to.Names))
	more := map[int]*big.Rat{} // what is added to linear terms, in units
	constant := new(big.Rat)   // in units
	g := &Graph{Offsets: []int{0}, Unit: m.Pairs.Unit}
	for v := range m.N() {
		is, linear := value[v], int64(0)
		if m.Linear != nil {
			linear = m.Linear[v]
		}
		for e := m.Pairs.Offsets[v]; e < m.Pairs.Offsets[v+1]; e++ {
			u, w := int(m.Pairs.Neighbors[e]), m.Pairs.Weights[e]
			switch other := value[u]; {
			case other != nil && is != nil && u < v: // counted once
				addProduct(constant, w, new(big.Rat).Mul(is, other))
			case other != nil && is == nil:
				if more[int(place[v])] == nil {
					more[int(place[v])] = new(big.Rat)
				}
				addProduct(more[int(place[v])], w, other)
			case other == nil && is == nil:
				g.Neighbors, g.Weights = append(g.Neighbors, place[u]), append(g.Weights, w)
			}
		}
		if is != nil {
			addProduct(constant, linear, is)
			continue
		}
		to.Linear[place[v]] = linear
		g.Offsets = append(g.Offsets, len(g.Neighbors))
	}
	to.Pairs = g
	to.Offset = constant.Add(constant.Mul(constant, m.UnitScale()), m.Offset)
	if m.Rest != nil {
		to.Rest = m.Rest.fix(value, place)
	}
	return &to, to.refine(more, input.MaxTerms)
}

// fix is Model.Fix for what rounding has taken. place has the numbers of the variables that are left.
func (r *Rest) fix(value map[int]*big.Rat, place []uint32) *Rest {
	to := newRest(r, r.Kind)
	to.Terms = to.Terms[:0]
	for _, t := range r.Terms {
		u, v := value[int(t.U)], value[int(t.V)]
		if t.U == t.V {
			v = one
		}
		c := new(big.Rat).SetFloat64(t.C)
		for _, is := range []*big.Rat{u, v} {
			if is != nil {
				c.Mul(c, is)
			}
		}
		left := Term{place[t.U], place[t.V], 0}
		switch left.C, _ = c.Float64(); {
		case u != nil && v != nil:
			to.Offset.Add(to.Offset, c.Mul(c, r.Unit))
			continue
		case u != nil:
			left.U = left.V
		case v != nil:
			left.V = left.U
		}
		to.Terms = append(to.Terms, left)
	}
	return to
}

// addProduct adds c·r to a sum.
func addProduct(sum *big.Rat, c int64, r *big.Rat) {
	sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetInt64(c), r))
}

var one = big.NewRat(1, 1)
