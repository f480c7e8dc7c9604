package clc

import (
	"regexp"
	"strings"
)

var (
	// opaqueCalls matches functions that no tree calls.
	opaqueCalls = regexp.MustCompile(`^(?:as_|native_|half_|atomic_|atom_|vload|vstore|convert_)`)
	// own are the types of the functions of the prelude, which have no others.
	own = map[string]Type{"sq": Real, "cos_2pi": Real, "sin_2pi": Real, "bound_above": Real, "bound_below": Real,
		"root": Float}
)

// builtin reads the arguments of a function of the language or of the prelude, and returns its value.
func (p *parser) builtin(name string, pos Pos) value {
	switch name {
	case "R":
		p.expect("(")
		v := p.expression()
		p.expect(")")
		return value{typ: v.typ, expr: p.numberOf(v, pos)}
	case "at":
		return p.variableOf(p.arguments(), pos)
	}
	if to, ok := types[strings.TrimPrefix(name, "convert_")]; ok && strings.HasPrefix(name, "convert_") {
		args := p.arguments()
		if len(args) != 1 {
			p.failAt(pos, "calls %s with %d values", name, len(args))
		}
		return value{typ: ctype{base: to}, expr: p.explicit(p.numberOf(args[0], pos), to, pos)}
	}
	if opaqueCalls.MatchString(name) {
		p.failAt(pos, "uses %s", name)
	}
	args := p.arguments()
	switch name {
	case "sincos", "fract", "modf":
		return p.twoResults(name, args, pos)
	}
	all := make([]Expr, len(args))
	for i, a := range args {
		all[i] = p.numberOf(a, pos)
	}
	e := p.functionOf(name, all, pos)
	return value{typ: ctype{base: e.Of()}, expr: e}
}

// variableOf returns at(x, i).
func (p *parser) variableOf(args []value, pos Pos) value {
	if len(args) != 2 || args[0].typ.handle != point || args[0].typ.pointer {
		p.failAt(pos, "calls at with other values than x and a number")
	}
	return value{typ: ctype{base: Real}, expr: &Point{Index: cast(p.numberOf(args[1], pos), UInt), Pos: pos}}
}

// joined is the type of floating point numbers in which all arguments meet, Void if all are integers.
func joined(args []Expr) (t Type) {
	for _, e := range args {
		if e.Of().Floating() {
			t = max(t, e.Of())
		}
	}
	return t
}

// functionOf returns a call of a function of the language.
func (p *parser) functionOf(name string, args []Expr, pos Pos) Expr {
	t := joined(args)
	f, known := Functions[name]
	if g, ok := Functions["i"+name]; ok && t == Void && (g.Kind == Integers || g.Kind == Choices) {
		name, f, known = "i"+name, g, true
	}
	switch {
	case !known || f.Kind == Integers && !strings.HasPrefix(name, "i"), name == "iselect" && t != Void:
		p.failAt(pos, "uses %s", name)
	case len(args) != f.Args:
		p.failAt(pos, "calls %s with %d values", name, len(args))
	}
	if f.Kind == Integers || name == "iselect" {
		return p.ofIntegers(name, args, pos)
	}
	if o, ok := own[name]; ok {
		t = o
	}
	if t == Void {
		p.failAt(pos, "calls %s with integers", name)
	}
	c := &Call{Function: name, Type: t, Args: args, Pos: pos}
	for i, e := range args {
		switch {
		case f.Kind == Powers && i == 1:
			if e.Of().Floating() {
				p.failAt(pos, "calls %s with a second value that is no integer", name)
			}
			args[i] = cast(e, Int)
		case f.Kind == Choices && i == 2:
			if e.Of().Floating() {
				p.failAt(pos, "calls %s with a third value that is no integer", name)
			}
		default:
			args[i] = cast(e, t)
		}
	}
	if f.Kind == Tests {
		c.Type = Int
	}
	return c
}

// ofIntegers returns a call of a function of integers.
func (p *parser) ofIntegers(name string, args []Expr, pos Pos) Expr {
	t, same := args[0].Of(), true
	for i, e := range args {
		if name == "iselect" && i == 2 {
			break
		}
		same = same && e.Of() == t
	}
	if t == Bool || !same {
		for _, e := range args {
			t = common(t, e.Of())
		}
	}
	c := &Call{Function: name, Type: t, Args: args, Pos: pos}
	for i := range args {
		if name != "iselect" || i < 2 {
			args[i] = cast(args[i], t)
		}
	}
	if u, ok := unsignedOf[t]; ok && (name == "iabs" || name == "iabs_diff") {
		c.Type = u
	}
	return c
}

// twoResults returns the first result of a function with a second one, which it stores.
func (p *parser) twoResults(name string, args []value, pos Pos) value {
	if len(args) != 2 || !args[1].typ.pointer || args[1].place == nil {
		p.failAt(pos, "calls %s with other values than a number and a pointer", name)
	}
	x := p.numberOf(args[0], pos)
	to := args[1].typ.element()
	if !to.scalar() || !to.base.Floating() {
		p.failAt(pos, "calls %s with a pointer to what is no real number", name)
	}
	t := to.base
	kept := p.variable("v", t, 0, pos)
	p.emit(&Assign{To: kept, Value: cast(x, t), Pos: pos})
	first, second := name, map[string]string{"sincos": "cos", "fract": "floor", "modf": "trunc"}[name]
	if name == "sincos" {
		first = "sin"
	}
	call := func(f string) Expr {
		return &Call{Function: f, Type: t, Args: []Expr{&Use{Var: kept, Pos: pos}}, Pos: pos}
	}
	p.store(args[1].place, call(second), pos)
	return value{typ: ctype{base: t}, expr: call(first)}
}
