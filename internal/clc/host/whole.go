package host

import (
	"math"

	"github.com/clopt/clopt/internal/clc"
)

// whole compiles an integer expression.
func (c *compiler) whole(e clc.Expr) whole {
	switch e := e.(type) {
	case *clc.Number:
		v := fit(e.Type, int64(e.Bits))
		return func(*Frame) int64 { return v }
	case *clc.Use:
		return c.useWhole(e)
	case *clc.Table:
		return c.tableWhole(e)
	case *clc.Symbol:
		v, ok := c.data.Symbols[e.Name]
		if !ok {
			c.fail(e.Pos, "%s has no value", e.Name)
		}
		return func(*Frame) int64 { return int64(v) }
	case *clc.Unary:
		return c.unaryWhole(e)
	case *clc.Binary:
		return c.binaryWhole(e)
	case *clc.Choice:
		cond, yes, no := c.whole(e.Cond), c.whole(e.Then), c.whole(e.Else)
		return func(r *Frame) int64 {
			if cond(r) != 0 {
				return yes(r)
			}
			return no(r)
		}
	case *clc.Cast:
		return c.castWhole(e)
	case *clc.Call:
		return c.callWhole(e)
	}
	c.fail(e.At(), "%T is no integer", e)
	return func(*Frame) int64 { return 0 }
}

func (c *compiler) useWhole(e *clc.Use) whole {
	switch {
	case e.Var == c.k:
		return func(r *Frame) int64 { return r.k }
	case e.Var.Const != nil:
		values := make([]int64, len(e.Var.Const))
		for j, v := range e.Var.Const {
			values[j] = fit(e.Var.Type, int64(v.Bits))
		}
		at := c.element(e.Var, e.Element, array{0, len(values)}, e.Pos)
		return func(r *Frame) int64 {
			if i := at(r); i >= 0 {
				return values[i]
			}
			return 0
		}
	}
	a := c.arrays[e.Var]
	if e.Element == nil {
		return func(r *Frame) int64 { return r.ints[a.base] }
	}
	at := c.element(e.Var, e.Element, a, e.Pos)
	return func(r *Frame) int64 {
		if i := at(r); i >= 0 {
			return r.ints[i]
		}
		return 0
	}
}

// element compiles the place of an element of a variable in a frame. It is -1, after an error, outside of the array.
func (c *compiler) element(v *clc.Var, e clc.Expr, a array, pos clc.Pos) func(*Frame) int {
	index, name := c.whole(e), v.Name
	return func(r *Frame) int {
		i := index(r)
		if uint64(i) >= uint64(a.length) {
			r.fail(pos, "element %d of %s, which has %d", i, name, a.length)
			return -1
		}
		return a.base + int(i)
	}
}

func (c *compiler) tableWhole(e *clc.Table) whole {
	t, ok := c.data.Tables[e.Name]
	if !ok {
		c.fail(e.Pos, "there is no table d.%s", e.Name)
	}
	index, values, pos, name := c.whole(e.Index), t.Uint, e.Pos, e.Name
	return func(r *Frame) int64 {
		i := index(r)
		if uint64(i) >= uint64(len(values)) {
			r.fail(pos, "element %d of table d.%s, which has %d", i, name, len(values))
			return 0
		}
		return int64(values[i])
	}
}

func (c *compiler) unaryWhole(e *clc.Unary) whole {
	if e.Op == '!' {
		if e.X.Of().Floating() {
			x := c.real(e.X)
			return func(r *Frame) int64 { return truth(x(r) == 0) }
		}
		x := c.whole(e.X)
		return func(r *Frame) int64 { return truth(x(r) == 0) }
	}
	x, t := c.whole(e.X), e.X.Of()
	if e.Op == '~' {
		return func(r *Frame) int64 { return fit(t, ^x(r)) }
	}
	return func(r *Frame) int64 { return fit(t, -x(r)) }
}

// truthOf compiles a condition: whether an expression of any type is not 0.
func (c *compiler) truthOf(e clc.Expr) func(*Frame) bool {
	if e.Of().Floating() {
		x := c.real(e)
		return func(r *Frame) bool { return x(r) != 0 }
	}
	x := c.whole(e)
	return func(r *Frame) bool { return x(r) != 0 }
}

func (c *compiler) binaryWhole(e *clc.Binary) whole {
	t := e.X.Of()
	switch e.Op {
	case "&&":
		x, y := c.truthOf(e.X), c.truthOf(e.Y)
		return func(r *Frame) int64 { return truth(x(r) && y(r)) }
	case "||":
		x, y := c.truthOf(e.X), c.truthOf(e.Y)
		return func(r *Frame) int64 { return truth(x(r) || y(r)) }
	case "==", "!=", "<", "<=", ">", ">=":
		if t.Floating() {
			return compareReals(e.Op, c.real(e.X), c.real(e.Y))
		}
		return compareWhole(e.Op, t, c.whole(e.X), c.whole(e.Y))
	}
	x, y := c.whole(e.X), c.whole(e.Y)
	switch {
	case e.Op == "/" || e.Op == "%":
		return c.division(e, x, y)
	case t == clc.UInt && e.Op == "+": // the most frequent ones
		return func(r *Frame) int64 { return int64(uint32(x(r) + y(r))) }
	case t == clc.UInt && e.Op == "*":
		return func(r *Frame) int64 { return int64(uint32(x(r) * y(r))) }
	case t == clc.Int && e.Op == "+":
		return func(r *Frame) int64 { return int64(int32(x(r) + y(r))) }
	}
	op, ok := operators[e.Op]
	if !ok {
		c.fail(e.Pos, "the operator %s of integers", e.Op)
	}
	return func(r *Frame) int64 { return fit(t, op(t, x(r), y(r))) }
}

func (c *compiler) division(e *clc.Binary, x, y whole) whole {
	op, t, pos := divide, e.X.Of(), e.Pos
	if e.Op == "%" {
		op = modulo
	}
	return func(r *Frame) int64 {
		over := y(r)
		if over == 0 {
			r.fail(pos, "division of an integer by 0")
			return 0
		}
		return fit(t, op(t, x(r), over))
	}
}

func compareReals(op string, x, y real) whole {
	switch op {
	case "==":
		return func(r *Frame) int64 { return truth(x(r) == y(r)) }
	case "!=":
		return func(r *Frame) int64 { return truth(x(r) != y(r)) }
	case "<":
		return func(r *Frame) int64 { return truth(x(r) < y(r)) }
	case "<=":
		return func(r *Frame) int64 { return truth(x(r) <= y(r)) }
	case ">":
		return func(r *Frame) int64 { return truth(x(r) > y(r)) }
	}
	return func(r *Frame) int64 { return truth(x(r) >= y(r)) }
}

func compareWhole(op string, t clc.Type, x, y whole) whole {
	switch op {
	case "==":
		return func(r *Frame) int64 { return truth(x(r) == y(r)) }
	case "!=":
		return func(r *Frame) int64 { return truth(x(r) != y(r)) }
	case "<":
		return func(r *Frame) int64 { return truth(smaller(t, x(r), y(r))) }
	case "<=":
		return func(r *Frame) int64 { return truth(!smaller(t, y(r), x(r))) }
	case ">":
		return func(r *Frame) int64 { return truth(smaller(t, y(r), x(r))) }
	}
	return func(r *Frame) int64 { return truth(!smaller(t, x(r), y(r))) }
}

func (c *compiler) castWhole(e *clc.Cast) whole {
	to := e.To
	if !e.X.Of().Floating() {
		x := c.whole(e.X)
		return func(r *Frame) int64 { return fit(to, x(r)) }
	}
	x, pos := c.real(e.X), e.Pos
	if to == clc.Bool {
		return func(r *Frame) int64 { return truth(x(r) != 0) }
	}
	lo, hi := float64(least(to)), math.Ldexp(1, int(width(to)))
	if !to.Unsigned() {
		hi /= 2
	}
	return func(r *Frame) int64 {
		v := math.Trunc(x(r))
		switch {
		case !(v >= lo && v < hi):
			r.fail(pos, "%v is no integer of %d bits", v, width(to))
			return 0
		case v >= 1<<63:
			return int64(uint64(v))
		}
		return int64(v)
	}
}

func (c *compiler) callWhole(e *clc.Call) whole {
	var t clc.Type // of the arguments
	if len(e.Args) > 0 {
		t = e.Args[0].Of()
	}
	to := e.Type
	switch f := clc.Functions[e.Function]; {
	case f.Args != len(e.Args) || f.Args == 0:
	case f.Kind == clc.Tests && f.Args == 1:
		if test := c.test(e.Function, t); test != nil {
			x := c.real(e.Args[0])
			return func(r *Frame) int64 { return truth(test(x(r))) }
		}
	case f.Kind == clc.Tests && f.Args == 2:
		if test := tests2[e.Function]; test != nil {
			x, y := c.real(e.Args[0]), c.real(e.Args[1])
			return func(r *Frame) int64 { return truth(test(x(r), y(r))) }
		}
	case f.Kind == clc.Choices:
		x, y, cond := c.whole(e.Args[0]), c.whole(e.Args[1]), c.whole(e.Args[2])
		return func(r *Frame) int64 { return choose(x(r), y(r), cond(r)) }
	case f.Kind == clc.Integers && f.Args == 1:
		if op := integers1[e.Function]; op != nil {
			x := c.whole(e.Args[0])
			return func(r *Frame) int64 { return fit(to, op(t, x(r))) }
		}
	case f.Kind == clc.Integers && f.Args == 2:
		if op := integers2[e.Function]; op != nil {
			x, y := c.whole(e.Args[0]), c.whole(e.Args[1])
			return func(r *Frame) int64 { return fit(to, op(t, x(r), y(r))) }
		}
	case f.Kind == clc.Integers && f.Args == 3:
		if op := integers3[e.Function]; op != nil {
			x, y, z := c.whole(e.Args[0]), c.whole(e.Args[1]), c.whole(e.Args[2])
			return func(r *Frame) int64 { return fit(to, op(t, x(r), y(r), z(r))) }
		}
	}
	c.fail(e.Pos, "the function %s", e.Function)
	return func(*Frame) int64 { return 0 }
}

// test returns a test of a number of a type, or nil.
func (c *compiler) test(name string, t clc.Type) func(x float64) bool {
	if name != "isnormal" {
		return tests1[name]
	}
	if c.single(t) {
		return normal(0x1p-126)
	}
	return normal(0x1p-1022)
}

// choose is select of OpenCL C: both values are computed.
func choose[T int64 | float64](x, y T, cond int64) T {
	if cond != 0 {
		return y
	}
	return x
}
