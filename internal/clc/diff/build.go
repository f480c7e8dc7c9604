package diff

import (
	"fmt"

	"github.com/clopt/clopt/internal/clc"
)

// names makes variables with names that no other variable of a function has.
type names struct {
	taken map[string]bool
	made  *[]*clc.Var
}

func newNames(t *clc.Tree) names {
	n := names{map[string]bool{t.K.Name: true, "x": true, "d": true, "out": true}, &[]*clc.Var{}}
	for _, v := range append([]*clc.Var{t.Out, t.In}, t.Vars...) {
		if v != nil {
			n.taken[v.Name] = true
		}
	}
	return n
}

// new makes a variable, whose name begins with name.
func (n names) new(name string, of clc.Type, length int, pos clc.Pos) *clc.Var {
	free := name
	for i := 2; n.taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	n.taken[free] = true
	v := &clc.Var{Name: free, Type: of, Len: length, Pos: pos}
	*n.made = append(*n.made, v)
	return v
}

// use is the value of a scalar.
func use(v *clc.Var) clc.Expr { return &clc.Use{Var: v, Pos: v.Pos} }

// place is what a statement assigns to, as an expression.
func place(a *clc.Assign) *clc.Use { return &clc.Use{Var: a.To, Element: a.Element, Pos: a.Pos} }

// assign sets a scalar, or the place that an expression reads.
func assign(to clc.Expr, value clc.Expr) clc.Stmt {
	u := to.(*clc.Use)
	return &clc.Assign{To: u.Var, Element: u.Element, Value: value, Pos: value.At()}
}

// number is a number of the type of an expression.
func number(v float64, like clc.Expr) clc.Expr {
	n := &clc.Number{Type: like.Of(), Value: v, Pos: like.At()}
	if !n.Type.Floating() {
		n.Bits = uint64(int64(v))
	}
	return n
}

// is reports whether an expression is a number of a value.
func is(e clc.Expr, v float64) bool {
	n, ok := e.(*clc.Number)
	if !ok {
		return false
	}
	if n.Type.Floating() {
		return n.Value == v
	}
	return n.Bits == uint64(int64(v))
}

func binary(op string, a, b clc.Expr) clc.Expr {
	return &clc.Binary{Op: op, X: a, Y: b, Type: a.Of(), Pos: a.At()}
}

// test compares two numbers.
func test(op string, a, b clc.Expr) clc.Expr {
	return &clc.Binary{Op: op, X: a, Y: b, Type: clc.Int, Pos: a.At()}
}

// choose is c ? a : b.
func choose(c, a, b clc.Expr) clc.Expr { return &clc.Choice{Cond: c, Then: a, Else: b, Pos: c.At()} }

// call calls a function of real arguments.
func call(name string, args ...clc.Expr) clc.Expr {
	return &clc.Call{Function: name, Type: args[0].Of(), Args: args, Pos: args[0].At()}
}

// neg is -a.
func neg(a clc.Expr) clc.Expr {
	switch x := a.(type) {
	case *clc.Unary:
		if x.Op == '-' {
			return x.X
		}
	case *clc.Number:
		if x.Type.Floating() {
			return &clc.Number{Type: x.Type, Value: -x.Value, Pos: x.Pos}
		}
	}
	return &clc.Unary{Op: '-', X: a, Pos: a.At()}
}

// add is a + b.
func add(a, b clc.Expr) clc.Expr {
	if is(a, 0) {
		return b
	}
	if is(b, 0) {
		return a
	}
	if n, ok := b.(*clc.Unary); ok && n.Op == '-' {
		return binary("-", a, n.X)
	}
	return binary("+", a, b)
}

// sub is a - b.
func sub(a, b clc.Expr) clc.Expr {
	if is(b, 0) {
		return a
	}
	if n, ok := b.(*clc.Unary); ok && n.Op == '-' {
		return binary("+", a, n.X)
	}
	return binary("-", a, b)
}

// mul is a·b. A choice between 0, 1 and -1 becomes one between products.
func mul(a, b clc.Expr) clc.Expr {
	if c, ok := b.(*clc.Choice); ok && plain(c.Then) && plain(c.Else) && atomic(a) {
		return choose(c.Cond, mul(a, c.Then), mul(a, c.Else))
	}
	switch {
	case is(a, 0) || is(b, 1):
		return a
	case is(b, 0) || is(a, 1):
		return b
	case is(a, -1):
		return neg(b)
	case is(b, -1):
		return neg(a)
	}
	if n, ok := a.(*clc.Unary); ok && n.Op == '-' {
		return neg(mul(n.X, b))
	}
	if n, ok := b.(*clc.Unary); ok && n.Op == '-' {
		return neg(mul(a, n.X))
	}
	return binary("*", a, b)
}

// plain reports whether an expression is 0, 1 or -1, or a choice between these.
func plain(e clc.Expr) bool {
	if c, ok := e.(*clc.Choice); ok {
		return plain(c.Then) && plain(c.Else)
	}
	return is(e, 0) || is(e, 1) || is(e, -1)
}

// atomic reports whether an expression may be written many times: it is a number or a scalar.
func atomic(e clc.Expr) bool {
	switch e := e.(type) {
	case *clc.Number:
		return true
	case *clc.Use:
		return e.Element == nil
	}
	return false
}
