package diff

import "github.com/clopt/clopt/internal/clc"

// activity says which variables of a function depend on x so that results depend on them. An expression is active if it
// has derivatives by x other than 0.
type activity struct{ vars set }

// activityOf finds the active variables of a function without jumps.
func activityOf(body []clc.Stmt, out *clc.Var) activity {
	varying := activity{set{}}
	useful := set{out: true}
	for changed := true; changed; {
		changed = false
		statements(body, func(s clc.Stmt) {
			a, ok := s.(*clc.Assign)
			if !ok || !a.To.Type.Floating() || varying.vars[a.To] || !varying.of(a.Value) {
				return
			}
			varying.vars[a.To] = true
			changed = true
		})
	}
	for changed := true; changed; {
		changed = false
		statements(body, func(s clc.Stmt) {
			a, ok := s.(*clc.Assign)
			if !ok || !useful[a.To] {
				return
			}
			varying.leaves(a.Value, func(u *clc.Use) {
				changed = changed || !useful[u.Var]
				useful[u.Var] = true
			})
		})
	}
	active := activity{set{}}
	for v := range varying.vars {
		if useful[v] {
			active.vars[v] = true
		}
	}
	return active
}

// smooth returns the operands by which an expression has derivatives, if they depend on x.
func smoothOperands(e clc.Expr) []clc.Expr {
	if !e.Of().Floating() {
		return nil
	}
	switch e := e.(type) {
	case *clc.Unary:
		return []clc.Expr{e.X}
	case *clc.Binary:
		return []clc.Expr{e.X, e.Y}
	case *clc.Choice:
		return []clc.Expr{e.Then, e.Else}
	case *clc.Cast:
		return []clc.Expr{e.X}
	case *clc.Call:
		if rules[e.Function].by == nil {
			return nil
		}
		return e.Args
	}
	return nil
}

// of reports whether an expression is active.
func (a activity) of(e clc.Expr) bool {
	switch x := e.(type) {
	case *clc.Point:
		return true
	case *clc.Use:
		return a.vars[x.Var]
	}
	for _, x := range smoothOperands(e) {
		if a.of(x) {
			return true
		}
	}
	return false
}

// leaves calls f for the active variables by which an expression has derivatives.
func (a activity) leaves(e clc.Expr, f func(*clc.Use)) {
	if u, ok := e.(*clc.Use); ok && a.vars[u.Var] {
		f(u)
	}
	for _, x := range smoothOperands(e) {
		a.leaves(x, f)
	}
}
