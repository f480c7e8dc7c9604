package diff

import "github.com/clopt/clopt/internal/clc"

// reverse makes two sweeps of a function that was split. The first one computes what the function does, and keeps what
// the second one needs. The second one undoes it, statement by statement from the last one on: before it comes to what
// stands for a statement, all variables that matter have the values that they had after it. It carries adjoints, the
// derivatives of the weighted sum of the results by variables. An adjoint is 0 before its variable is used, and again
// after the statement that sets the variable.
type reverse struct {
	*split
	out, weights *clc.Var
	adjoint      map[*clc.Var]*clc.Var
	order        []*clc.Var // the adjoints as they were made
	inputs       set        // the variables of the text, whose values are kept; others are set once
	text         []*clc.Var // the same, in order
	single       map[*clc.Var]clc.Expr
	counters     map[*clc.Loop]*counter
	once         map[*clc.Var][]*clc.Loop
	skip         set // arrays that hold what the statements at hand would set
	infinite     set // variables that may be infinite
	sizes        Sizes
	limits       map[*clc.Var]uint64 // of the variables that count, in the loops around a statement
	tape         int                 // values that are kept in private memory for all iterations of loops
	err          error
}

// list returns the sweeps of a list of statements.
func (r *reverse) list(list []clc.Stmt) (forward, backward []clc.Stmt) {
	for _, s := range list {
		var f, b []clc.Stmt
		switch s := s.(type) {
		case *clc.Assign:
			f, b = r.assign(s)
		case *clc.If:
			then, thenBack := r.list(s.Then)
			other, otherBack := r.list(s.Else)
			f = []clc.Stmt{&clc.If{Cond: s.Cond, Then: then, Else: other, Pos: s.Pos}}
			b = []clc.Stmt{&clc.If{Cond: s.Cond, Then: thenBack, Else: otherBack, Pos: s.Pos}}
		case *clc.Loop:
			f, b = r.loop(s)
		}
		forward = append(forward, f...)
		backward = append(b, backward...)
	}
	return forward, backward
}

// adjointOf is the adjoint of a place.
func (r *reverse) adjointOf(u *clc.Use) clc.Expr {
	if u.Var == r.out {
		return &clc.Use{Var: r.weights, Element: u.Element, Pos: u.Pos}
	}
	b := r.adjoint[u.Var]
	if b == nil {
		b = r.names.new(u.Var.Name+"_b", u.Var.Type, u.Var.Len, u.Var.Pos)
		r.adjoint[u.Var] = b
		r.order = append(r.order, b)
	}
	return &clc.Use{Var: b, Element: u.Element, Pos: u.Pos}
}

// assign returns the sweeps of an assignment.
func (r *reverse) assign(a *clc.Assign) (forward, backward []clc.Stmt) {
	forward = []clc.Stmt{a}
	if r.of[a.To] != nil {
		return forward, nil // by the expression that it is a part of
	}
	if r.skip[a.To] {
		forward = nil
	}
	keep, restore := r.keep(a)
	forward = append(keep, forward...)
	if !r.active.vars[a.To] && a.To != r.out {
		return forward, restore
	}
	u := place(a)
	of := r.adjointOf(u)
	if rest, minus := increment(a); rest != nil {
		seed := of
		if u.Element != nil {
			seed = r.seed(&backward, of)
		}
		if minus {
			seed = neg(seed)
		}
		r.back(&backward, rest, seed)
		return forward, append(backward, restore...)
	}
	if a.To == r.out {
		r.back(&backward, a.Value, of)
		return forward, backward
	}
	zero := assign(of, number(0, of))
	if self := reads(a.Value, set{a.To: true}); self || u.Element != nil {
		if self {
			backward = restore
			restore = nil
		}
		seed := r.fresh(&backward, of)
		backward = append(backward, zero)
		r.back(&backward, a.Value, seed)
		return forward, append(backward, restore...)
	}
	r.back(&backward, a.Value, of)
	return forward, append(append(backward, zero), restore...)
}

// keep returns statements that keep what an assignment writes over, and that restore it.
func (r *reverse) keep(a *clc.Assign) (keep, restore []clc.Stmt) {
	if !r.inputs[a.To] || a.To == r.out || r.once[a.To] != nil {
		return nil, nil
	}
	u := place(a)
	old := use(r.names.new(a.To.Name+"_0", a.To.Type, 0, a.Pos))
	return []clc.Stmt{assign(old, u)}, []clc.Stmt{assign(u, old)}
}

// increment returns what an assignment adds to, or subtracts from, what it assigns to; nil if it does something else.
func increment(a *clc.Assign) (rest clc.Expr, minus bool) {
	b, ok := a.Value.(*clc.Binary)
	if !ok || b.Op != "+" && b.Op != "-" {
		return nil, false
	}
	u := place(a)
	rest = b.Y
	if !clc.Same(b.X, u) {
		if b.Op == "-" || !clc.Same(b.Y, u) {
			return nil, false
		}
		rest = b.X
	}
	if u.Element == nil && reads(rest, set{a.To: true}) {
		return nil, false
	}
	return rest, b.Op == "-"
}

// fresh returns a new variable that has the value of an expression.
func (r *reverse) fresh(out *[]clc.Stmt, e clc.Expr) clc.Expr {
	v := use(r.names.new("s", e.Of(), 0, e.At()))
	*out = append(*out, assign(v, e))
	return v
}

// seed returns an expression that may be written many times.
func (r *reverse) seed(out *[]clc.Stmt, e clc.Expr) clc.Expr {
	if atomic(e) {
		return e
	}
	if n, ok := e.(*clc.Unary); ok && atomic(n.X) {
		return e
	}
	return r.fresh(out, e)
}

// back adds the derivatives of an active expression by what it depends on, times seed, to adjoints and to the result.
func (r *reverse) back(out *[]clc.Stmt, e, seed clc.Expr) {
	if !r.active.of(e) || is(seed, 0) {
		return
	}
	switch e := e.(type) {
	case *clc.Use:
		if of := r.of[e.Var]; of != nil {
			r.back(out, of, seed)
			return
		}
		b := r.adjointOf(e)
		*out = append(*out, assign(b, add(b, seed)))
	case *clc.Point:
		*out = append(*out, &clc.Put{Index: e.Index, Value: converted(seed, clc.Real), Pos: e.Pos})
	case *clc.Unary:
		r.back(out, e.X, neg(seed))
	case *clc.Cast:
		r.back(out, e.X, converted(seed, e.X.Of()))
	case *clc.Binary:
		r.backBinary(out, e, seed)
	case *clc.Call:
		for i := range e.Args {
			if !r.active.of(e.Args[i]) {
				continue
			}
			seed = r.seed(out, seed)
			r.back(out, e.Args[i], r.product(seed, rules[e.Function].by(i, e.Args, r.results[e]), r.open(e)))
		}
	}
}

func (r *reverse) backBinary(out *[]clc.Stmt, e *clc.Binary, seed clc.Expr) {
	if r.active.of(e.X) && r.active.of(e.Y) {
		seed = r.seed(out, seed)
	}
	switch e.Op {
	case "+":
		r.back(out, e.X, seed)
		r.back(out, e.Y, seed)
	case "-":
		r.back(out, e.X, seed)
		r.back(out, e.Y, neg(seed))
	case "*":
		if clc.Same(e.X, e.Y) {
			r.back(out, e.X, r.product(seed, times(2, e.X), r.open(e.X)))
			return
		}
		r.back(out, e.X, r.factor(out, seed, e.X, e.Y))
		r.back(out, e.Y, r.factor(out, seed, e.Y, e.X))
	case "/":
		if !r.active.of(e.Y) {
			r.back(out, e.X, r.quotient(out, seed, e.Y))
			return
		}
		q := r.seed(out, r.quotient(out, seed, e.Y))
		r.back(out, e.X, q)
		r.back(out, e.Y, neg(r.product(q, r.results[e], r.open(e))))
	}
}

// factor is seed times the other factor of a product, if one is active.
func (r *reverse) factor(out *[]clc.Stmt, seed, one, other clc.Expr) clc.Expr {
	if !r.active.of(one) {
		return number(0, seed)
	}
	open := r.open(other)
	if open {
		seed = r.seed(out, seed)
	}
	return r.product(seed, other, open)
}

// quotient is seed/by, and 0 where seed is.
func (r *reverse) quotient(out *[]clc.Stmt, seed, by clc.Expr) clc.Expr {
	if n, ok := by.(*clc.Number); ok && n.Value != 0 || !r.vanishes(by) {
		return binary("/", seed, by)
	}
	seed = r.seed(out, seed)
	return choose(test("==", seed, number(0, seed)), number(0, seed), binary("/", seed, by))
}

// product is seed·by. Where by may be infinite, it is 0 where seed is.
func (r *reverse) product(seed, by clc.Expr, open bool) clc.Expr {
	p := mul(seed, by)
	if _, number := seed.(*clc.Number); number || !open || plain(by) {
		return p
	}
	return choose(test("==", seed, number(0, seed)), number(0, seed), p)
}

// converted is an expression as a value of a type.
func converted(e clc.Expr, to clc.Type) clc.Expr {
	if e.Of() == to {
		return e
	}
	return &clc.Cast{To: to, X: e, Pos: e.At()}
}

// fail notes the first reason why a function has no adjoint.
func (r *reverse) fail(pos clc.Pos, reason string) {
	if r.err == nil {
		r.err = &Unknown{pos, reason}
	}
}
