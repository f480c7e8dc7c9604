package graph

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
)

// Sums of whole numbers are exact in int64. All limits follow from that of a cut.
const (
	mostSides     = input.MaxExact // the sum of all |weights| of a cut
	mostTerms     = mostSides / 4  // a QUBO or an Ising problem, whose cut has up to four times as large a sum
	mostConverted = mostTerms / 8  // a model that becomes one of another kind, whose sum may be eight times as large
	mostRounded   = mostConverted / 2
)

// MaxSum returns the bound of the sum of all |coefficients| of a model of a kind, in units: 2^62 for cuts, and 2^60 for
// QUBOs and Ising problems, whose cuts have up to four times as large a sum.
func (k Kind) MaxSum() uint64 {
	if k == Sides {
		return mostSides
	}
	return mostTerms
}

// MaxRounded is the bound of such a sum where coefficients are rounded, which have a Rest then. Models of any kind can
// be made of such a model, and sums still have more digits than float64 has.
const MaxRounded = mostRounded

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

// rounded returns the model with coefficients whose sum is below MaxRounded, and with what that takes from them in its
// Rest.
func (m *Model) rounded() *Model {
	to := *m
	to.Linear = slices.Clone(m.Linear)
	to.refine(nil, mostConverted)
	return &to
}

// refine adds numbers of units to linear terms and changes the unit so that all are whole, or, where the sum of all
// would be most or more, nearly so: it is below MaxRounded then. It returns how many coefficients are rounded.
func (m *Model) refine(more map[int]*big.Rat, most uint64) (rounded int) {
	parts, size := big.NewInt(1), new(big.Rat).SetInt(new(big.Int).SetUint64(m.Sum())) // of a unit; of the whole sum
	for _, r := range more {
		common := new(big.Int).GCD(nil, nil, parts, r.Denom())
		parts.Mul(parts, new(big.Int).Quo(r.Denom(), common))
		size.Add(size, new(big.Rat).Abs(r))
	}
	per := new(big.Rat).SetInt(parts)
	if new(big.Rat).Mul(size, per).Cmp(new(big.Rat).SetInt(new(big.Int).SetUint64(most))) >= 0 {
		per = input.Ratio(1, -Decimals(size, MaxRounded, input.MaxPlaces))
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
