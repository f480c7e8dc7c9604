// Package rows has the linear constraints of LP and MPS files on variables that are 0 or 1, and makes penalties of
// them.
//
//	Row: lower ≤ Σ c·x ≤ upper ──► Penalty, a quadratic function that is 0 where the row holds
package rows

import (
	"math/big"
)

// Row is a constraint, lower ≤ Σ c·x ≤ upper. Without a bound, it is nil.
type Row struct {
	Name         string
	At           int // its place in the text
	Terms        []Term
	Lower, Upper *big.Rat
}

// Term is a variable of a row with its coefficient. A variable may be there several times.
type Term struct {
	Var int
	C   *big.Rat
}

// Penalty is a quadratic function of the variables of a row and of slack variables, which are 0 or 1, too. It is 0
// where the row holds and the slack variables fit, and at least 1 elsewhere.
type Penalty struct {
	Constant *big.Int
	Linear   []Linear
	Products []Product
	Slack    []*big.Rat // what each slack variable adds to the sum of the row; they have the numbers -1, -2, …
	Top      *big.Rat   // the sum of the row and of its slack variables, where it holds; nil: there are none
	Never    bool       // no values of the variables fulfil the row
}

// Linear is c·x, and Product c·x·y.
type (
	Linear struct {
		Var int
		C   *big.Int
	}
	Product struct {
		A, B int
		C    *big.Int
	}
)

// Slack returns the number of slack variable k in a Penalty.
func Slack(k int) int { return -1 - k }

// literal is a variable of a row, or 1 minus it, with a positive whole coefficient.
type literal struct {
	of      int
	negated bool
	c       *big.Int
}

// normal is a row of literals: low ≤ Σ c·y ≤ high.
type normal struct {
	of        []literal
	low, high *big.Int
	most      *big.Int // Σ c
	shift     *big.Rat // Σ of the negative coefficients of the row
	unit      *big.Rat // of the sum of literals, in the sum of the row
}

// inRow returns a sum of literals as one of the row.
func (n normal) inRow(sum *big.Int) *big.Rat {
	v := new(big.Rat).SetInt(sum)
	return v.Mul(v, n.unit)
}

// normalize makes whole numbers without a common divisor of the row, and narrows its bounds to sums that there are.
func (r *Row) normalize() normal {
	c, order := map[int]*big.Rat{}, []int{}
	for _, t := range r.Terms {
		if c[t.Var] == nil {
			c[t.Var] = new(big.Rat)
			order = append(order, t.Var)
		}
		c[t.Var].Add(c[t.Var], t.C)
	}
	scale, divisor := big.NewInt(1), new(big.Int)
	for _, v := range order {
		d := c[v].Denom()
		scale.Mul(scale, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, scale, d)))
	}
	n := normal{most: new(big.Int)}
	shift := new(big.Int) // Σ of the negative coefficients
	for _, v := range order {
		k := new(big.Rat).Mul(c[v], new(big.Rat).SetInt(scale)).Num()
		if k.Sign() == 0 {
			continue
		}
		l := literal{v, k.Sign() < 0, new(big.Int).Abs(k)}
		if l.negated {
			shift.Add(shift, k)
		}
		divisor.GCD(nil, nil, divisor, l.c)
		n.of = append(n.of, l)
	}
	if divisor.Sign() == 0 {
		divisor.SetInt64(1)
	}
	for i := range n.of {
		n.of[i].c.Quo(n.of[i].c, divisor)
		n.most.Add(n.most, n.of[i].c)
	}
	bound := func(b *big.Rat, up bool) *big.Int { // in units of the sum of literals
		x := new(big.Rat).Mul(b, new(big.Rat).SetInt(scale))
		x.Sub(x, new(big.Rat).SetInt(shift)).Quo(x, new(big.Rat).SetInt(divisor))
		q, m := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
		if up && m.Sign() != 0 {
			q.Add(q, big.NewInt(1))
		}
		return q
	}
	n.unit, n.shift = new(big.Rat).SetFrac(divisor, scale), new(big.Rat).SetFrac(shift, scale)
	n.low, n.high = new(big.Int), new(big.Int).Set(n.most)
	if r.Lower != nil {
		if b := bound(r.Lower, true); b.Sign() > 0 {
			n.low = b
		}
	}
	if r.Upper != nil {
		if b := bound(r.Upper, false); b.Cmp(n.high) < 0 {
			n.high = b
		}
	}
	return n
}

// Penalty returns the penalty of the row.
func (r *Row) Penalty() Penalty {
	n, p := r.normalize(), Penalty{Constant: new(big.Int)}
	one := big.NewInt(1)
	switch free := n.high.Cmp(n.most) == 0; {
	case n.low.Cmp(n.high) > 0:
		p.Never = true
		p.Constant.SetInt64(1)
		return p
	case n.low.Sign() == 0 && free: // it always holds
		return p
	case n.plain() && n.low.Sign() == 0 && n.high.Cmp(one) == 0: // at most one of them
		p.pairs(n.of, false)
		return p
	case n.plain() && free && new(big.Int).Sub(n.most, n.low).Cmp(one) == 0: // at most one of them is not
		p.pairs(n.of, true)
		return p
	}
	var sum form
	sum.constant.Neg(n.high)
	for _, l := range n.of {
		if !l.negated {
			sum.add(l.of, l.c)
			continue
		}
		sum.constant.Add(&sum.constant, l.c)
		sum.add(l.of, new(big.Int).Neg(l.c))
	}
	for k, w := range weights(new(big.Int).Sub(n.high, n.low)) {
		sum.add(Slack(k), w)
		p.Slack = append(p.Slack, n.inRow(w))
	}
	p.Top = new(big.Rat).Add(n.inRow(n.high), n.shift)
	p.square(&sum)
	return p
}

// plain reports whether all coefficients are 1.
func (n normal) plain() bool {
	for _, l := range n.of {
		if !l.c.IsInt64() || l.c.Int64() != 1 {
			return false
		}
	}
	return true
}

// pairs adds the products of all pairs of literals, or of their negations.
func (p *Penalty) pairs(of []literal, negated bool) {
	for j, b := range of {
		for _, a := range of[:j] {
			p.product(a.of, a.negated != negated, b.of, b.negated != negated)
		}
	}
}

// product adds a·b, in which each may be negated.
func (p *Penalty) product(a int, notA bool, b int, notB bool) {
	sign := int64(1)
	switch {
	case notA && notB: // 1 - a - b + ab
		p.Constant.Add(p.Constant, big.NewInt(1))
		p.Linear = append(p.Linear, Linear{a, big.NewInt(-1)}, Linear{b, big.NewInt(-1)})
	case notA:
		p.Linear = append(p.Linear, Linear{b, big.NewInt(1)})
		sign = -1
	case notB:
		p.Linear = append(p.Linear, Linear{a, big.NewInt(1)})
		sign = -1
	}
	p.Products = append(p.Products, Product{a, b, big.NewInt(sign)})
}

// weights returns numbers of which the sums of some are all whole numbers from 0 to most, in their order: 1, 2, 4, …,
// and the rest.
func weights(most *big.Int) (w []*big.Int) {
	left := new(big.Int).Set(most)
	for next := big.NewInt(1); left.Sign() > 0; next = new(big.Int).Lsh(next, 1) {
		if next.Cmp(left) > 0 {
			next = new(big.Int).Set(left)
		}
		w = append(w, next)
		left.Sub(left, next)
	}
	return w
}

// form is a linear function of variables.
type form struct {
	constant big.Int
	of       []Linear
}

func (f *form) add(v int, c *big.Int) { f.of = append(f.of, Linear{v, c}) }

// square adds the square of a form.
func (p *Penalty) square(f *form) {
	p.Constant.Add(p.Constant, new(big.Int).Mul(&f.constant, &f.constant))
	for j, b := range f.of {
		c := new(big.Int).Add(b.C, new(big.Int).Lsh(&f.constant, 1))
		p.Linear = append(p.Linear, Linear{b.Var, c.Mul(c, b.C)})
		for _, a := range f.of[:j] {
			c := new(big.Int).Mul(a.C, b.C)
			p.Products = append(p.Products, Product{a.Var, b.Var, c.Lsh(c, 1)})
		}
	}
}
