package smooth

import (
	"strings"

	"github.com/clopt/clopt/internal/clc"
)

// Functions by what they do at some arguments. All others are smooth where they have values.
var (
	kinks = words(`fabs fdim fmax fmin max min clamp maxmag minmag bound_above bound_below`)
	steps = words(`floor ceil round rint trunc fract modf fmod remainder sign step copysign nextafter logb`)
	// noValues are tests for values that are no numbers, at which a function has no value anyway.
	noValues = words(`isfinite isinf isnan isnormal`)
)

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(text) {
		all[w] = true
	}
	return all
}

// kink notes a kink.
func (f *follower) kink(word string, at clc.Pos) {
	if f.quiet == 0 {
		f.found.Kinks = append(f.found.Kinks, Cause{word, at})
	}
}

// step notes a step.
func (f *follower) step(word string, at clc.Pos) {
	if f.quiet == 0 {
		f.found.Steps = append(f.found.Steps, Cause{word, at})
	}
}

// index looks at an index.
func (f *follower) index(e clc.Expr) {
	if e != nil && f.degree(e) > Constant {
		f.step("an index", e.At())
	}
}

// degree returns the degree of an expression, and notes its kinks and steps.
func (f *follower) degree(e clc.Expr) int {
	switch e := e.(type) {
	case *clc.Use:
		f.index(e.Element)
		return f.variable(e.Var)
	case *clc.Point:
		f.index(e.Index)
		return Linear
	case *clc.Table:
		f.index(e.Index)
	case *clc.Unary:
		if e.Op == '-' {
			return f.degree(e.X)
		}
		return f.test(e)
	case *clc.Binary:
		return f.binary(e)
	case *clc.Choice:
		return f.choice(e, e.Cond, e.Then, e.Else)
	case *clc.Cast:
		degree := f.degree(e.X)
		if degree > Constant && e.X.Of().Floating() && !e.To.Floating() {
			f.step("a cast to "+e.To.String(), e.Pos)
		}
		return degree
	case *clc.Call:
		return f.call(e)
	}
	return Constant
}

func (f *follower) variable(v *clc.Var) int {
	if v == f.tree.In {
		return f.in
	}
	return f.now[v]
}

// test returns the degree of a comparison or a logical operator that is used as a number.
func (f *follower) test(e clc.Expr) int {
	if f.condition(e) {
		f.step("a comparison that is a number", e.At())
		return Other
	}
	return Constant
}

// condition reports whether a condition depends on the point. What it is made of has no kinks or steps of its own.
func (f *follower) condition(e clc.Expr) bool {
	f.quiet++
	defer func() { f.quiet-- }()
	return f.depends(e)
}

func (f *follower) depends(e clc.Expr) bool {
	switch e := e.(type) {
	case *clc.Unary:
		return f.depends(e.X)
	case *clc.Binary:
		a, b := f.depends(e.X), f.depends(e.Y)
		return a || b
	case *clc.Call:
		if noValues[e.Function] {
			return false
		}
	}
	return f.degree(e) > Constant
}

func (f *follower) binary(e *clc.Binary) int {
	switch e.Op {
	case "&&", "||", "==", "!=", "<", "<=", ">", ">=":
		return f.test(e)
	}
	a, b := f.degree(e.X), f.degree(e.Y)
	switch {
	case e.Op == "*":
		return min(a+b, Other)
	case e.Op == "+" || e.Op == "-" || e.Op == "/" && b == Constant:
		return max(a, b)
	case a > Constant || b > Constant:
		return Other
	}
	return Constant
}

// choice returns the degree of cond ? then : other, an expression.
func (f *follower) choice(e clc.Expr, cond, then, other clc.Expr) int {
	depends := f.condition(cond)
	a, b := f.degree(then), f.degree(other)
	if !depends {
		return max(a, b)
	}
	to := &clc.Var{Name: "chosen", Type: e.Of()}
	switch f.meet(e, cond, &sides{[]clc.Stmt{&clc.Assign{To: to, Value: then}},
		[]clc.Stmt{&clc.Assign{To: to, Value: other}}}) {
	case apart:
		f.step("a choice that jumps", cond.At())
	case bent:
		f.kink("a choice", cond.At())
		f.bendsAt(e, cond, then, other)
	}
	return Other
}

// exponent returns the exponent of a power that is an integer from 1 on, 0 if it is none.
func exponent(e *clc.Call) int {
	if e.Function == "sq" {
		return 2
	}
	if n, ok := e.Args[len(e.Args)-1].(*clc.Number); ok && len(e.Args) == 2 {
		v := float64(int64(n.Bits))
		switch e.Function {
		case "pow", "powr":
			v = n.Value
		case "pown":
		default:
			return 0
		}
		if v >= 1 && v <= 100 && v == float64(int(v)) {
			return int(v)
		}
	}
	return 0
}

func (f *follower) call(e *clc.Call) int {
	if e.Function == "select" || e.Function == "iselect" {
		return f.choice(e, e.Args[2], e.Args[1], e.Args[0])
	}
	args := make([]int, len(e.Args))
	most := Constant
	for i, a := range e.Args {
		args[i] = f.degree(a)
		most = max(most, args[i])
	}
	if most == Constant {
		return Constant
	}
	if n := exponent(e); n > 0 {
		return power(args[0], n)
	}
	switch name := e.Function; {
	case kinks[name]:
		f.bend(e)
	case steps[name], name == "ldexp" && args[1] > Constant:
		f.step(name, e.Pos)
	case clc.Functions[name].Kind == clc.Tests && !noValues[name]:
		f.step("a comparison that is a number", e.Pos)
	case name == "fma" || name == "mad":
		return min(max(args[0]+args[1], args[2]), Other)
	case name == "mix":
		return min(max(args[0], args[1])+args[2], Other)
	case name == "degrees" || name == "radians":
		return args[0]
	}
	return Other
}

// bend tries the borders of a function with kinks.
func (f *follower) bend(e *clc.Call) {
	compare := func(a, b clc.Expr) clc.Expr { return &clc.Binary{Op: "<", X: a, Y: b, Type: clc.Int, Pos: e.Pos} }
	zero := &clc.Number{Type: e.Args[0].Of(), Pos: e.Pos}
	borders := []clc.Expr{}
	switch e.Function {
	case "fabs":
		borders = append(borders, compare(e.Args[0], zero))
	case "clamp":
		borders = append(borders, compare(e.Args[0], e.Args[1]), compare(e.Args[0], e.Args[2]))
	case "maxmag", "minmag":
		f.kink(e.Function, e.Pos)
		return
	default:
		borders = append(borders, compare(e.Args[0], e.Args[1]))
	}
	for i, cond := range borders {
		if f.meet([2]any{e, i}, cond, nil) != even {
			f.kink(e.Function, e.Pos)
			f.bends[e] = bend{}
			return
		}
	}
}
