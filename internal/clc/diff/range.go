package diff

import "github.com/clopt/clopt/internal/clc"

// infinities finds the variables of a function that may be infinite or NaN though no sum or product is too large.
func (r *reverse) infinities(body []clc.Stmt) {
	r.infinite = set{}
	for changed := true; changed; {
		changed = false
		statements(body, func(s clc.Stmt) {
			if a, ok := s.(*clc.Assign); ok && a.To.Type.Floating() && !r.infinite[a.To] && r.open(a.Value) {
				r.infinite[a.To] = true
				changed = true
			}
		})
	}
}

// open reports whether an expression, or its derivative, may be infinite or NaN.
func (r *reverse) open(e clc.Expr) bool {
	return contains(e, func(x clc.Expr) bool {
		switch x := x.(type) {
		case *clc.Use:
			return r.infinite[x.Var]
		case *clc.Call:
			return rules[x.Function].open && !r.tame(x)
		case *clc.Binary:
			return x.Op == "/" && x.Type.Floating() && r.vanishes(x.Y)
		}
		return false
	})
}

// tame reports whether a call has a finite value and derivative at its arguments, though the function is not so
// everywhere.
func (r *reverse) tame(e *clc.Call) bool {
	switch e.Function {
	case "sqrt", "root", "rsqrt", "log", "cbrt":
		return r.sign(e.Args[0]) == positiveSign
	case "hypot":
		return r.sign(e.Args[0]) == positiveSign || r.sign(e.Args[1]) == positiveSign
	case "log1p":
		return r.sign(e.Args[0]) != anySign
	case "pow", "powr":
		n, ok := e.Args[1].(*clc.Number)
		return ok && (n.Value >= 1 || r.sign(e.Args[0]) == positiveSign)
	case "pown":
		n, ok := e.Args[1].(*clc.Number)
		return ok && (int32(n.Bits) >= 1 || r.sign(e.Args[0]) == positiveSign)
	}
	return false
}

// vanishes reports whether a divisor may be 0, infinite or NaN.
func (r *reverse) vanishes(e clc.Expr) bool {
	if n, ok := e.(*clc.Number); ok {
		return n.Value == 0
	}
	return r.sign(e) != positiveSign || r.open(e)
}

// sign says what is known about the values of an expression.
type sign int

const (
	anySign      sign = iota
	notNegative       // 0 or more
	positiveSign      // more than a positive number, so that rounding does not make it 0
)

// sign finds what is known about the values of an expression, without following variables that are set twice.
func (r *reverse) sign(e clc.Expr) sign {
	switch e := e.(type) {
	case *clc.Number:
		if e.Type.Floating() && e.Value > 0 {
			return positiveSign
		}
		if is(e, 0) {
			return notNegative
		}
	case *clc.Use:
		if of := r.single[e.Var]; of != nil {
			return r.sign(of)
		}
	case *clc.Symbol:
		return notNegative
	case *clc.Cast:
		if e.X.Of().Unsigned() {
			return notNegative
		}
		return r.sign(e.X)
	case *clc.Choice:
		return min(r.sign(e.Then), r.sign(e.Else))
	case *clc.Binary:
		x, y := r.sign(e.X), r.sign(e.Y)
		switch {
		case e.Op == "*" && atomic(e.X) && clc.Same(e.X, e.Y):
			return max(notNegative, x)
		case e.Op == "+" && x != anySign && y != anySign:
			return max(x, y)
		case e.Op == "*":
			return min(x, y)
		case e.Op == "/":
			return min(x, y, notNegative)
		}
	case *clc.Call:
		return r.signOfCall(e)
	}
	return anySign
}

func (r *reverse) signOfCall(e *clc.Call) sign {
	switch e.Function {
	case "fabs", "hypot", "exp", "exp2", "exp10", "sq":
		return notNegative
	case "sqrt", "root":
		return max(notNegative, r.sign(e.Args[0]))
	case "cosh":
		return positiveSign
	case "fmax", "max":
		return max(r.sign(e.Args[0]), r.sign(e.Args[1]))
	case "fmin", "min":
		return min(r.sign(e.Args[0]), r.sign(e.Args[1]))
	case "fma", "mad":
		x := e.Args
		return r.sign(binary("+", binary("*", x[0], x[1]), x[2]))
	}
	return anySign
}
