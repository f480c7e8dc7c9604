package host

import (
	"github.com/clopt/clopt/internal/clc"
)

// real compiles an expression of a floating type.
func (c *compiler) real(e clc.Expr) real {
	switch e := e.(type) {
	case *clc.Number:
		v := e.Value
		if c.single(e.Type) {
			v = float64(float32(v))
		}
		return func(*Frame) float64 { return v }
	case *clc.Use:
		return c.useReal(e)
	case *clc.Point:
		index, pos := c.whole(e.Index), e.Pos
		return func(r *Frame) float64 { return r.point(index(r), pos) }
	case *clc.Along:
		index := c.whole(e.Index)
		return func(r *Frame) float64 { return r.along(index(r)) }
	case *clc.Table:
		return c.tableReal(e)
	case *clc.Unary:
		x := c.real(e.X)
		if e.Op == '-' {
			return func(r *Frame) float64 { return -x(r) }
		}
	case *clc.Binary:
		return c.binaryReal(e)
	case *clc.Choice:
		cond, yes, no := c.truthOf(e.Cond), c.real(e.Then), c.real(e.Else)
		return func(r *Frame) float64 {
			if cond(r) {
				return yes(r)
			}
			return no(r)
		}
	case *clc.Cast:
		return c.castReal(e)
	case *clc.Call:
		return c.callReal(e)
	}
	c.fail(e.At(), "%T of the type %d", e, e.Of())
	return func(*Frame) float64 { return 0 }
}

func (c *compiler) useReal(e *clc.Use) real {
	if e.Var.Const != nil {
		values := make([]float64, len(e.Var.Const))
		for j, v := range e.Var.Const {
			values[j] = v.Value
			if c.single(e.Var.Type) {
				values[j] = float64(float32(v.Value))
			}
		}
		at := c.element(e.Var, e.Element, array{0, len(values)}, e.Pos)
		return func(r *Frame) float64 {
			if i := at(r); i >= 0 {
				return values[i]
			}
			return 0
		}
	}
	a := c.arrays[e.Var]
	if e.Element == nil {
		return func(r *Frame) float64 { return r.reals[a.base] }
	}
	at := c.element(e.Var, e.Element, a, e.Pos)
	return func(r *Frame) float64 {
		if i := at(r); i >= 0 {
			return r.reals[i]
		}
		return 0
	}
}

func (c *compiler) tableReal(e *clc.Table) real {
	t, ok := c.data.Tables[e.Name]
	if !ok {
		c.fail(e.Pos, "there is no table d.%s", e.Name)
	}
	index, values, pos, name, single := c.whole(e.Index), t.Real, e.Pos, e.Name, c.single(e.Type)
	return func(r *Frame) float64 {
		i := index(r)
		switch {
		case uint64(i) >= uint64(len(values)):
			r.fail(pos, "element %d of table d.%s, which has %d", i, name, len(values))
			return 0
		case single:
			return float64(float32(values[i]))
		}
		return values[i]
	}
}

// rounded rounds the results of f to float32 where the type is that.
func (c *compiler) rounded(t clc.Type, f real) real {
	if !c.single(t) {
		return f
	}
	return func(r *Frame) float64 { return float64(float32(f(r))) }
}

// binaryReal compiles an operator. The result of one operator in float64, rounded to float32, is that in float32. No
// two operators are fused.
func (c *compiler) binaryReal(e *clc.Binary) real {
	x, y := c.real(e.X), c.real(e.Y)
	if c.data.Operators {
		return c.rounded(e.Type, c.eitherWay(e.Op, x, y))
	}
	switch e.Op {
	case "+":
		return c.rounded(e.Type, func(r *Frame) float64 { return x(r) + y(r) })
	case "-":
		return c.rounded(e.Type, func(r *Frame) float64 { return x(r) - y(r) })
	case "*":
		return c.rounded(e.Type, func(r *Frame) float64 { return x(r) * y(r) })
	case "/":
		over := func(r *Frame) float64 { return x(r) / y(r) }
		if c.single(e.Type) { // a device may be off
			over = c.blurred(e.Type, over)
		}
		return c.rounded(e.Type, over)
	}
	c.fail(e.Pos, "the operator %s of floating point numbers", e.Op)
	return x
}

func (c *compiler) castReal(e *clc.Cast) real {
	from := e.X.Of()
	if from.Floating() {
		x := c.real(e.X)
		if c.single(from) {
			return x
		}
		return c.rounded(e.To, x)
	}
	x := c.whole(e.X)
	switch single := c.single(e.To); {
	case single && from == clc.ULong:
		return func(r *Frame) float64 { return float64(float32(uint64(x(r)))) }
	case single:
		return func(r *Frame) float64 { return float64(float32(x(r))) }
	case from == clc.ULong:
		return func(r *Frame) float64 { return float64(uint64(x(r))) }
	}
	return func(r *Frame) float64 { return float64(x(r)) }
}

func (c *compiler) callReal(e *clc.Call) real {
	if f := clc.Functions[e.Function]; f.Args == len(e.Args) && f.Args > 0 {
		if call := c.function(e, f); call != nil && exact[e.Function] {
			if c.data.Operators {
				call = c.eitherWayCall(e, call)
			}
			return c.rounded(e.Type, call)
		} else if call != nil {
			return c.rounded(e.Type, c.blurred(e.Type, call))
		}
	}
	c.fail(e.Pos, "the function %s", e.Function)
	return func(*Frame) float64 { return 0 }
}

// function compiles a function that the host has, or returns nil.
func (c *compiler) function(e *clc.Call, f clc.Function) real {
	x, form := c.real(e.Args[0]), flagOf(c.single(e.Type))
	switch f.Kind {
	case clc.Powers:
		op, n := powers[e.Function], c.whole(e.Args[1])
		return when(op != nil, func(r *Frame) float64 { return op(x(r), n(r)) })
	case clc.Choices:
		y, cond := c.real(e.Args[1]), c.whole(e.Args[2])
		return func(r *Frame) float64 { return choose(x(r), y(r), cond(r)) }
	case clc.Reals:
	default:
		return nil
	}
	switch f.Args {
	case 1:
		op := functions1[e.Function]
		if op == nil {
			op = functionsOne[e.Function][form]
		}
		return when(op != nil, func(r *Frame) float64 { return op(x(r)) })
	case 2:
		op, y := functions2[e.Function], c.real(e.Args[1])
		if op == nil {
			op = functionsTwo[e.Function][form]
		}
		return when(op != nil, func(r *Frame) float64 { return op(x(r), y(r)) })
	}
	op, y, z := functions3[e.Function], c.real(e.Args[1]), c.real(e.Args[2])
	return when(op != nil, func(r *Frame) float64 { return op(x(r), y(r), z(r)) })
}

func flagOf(b bool) int { return int(truth(b)) }

func when(has bool, f real) real {
	if has {
		return f
	}
	return nil
}
