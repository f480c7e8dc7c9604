package diff

import "github.com/clopt/clopt/internal/clc"

// Tangent returns the function NAME_tangent(k, x, d, out) of a function NAME: to Out, which has the same elements, it
// adds the derivatives of all results along a direction.
func Tangent(t *clc.Tree) (*clc.Tree, error) {
	p, body, err := prepared(t)
	if err != nil {
		return nil, err
	}
	g := &tangent{&reverse{split: p.split, out: t.Out, inputs: set{}, skip: set{}}, map[*clc.Var]*clc.Var{}}
	g.study(body)
	g.infinities(body)
	all := g.list(body)
	all = zeros(all, set{})
	all, _ = live(all, set{t.Out: true})
	return p.tree(t, "_tangent", joined(all, all), t.Out, nil), nil
}

// tangent follows a function and computes the derivative of each active variable beside it.
type tangent struct {
	*reverse
	along map[*clc.Var]*clc.Var
}

func (g *tangent) list(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.Assign:
			out = append(out, g.assign(x)...)
			continue
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: g.list(x.Then), Else: g.list(x.Else), Pos: x.Pos}
		case *clc.Loop:
			s = &clc.Loop{Cond: x.Cond, Body: g.list(x.Body), Post: g.list(x.Post), Pos: x.Pos}
		}
		out = append(out, s)
	}
	return out
}

// assign returns an assignment and that of the derivative.
func (g *tangent) assign(a *clc.Assign) (out []clc.Stmt) {
	u := place(a)
	if a.To == g.out {
		rest, minus := increment(a)
		by := g.derivative(&out, rest)
		if minus {
			by = neg(by)
		}
		return append(out, assign(u, add(u, by)))
	}
	if !g.active.vars[a.To] {
		return []clc.Stmt{a}
	}
	to := g.alongOf(u)
	if reads(a.Value, set{a.To: true}) {
		by := g.derivative(&out, a.Value)
		return append(out, assign(to, by), a)
	}
	out = append(out, a)
	by := g.derivative(&out, a.Value)
	return append(out, assign(to, by))
}

// alongOf is the derivative of a place.
func (g *tangent) alongOf(u *clc.Use) clc.Expr {
	v := g.along[u.Var]
	if v == nil {
		v = g.names.new(u.Var.Name+"_d", u.Var.Type, u.Var.Len, u.Var.Pos)
		g.along[u.Var] = v
	}
	return &clc.Use{Var: v, Element: u.Element, Pos: u.Pos}
}

// derivative returns the derivative of an expression.
func (g *tangent) derivative(out *[]clc.Stmt, e clc.Expr) clc.Expr {
	if !g.active.of(e) {
		return number(0, e)
	}
	switch e := e.(type) {
	case *clc.Use:
		return g.alongOf(e)
	case *clc.Point:
		return &clc.Along{Index: e.Index, Pos: e.Pos}
	case *clc.Unary:
		return neg(g.derivative(out, e.X))
	case *clc.Cast:
		return converted(g.derivative(out, e.X), e.To)
	case *clc.Binary:
		return g.binary(out, e)
	case *clc.Call:
		sum := number(0, e)
		for i, a := range e.Args {
			if !g.active.of(a) {
				continue
			}
			by := rules[e.Function].by(i, e.Args, g.results[e])
			sum = add(sum, g.product(g.seed(out, g.derivative(out, a)), by, g.open(e)))
		}
		return sum
	}
	return number(0, e)
}

func (g *tangent) binary(out *[]clc.Stmt, e *clc.Binary) clc.Expr {
	x, y := g.derivative(out, e.X), g.derivative(out, e.Y)
	switch e.Op {
	case "+":
		return add(x, y)
	case "-":
		if is(x, 0) {
			return neg(y)
		}
		return sub(x, y)
	case "*":
		left, right := number(0, e), number(0, e)
		if g.active.of(e.X) {
			left = g.product(g.seed(out, x), e.Y, g.open(e.Y))
		}
		if g.active.of(e.Y) {
			right = g.product(g.seed(out, y), e.X, g.open(e.X))
		}
		return add(left, right)
	}
	if !g.active.of(e.Y) {
		return g.quotient(out, x, e.Y)
	}
	rest := g.product(g.seed(out, y), g.results[e], g.open(e))
	if !is(x, 0) {
		rest = sub(x, rest)
	} else {
		rest = neg(rest)
	}
	return g.quotient(out, rest, e.Y)
}
