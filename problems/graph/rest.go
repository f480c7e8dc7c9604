package graph

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Rest is what rounding has taken from the coefficients of a Model: a function of the same variables, which added to
// the model gives the values of the numbers that were rounded.
type Rest struct {
	Kind   Kind     // what the variables are in the terms
	Terms  []Term   // in units of Unit
	Unit   *big.Rat // not 0
	Offset *big.Rat
}

// Term is C times the variables U and V, or times U if V is the same. In a Rest of Sides it is C where the sides of U
// and V differ.
type Term struct {
	U, V uint32
	C    float64
}

// newRest returns a Rest without terms, or a copy of r if it is not nil.
func newRest(r *Rest, kind Kind) *Rest {
	if r == nil {
		return &Rest{Kind: kind, Unit: big.NewRat(1, 1), Offset: new(big.Rat)}
	}
	return &Rest{r.Kind, slices.Clone(r.Terms), new(big.Rat).Set(r.Unit), new(big.Rat).Set(r.Offset)}
}

// in returns a copy of the rest in n variables of a kind, also of no rest.
func (r *Rest) in(kind Kind, n int) *Rest {
	if r == nil || r.Kind == kind {
		return newRest(r, kind)
	}
	to := newRest(nil, kind)
	terms, constant := r.As(kind, n)
	to.Offset, to.Unit = constant, new(big.Rat).Set(r.Unit)
	for at, c := range terms {
		if at.V == n && kind != Sides {
			at.V = at.U
		}
		f, _ := c.Quo(c, r.Unit).Float64()
		to.Terms = append(to.Terms, Term{uint32(at.U), uint32(at.V), f})
	}
	slices.SortFunc(to.Terms, func(a, b Term) int { return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V)) })
	return to
}

// Times multiplies the function by a number.
func (r *Rest) Times(by *big.Rat) {
	if r != nil {
		r.Unit.Mul(r.Unit, by)
		r.Offset.Mul(r.Offset, by)
	}
}

// Size returns the largest size of a value, or a little more; 0 for none.
func (r *Rest) Size() float64 {
	if r == nil {
		return 0
	}
	sum := 0.0
	for _, t := range r.Terms {
		sum += math.Abs(t.C)
	}
	unit, _ := r.Unit.Float64()
	offset, _ := r.Offset.Float64()
	return (sum*math.Abs(unit) + math.Abs(offset)) * (1 + 1e-9)
}

// Value returns the value of a point: x has 0 or 1 for each variable, 0 for the spin -1 and for what is none.
func (r *Rest) Value(x []uint8) *big.Rat {
	at := func(i uint32) float64 {
		z := 0.0
		if int(i) < len(x) {
			z = float64(x[i])
		}
		if r.Kind == Spins {
			z = 2*z - 1
		}
		return z
	}
	sum, low := 0.0, 0.0 // Neumaier's sum: low is what sum has lost
	for _, t := range r.Terms {
		v := t.C * at(t.U)
		switch {
		case r.Kind == Sides && at(t.U) != at(t.V):
			v = t.C
		case r.Kind == Sides:
			continue
		case t.U != t.V:
			v *= at(t.V)
		}
		s := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			low += (sum - s) + v
		} else {
			low += (v - s) + sum
		}
		sum = s
	}
	total := new(big.Rat).SetFloat64(sum)
	total.Add(total, new(big.Rat).SetFloat64(low))
	return total.Add(total.Mul(total, r.Unit), r.Offset)
}

// Cut returns the function as what is to be added to the weights of the cut that Quadratic.QUBO or Quadratic.Ising
// makes, in units of Unit, with a root after n variables if there is a need for one. The value is constant + times·cut.
func (r *Rest) Cut(n int) (terms []Term, times float64, constant *big.Rat) {
	root, sum := make([]float64, n), 0.0
	for _, t := range r.Terms {
		switch {
		case r.Kind == Bits && t.U == t.V:
			root[t.U] -= 2 * t.C
		case r.Kind == Bits:
			root[t.U] -= t.C
			root[t.V] -= t.C
		case r.Kind == Spins:
			sum += t.C
			if t.U == t.V {
				root[t.U] += t.C
			}
		}
		if t.U != t.V {
			terms = append(terms, t)
		}
	}
	for i, c := range root {
		if c != 0 {
			terms = append(terms, Term{uint32(i), uint32(n), c})
		}
	}
	constant = new(big.Rat).SetFloat64(sum)
	constant.Add(constant.Mul(constant, r.Unit), r.Offset)
	return terms, [...]float64{Sides: 1, Bits: -0.5, Spins: -2}[r.Kind], constant
}

// polynomial is a sum over pairs of n variables of one kind and a constant. A linear term of i is the pair (i, n); in
// Sides, n is a vertex whose side is 0.
type polynomial struct {
	terms    map[Pair]*big.Rat
	constant *big.Rat
}

// As returns the function in variables of a kind, with all digits: terms of pairs i < j of n variables, and a constant.
// A linear term of i is the pair (i, n); in Sides that is the edge to a root, whose side is 0. Numbers of up to 15
// digits are those that were rounded, and longer ones may differ in the last digit.
func (r *Rest) As(kind Kind, n int) (terms map[Pair]*big.Rat, constant *big.Rat) {
	p := polynomial{map[Pair]*big.Rat{}, new(big.Rat).Set(r.Offset)}
	for _, t := range r.Terms {
		c, _ := new(big.Rat).SetString(strconv.FormatFloat(t.C, 'g', -1, 64))
		u, v := int(min(t.U, t.V)), int(max(t.U, t.V))
		if u == v {
			v = n
		}
		p.add(u, v, c.Mul(c, r.Unit), one)
	}
	if r.Kind != kind {
		p = p.change(r.Kind, Bits, n).change(Bits, kind, n)
	}
	return p.terms, p.constant
}

func (p *polynomial) add(u, v int, c, times *big.Rat) {
	at := Pair{U: u, V: v}
	if p.terms[at] == nil {
		p.terms[at] = new(big.Rat)
	}
	if sum := p.terms[at]; sum.Add(sum, new(big.Rat).Mul(c, times)).Sign() == 0 {
		delete(p.terms, at)
	}
}

// change puts other variables in, from or to bits.
func (p polynomial) change(from, to Kind, n int) polynomial {
	// A pair becomes the sum of a pair, a linear term of both variables and a constant; a linear term becomes one and a
	// constant.
	var pair, ends, alone, linear, rest *big.Rat
	switch half, quarter := big.NewRat(1, 2), big.NewRat(1, 4); {
	case from == to:
		return p
	case from == Sides:
		pair = big.NewRat(-2, 1)
		ends = one
		alone = new(big.Rat)
		linear = one
		rest = new(big.Rat)
	case from == Spins:
		pair = big.NewRat(4, 1)
		ends = big.NewRat(-2, 1)
		alone = one
		linear, rest = big.NewRat(2, 1), big.NewRat(-1, 1)
	case to == Sides:
		pair = big.NewRat(-1, 2)
		ends = half
		alone = new(big.Rat)
		linear = one
		rest = new(big.Rat)
	default:
		pair = quarter
		ends = quarter
		alone = quarter
		linear = half
		rest = half
	}
	q := polynomial{map[Pair]*big.Rat{}, new(big.Rat).Set(p.constant)}
	for at, c := range p.terms {
		plus := alone
		if at.V == n {
			plus = rest
			q.add(at.U, n, c, linear)
		} else {
			q.add(at.U, at.V, c, pair)
			q.add(at.U, n, c, ends)
			q.add(at.V, n, c, ends)
		}
		q.constant.Add(q.constant, new(big.Rat).Mul(c, plus))
	}
	return q
}
