package squares

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// product is num[0]·num[1]·…/(den[0]·…).
type product struct{ num, den []clc.Expr }

func (p product) times(q product) product {
	return product{slices.Concat(p.num, q.num), slices.Concat(p.den, q.den)}
}

// term is weight·root², or weight times all that a variable adds up.
type term struct {
	weight product
	root   clc.Expr // nil: of a variable
	flow   *clc.Var
}

// terms returns the squares that an expression is the sum of.
func (f *finder) terms(e clc.Expr) []term {
	switch e := e.(type) {
	case *clc.Binary:
		switch e.Op {
		case "+":
			return append(f.terms(e.X), f.terms(e.Y)...)
		case "-":
			if n, ok := e.Y.(*clc.Number); ok && n.Value == 0 {
				return f.terms(e.X)
			}
			refuse(e.Pos, "subtracts %s", written(e.Y))
		}
	case *clc.Unary:
		if e.Op == '-' && f.varies(e.X) {
			refuse(e.Pos, "subtracts %s", written(e.X))
		}
	case *clc.Call:
		if e.Function == "fma" || e.Function == "mad" {
			by := &clc.Binary{Op: "*", X: e.Args[0], Y: e.Args[1], Type: e.Type, Pos: e.Pos}
			return append(f.terms(by), f.terms(e.Args[2])...)
		}
	case *clc.Cast:
		if e.To.Floating() && e.X.Of().Floating() {
			return f.terms(e.X)
		}
	case *clc.Choice:
		return f.choice(e)
	case *clc.Use:
		if terms, ok := f.variable(e); ok {
			return terms
		}
	}
	return f.products(e)
}

// choice returns the terms of a choice: of each, that of the branch that is taken.
func (f *finder) choice(e *clc.Choice) (out []term) {
	yes, no := f.terms(e.Then), f.terms(e.Else)
	zero := clc.Expr(&clc.Number{Type: clc.Real, Pos: e.Pos})
	for i := range max(len(yes), len(no)) {
		a, b := zero, zero
		if i < len(yes) {
			a = f.rooted(yes[i])
		}
		if i < len(no) {
			b = f.rooted(no[i])
		}
		out = append(out, term{root: &clc.Choice{Cond: e.Cond, Then: a, Else: b, Pos: e.Pos}})
	}
	return out
}

// factors adds the factors of an expression to a product, above and below its line, and returns its sign.
func factors(e clc.Expr, p *product, under bool) (sign float64) {
	to := &p.num
	if under {
		to = &p.den
	}
	switch e := e.(type) {
	case *clc.Binary:
		switch e.Op {
		case "*":
			return factors(e.X, p, under) * factors(e.Y, p, under)
		case "/":
			if e.Type.Floating() {
				return factors(e.X, p, under) * factors(e.Y, p, !under)
			}
		}
	case *clc.Unary:
		if e.Op == '-' {
			return -factors(e.X, p, under)
		}
	case *clc.Cast:
		if e.To.Floating() && e.X.Of().Floating() {
			return factors(e.X, p, under)
		}
	case *clc.Number:
		if e.Type.Floating() && e.Value < 0 {
			*to = append(*to, &clc.Number{Type: e.Type, Value: -e.Value, Pos: e.Pos})
			return -1
		}
	case *clc.Call:
		if n, ok := exponent(e); ok && n%2 == 0 && n <= mostPower {
			for range n {
				factors(e.Args[0], p, under)
			}
			return 1
		}
	}
	*to = append(*to, e)
	return 1
}

const mostPower = 8

// exponent returns n of sq(e), pown(e, n) and pow(e, n).
func exponent(e *clc.Call) (n int, ok bool) {
	switch e.Function {
	case "sq":
		return 2, true
	case "pown":
		n, ok := e.Args[1].(*clc.Number)
		return int(int32(valueOf(n))), ok && valueOf(n) > 0
	case "pow":
		n, ok := e.Args[1].(*clc.Number)
		v := valueOf(n)
		return int(v), ok && v > 0 && v <= mostPower && v == math.Trunc(v)
	}
	return 0, false
}

func valueOf(n *clc.Number) float64 {
	switch {
	case n == nil:
		return 0
	case n.Type.Floating():
		return n.Value
	}
	return float64(int64(n.Bits))
}

// paired takes the factors that stand in a list twice out of it, and returns one of each two.
func paired(list []clc.Expr) (pairs, rest []clc.Expr) {
	for _, e := range list {
		i := slices.IndexFunc(rest, func(r clc.Expr) bool { return clc.Same(r, e) })
		if _, number := e.(*clc.Number); i < 0 || number {
			rest = append(rest, e)
			continue
		}
		if c, ok := e.(*clc.Call); ok && c.Function == "fabs" { // its square is that of its argument
			e = c.Args[0]
		}
		pairs, rest = append(pairs, e), slices.Delete(rest, i, i+1)
	}
	return pairs, rest
}

// products returns the terms of a product: a square with weights, or a sum of squares with weights and squares.
func (f *finder) products(e clc.Expr) []term {
	var all product
	sign := factors(e, &all, false)
	var root, weight product
	var sums []clc.Expr
	root.num, all.num = paired(all.num)
	root.den, all.den = paired(all.den)
	for _, x := range all.num {
		switch {
		case !f.varies(x) && f.positive(x):
			weight.num = append(weight.num, x)
		case !f.varies(x):
			refuse(x.At(), "multiplies by %s, of which the sign is not known", written(x))
		default:
			sums = append(sums, x)
		}
	}
	for _, x := range all.den {
		if f.varies(x) || !f.positive(x) {
			refuse(x.At(), "divides by %s, of which the sign is not known", written(x))
		}
		weight.den = append(weight.den, x)
	}
	switch {
	case len(all.num) == 1 && all.num[0] == e && len(sums) == 1, len(sums) > 1:
		refuse(e.At(), "adds %s, which is no square", written(e))
	case sign < 0:
		refuse(e.At(), "subtracts a square")
	case len(sums) == 0 && len(root.num) == 0 && len(root.den) == 0:
		if n, ok := e.(*clc.Number); ok && n.Value == 0 {
			return nil
		}
		return []term{{weight: weight, root: one(e)}}
	case len(sums) == 0:
		return []term{{weight: weight, root: f.value(root, e)}}
	}
	out := f.terms(sums[0])
	for i := range out {
		out[i].weight = out[i].weight.times(weight)
		if len(root.num)+len(root.den) == 0 {
			continue
		}
		if out[i].flow != nil {
			refuse(e.At(), "multiplies a sum of squares by a square")
		}
		out[i].root = f.value(root.times(product{num: []clc.Expr{out[i].root}}), e)
	}
	return out
}

// one is the number 1 at the place of an expression.
func one(e clc.Expr) clc.Expr { return &clc.Number{Type: clc.Real, Value: 1, Pos: e.At()} }

// value is a product as an expression.
func (f *finder) value(p product, like clc.Expr) clc.Expr {
	of := func(list []clc.Expr) (v clc.Expr) {
		for _, e := range list {
			if e = real(e); v == nil {
				v = e
				continue
			}
			v = &clc.Binary{Op: "*", X: v, Y: e, Type: clc.Real, Pos: e.At()}
		}
		return v
	}
	v := of(p.num)
	if v == nil {
		v = one(like)
	}
	if den := of(p.den); den != nil {
		v = &clc.Binary{Op: "/", X: v, Y: den, Type: clc.Real, Pos: like.At()}
	}
	return v
}

// real is an expression as a Real.
func real(e clc.Expr) clc.Expr {
	if e.Of() == clc.Real {
		return e
	}
	return &clc.Cast{To: clc.Real, X: e, Pos: e.At()}
}

// rooted is the square root of the weight of a term times its root.
func (f *finder) rooted(t term) clc.Expr {
	if t.flow != nil {
		refuse(f.at(t.flow), "adds %s in one of two cases", t.flow.Name)
	}
	number := 1.0
	var rest product
	for _, of := range []struct {
		from []clc.Expr
		to   *[]clc.Expr
	}{{t.weight.num, &rest.num}, {t.weight.den, &rest.den}} {
		for _, e := range of.from {
			n, ok := e.(*clc.Number)
			switch {
			case !ok:
				*of.to = append(*of.to, e)
			case of.to == &rest.num:
				number *= valueOf(n)
			default:
				number /= valueOf(n)
			}
		}
	}
	v := real(t.root)
	by := func(w clc.Expr) {
		if n, ok := v.(*clc.Number); ok && n.Value == 1 {
			v = w
			return
		}
		v = &clc.Binary{Op: "*", X: w, Y: v, Type: clc.Real, Pos: v.At()}
	}
	if len(rest.num)+len(rest.den) > 0 {
		by(&clc.Call{Function: "sqrt", Type: clc.Real, Args: []clc.Expr{f.value(rest, v)}, Pos: v.At()})
	}
	if number != 1 {
		by(&clc.Number{Type: clc.Real, Value: math.Sqrt(number), Pos: v.At()})
	}
	return v
}
