package graph

import (
	"encoding/json"
	"errors"
	"math/big"

	"github.com/clopt/clopt/internal/problems/input"
)

// Fix returns the function of the variables that are left where those of value have these values, which are decimal
// numbers. m is a model of bits. What fixed variables add to the objective goes to the offset and to the linear terms
// of the others. Where the sum of all |coefficients| would be beyond 2^60, they are rounded to decimals with which it
// is below 2^56; rounded counts those that are, and Rest has the rest. The names must be those of all variables; fixed
// ones move to Fixed, in their order. The error is a part of a sentence.
func (m *Model) Fix(value map[int]*big.Rat) (fixed *Model, rounded int, err error) {
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
	if rounded, err = to.refine(more); err != nil {
		return nil, 0, err
	}
	return &to, rounded, nil
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

// refine adds numbers of units to linear terms and changes the unit so that all are whole, or nearly so.
func (m *Model) refine(more map[int]*big.Rat) (rounded int, err error) {
	parts, size := big.NewInt(1), new(big.Rat).SetInt(new(big.Int).SetUint64(m.Sum())) // of a unit; of the whole sum
	for _, r := range more {
		common := new(big.Int).GCD(nil, nil, parts, r.Denom())
		parts.Mul(parts, new(big.Int).Quo(r.Denom(), common))
		size.Add(size, new(big.Rat).Abs(r))
	}
	per, most := new(big.Rat).SetInt(parts), big.NewRat(1<<60, 1)
	if size.Cmp(new(big.Rat).Quo(most, per)) >= 0 {
		most.SetInt64(1 << 56)
		per.SetFrac64(1, input.Pow10[m.Pairs.Digits()])
		if size.Cmp(new(big.Rat).Quo(most, per)) >= 0 {
			return 0, errors.New("the sum of all |coefficients| is beyond 2^56. Scale or round them")
		}
		for ten := big.NewRat(10, 1); ; {
			next := new(big.Rat).Mul(per, ten)
			if size.Cmp(new(big.Rat).Quo(most, next)) >= 0 {
				break
			}
			per = next
		}
	}
	m.Scale = new(big.Rat).Quo(m.Scale, per)
	rest := newRest(m.Rest, m.Kind)
	ratio, _ := new(big.Rat).Quo(rest.Unit, m.UnitScale()).Float64()
	for i := range rest.Terms {
		rest.Terms[i].C *= ratio
	}
	rest.Unit = m.UnitScale()
	scaled := func(r *big.Rat, u, v int) int64 {
		if r = new(big.Rat).Mul(r, per); r.IsInt() {
			return r.Num().Int64()
		}
		near, _ := new(big.Rat).SetString(r.FloatString(0))
		if v <= u {
			c, _ := r.Sub(r, near).Float64()
			rest.Terms = append(rest.Terms, Term{uint32(u), uint32(v), c})
			rounded++
		}
		return near.Num().Int64()
	}
	for i, c := range m.Linear {
		r := new(big.Rat).SetInt64(c)
		if more[i] != nil {
			r.Add(r, more[i])
		}
		m.Linear[i] = scaled(r, i, i)
	}
	if per.Cmp(one) != 0 {
		old := m.Pairs
		m.Pairs = &Graph{Offsets: []int{0}, Unit: old.Unit}
		for v := range old.N() {
			for e := old.Offsets[v]; e < old.Offsets[v+1]; e++ {
				u := old.Neighbors[e]
				if w := scaled(new(big.Rat).SetInt64(old.Weights[e]), v, int(u)); w != 0 {
					m.Pairs.Neighbors, m.Pairs.Weights = append(m.Pairs.Neighbors, u), append(m.Pairs.Weights, w)
				}
			}
			m.Pairs.Offsets = append(m.Pairs.Offsets, len(m.Pairs.Neighbors))
		}
	}
	if len(rest.Terms) > 0 {
		m.Rest = rest
	}
	return rounded, nil
}

var one = big.NewRat(1, 1)
