package graph

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
)

// errSum refuses models of programs.
func errSum(k Kind) error {
	power := map[bool]int{true: 62, false: 60}[k == Sides]
	return fmt.Errorf("graph: the sum of all |coefficients| is beyond 2^%d, up to which values are exact", power)
}

// Sum returns the sum of all |coefficients| of Linear and Pairs, in units.
func (m *Model) Sum() (sum uint64) {
	for _, w := range m.Pairs.Weights { // each pair is there twice
		sum += magnitude(w)
	}
	sum /= 2
	for _, a := range m.Linear {
		sum += magnitude(a)
	}
	return sum
}

// rounded returns the model with coefficients whose sum is below input.MaxRounded, and with what that takes from them
// in its Rest.
func (m *Model) rounded() *Model {
	to := *m
	to.Linear = slices.Clone(m.Linear)
	to.refine(nil, input.MaxConverted)
	return &to
}

// refine adds numbers of units to linear terms and changes the unit so that all are whole, or, where the sum of all
// would be most or more, nearly so: it is below input.MaxRounded then. It returns how many coefficients are rounded.
func (m *Model) refine(more map[int]*big.Rat, most uint64) (rounded int) {
	parts, size := big.NewInt(1), new(big.Rat).SetInt(new(big.Int).SetUint64(m.Sum())) // of a unit; of the whole sum
	for _, r := range more {
		common := new(big.Int).GCD(nil, nil, parts, r.Denom())
		parts.Mul(parts, new(big.Int).Quo(r.Denom(), common))
		size.Add(size, new(big.Rat).Abs(r))
	}
	per := new(big.Rat).SetInt(parts)
	if new(big.Rat).Mul(size, per).Cmp(new(big.Rat).SetInt(new(big.Int).SetUint64(most))) >= 0 {
		per = input.Ratio(1, -Decimals(size, input.MaxRounded, input.MaxPlaces))
	}
	m.Scale = new(big.Rat).Quo(m.Scale, per)
	rest, unit := m.Rest.in(m.Kind, m.N()), m.UnitScale()
	if m.Rest == nil {
		rest.Unit.Mul(unit, input.Ratio(1, input.RestDigits))
	}
	unit.Quo(unit, rest.Unit)
	scaled := func(r *big.Rat, u, v int) int64 {
		if r = new(big.Rat).Mul(r, per); r.IsInt() {
			return r.Num().Int64()
		}
		near, _ := new(big.Rat).SetString(r.FloatString(0))
		if v <= u {
			c, _ := r.Mul(r.Sub(r, near), unit).Float64()
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
	return rounded
}
