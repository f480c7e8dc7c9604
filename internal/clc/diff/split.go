package diff

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// split prepares statements for derivatives: every value that a derivative needs gets a variable of its own, which is
// set just before, and a choice between active expressions becomes an if. The values of all other variables stay what
// they were.
type split struct {
	names  names
	active activity
	// of has the expressions of the variables that stand for parts of one expression. Derivatives go through them.
	of map[*clc.Var]clc.Expr
	// results are the variables that hold the value of a call or a quotient.
	results map[clc.Expr]clc.Expr
	out     []clc.Stmt
	held    []*clc.Assign // that set parts, and hold still
}

// list splits the statements of a list.
func (p *split) list(list []clc.Stmt) []clc.Stmt {
	before, held := p.out, p.held
	p.out = nil
	p.held = slices.Clone(held)
	for _, s := range list {
		p.statement(s)
		p.forget(assigned([]clc.Stmt{s}))
	}
	out := p.out
	p.out, p.held = before, held
	return out
}

func (p *split) statement(s clc.Stmt) {
	switch s := s.(type) {
	case *clc.Assign:
		if c, ok := s.Value.(*clc.Choice); ok && p.active.vars[s.To] && p.active.of(c) {
			branch := func(x clc.Expr) []clc.Stmt {
				return []clc.Stmt{&clc.Assign{To: s.To, Element: s.Element, Value: x, Pos: s.Pos}}
			}
			p.statement(&clc.If{Cond: c.Cond, Then: branch(c.Then), Else: branch(c.Else), Pos: s.Pos})
			return
		}
		a := *s
		if s.Element != nil {
			a.Element = p.index(s.Element)
		}
		if p.active.vars[s.To] && p.active.of(s.Value) {
			a.Value = p.root(&a)
		}
		p.out = append(p.out, &a)
	case *clc.If:
		then, other := p.list(s.Then), p.list(s.Else)
		change := assigned(then)
		for v := range assigned(other) {
			change[v] = true
		}
		p.out = append(p.out, &clc.If{Cond: p.cond(s.Cond, change), Then: then, Else: other, Pos: s.Pos})
	case *clc.Loop:
		p.forget(assigned([]clc.Stmt{s}))
		p.out = append(p.out, &clc.Loop{Cond: s.Cond, Body: p.list(s.Body), Post: p.list(s.Post), Pos: s.Pos})
	default:
		p.out = append(p.out, s)
	}
}

// root splits the value of an assignment. The value of a call or a quotient is where it is assigned to, if it does not
// depend on what was there.
func (p *split) root(a *clc.Assign) clc.Expr {
	if reads(a.Value, set{a.To: true}) {
		return p.expr(a.Value)
	}
	return p.operation(a.Value, place(a))
}

// cond returns a condition that can be computed again after the statements that change some variables.
func (p *split) cond(c clc.Expr, change set) clc.Expr {
	if !costly(c) && !reads(c, change) {
		return c
	}
	v := p.names.new("c", clc.Int, 0, c.At())
	p.out = append(p.out, &clc.Assign{To: v, Value: truth(c), Pos: c.At()})
	return use(v)
}

// truth returns a condition as an Int.
func truth(c clc.Expr) clc.Expr {
	if c.Of() == clc.Int {
		return c
	}
	return test("!=", c, number(0, c))
}

// index returns the index of an element or of a variable, cheap enough to be computed again.
func (p *split) index(e clc.Expr) clc.Expr {
	if !costly(e) {
		return e
	}
	return p.hold("i", e)
}

// costly reports whether an expression reads memory or calls functions.
func costly(e clc.Expr) bool {
	return contains(e, func(x clc.Expr) bool {
		switch x.(type) {
		case *clc.Point, *clc.Table, *clc.Call:
			return true
		}
		return false
	})
}

// hold sets a new variable to an expression, unless there is one that has its value.
func (p *split) hold(name string, e clc.Expr) clc.Expr {
	for _, a := range p.held {
		if clc.Same(a.Value, e) {
			return use(a.To)
		}
	}
	v := p.names.new(name, e.Of(), 0, e.At())
	a := &clc.Assign{To: v, Value: e, Pos: e.At()}
	p.out = append(p.out, a)
	p.held = append(p.held, a)
	return use(v)
}

// forget removes the parts that depend on variables which change.
func (p *split) forget(change set) {
	p.held = slices.DeleteFunc(p.held, func(a *clc.Assign) bool { return reads(a.Value, change) })
}

// atom returns a number or a scalar that has the value of an expression.
func (p *split) atom(e clc.Expr) clc.Expr {
	if atomic(e) {
		return e
	}
	name := "t"
	if _, ok := e.(*clc.Point); ok {
		name = "x"
	}
	if !p.active.of(e) {
		return p.hold(name, e)
	}
	e = p.expr(e)
	u, ok := e.(*clc.Use)
	if ok && p.of[u.Var] != nil {
		return e
	}
	held := p.hold(name, e)
	p.part(held, e)
	return held
}

// expr splits an active expression, and returns one of the same value.
func (p *split) expr(e clc.Expr) clc.Expr { return p.operation(e, nil) }

// operation splits an active expression whose value will be at a place, unless that is nil.
func (p *split) operation(e clc.Expr, at *clc.Use) clc.Expr {
	if !p.active.of(e) {
		return e
	}
	switch e := e.(type) {
	case *clc.Point:
		return &clc.Point{Index: p.index(e.Index), Pos: e.Pos}
	case *clc.Use:
		if e.Element != nil {
			return &clc.Use{Var: e.Var, Element: p.index(e.Element), Pos: e.Pos}
		}
		return e
	case *clc.Unary:
		return &clc.Unary{Op: e.Op, X: p.expr(e.X), Pos: e.Pos}
	case *clc.Cast:
		return &clc.Cast{To: e.To, X: p.expr(e.X), Pos: e.Pos}
	case *clc.Choice:
		return p.choice(e)
	case *clc.Binary:
		return p.binary(e, at)
	case *clc.Call:
		return p.call(e, at)
	}
	return e
}

// choice makes an if of a choice.
func (p *split) choice(e *clc.Choice) clc.Expr {
	v := p.names.new("t", e.Of(), 0, e.Pos)
	p.active.vars[v] = true
	branch := func(x clc.Expr) clc.Stmt { return &clc.Assign{To: v, Value: x, Pos: x.At()} }
	p.statement(&clc.If{Cond: e.Cond, Then: []clc.Stmt{branch(e.Then)}, Else: []clc.Stmt{branch(e.Else)}, Pos: e.Pos})
	return use(v)
}

func (p *split) binary(e *clc.Binary, at *clc.Use) clc.Expr {
	c := *e
	x, y := p.active.of(e.X), p.active.of(e.Y)
	switch {
	case e.Op == "*" && x && y:
		c.X, c.Y = p.atom(e.X), p.atom(e.Y)
	case e.Op == "*" && x:
		c.X, c.Y = p.expr(e.X), p.atom(e.Y)
	case e.Op == "*":
		c.X, c.Y = p.atom(e.X), p.expr(e.Y)
	case e.Op == "/" && y:
		c.X, c.Y = p.expr(e.X), p.atom(e.Y)
		return p.value(&c, at)
	case e.Op == "/":
		c.X, c.Y = p.expr(e.X), p.atom(e.Y)
	default:
		c.X, c.Y = p.expr(e.X), p.expr(e.Y)
	}
	return &c
}

func (p *split) call(e *clc.Call, at *clc.Use) clc.Expr {
	c := *e
	c.Args = make([]clc.Expr, len(e.Args))
	for i, a := range e.Args {
		c.Args[i] = p.atom(a)
	}
	if rules[e.Function].result {
		return p.value(&c, at)
	}
	return &c
}

// value gives an expression a place for its value.
func (p *split) value(e clc.Expr, at *clc.Use) clc.Expr {
	if at != nil {
		p.results[e] = at
		return e
	}
	v := p.hold("t", e)
	p.part(v, e)
	p.results[e] = v
	return v
}

// part notes that a variable stands for an active part of an expression.
func (p *split) part(held, e clc.Expr) {
	v := held.(*clc.Use).Var
	p.of[v] = e
	p.active.vars[v] = true
}
