package diff

import "github.com/clopt/clopt/internal/clc"

// each calls f for an expression and all that it is made of.
func each(e clc.Expr, f func(clc.Expr)) {
	f(e)
	for _, x := range clc.Operands(e) {
		each(x, f)
	}
}

// contains reports whether f holds for an expression or one that it is made of.
func contains(e clc.Expr, f func(clc.Expr) bool) (found bool) {
	each(e, func(x clc.Expr) { found = found || f(x) })
	return found
}

// rewritten returns an expression in which f took the place of the expressions it is made of, and then of itself. f
// returns what it is given where nothing changes.
func rewritten(e clc.Expr, f func(clc.Expr) clc.Expr) clc.Expr {
	of := func(x clc.Expr) clc.Expr { return rewritten(x, f) }
	switch x := e.(type) {
	case *clc.Use:
		if x.Element != nil {
			c := *x
			c.Element = of(x.Element)
			e = &c
		}
	case *clc.Point:
		e = &clc.Point{Index: of(x.Index), Pos: x.Pos}
	case *clc.Along:
		e = &clc.Along{Index: of(x.Index), Pos: x.Pos}
	case *clc.Table:
		c := *x
		c.Index = of(x.Index)
		e = &c
	case *clc.Unary:
		e = &clc.Unary{Op: x.Op, X: of(x.X), Pos: x.Pos}
	case *clc.Binary:
		e = &clc.Binary{Op: x.Op, X: of(x.X), Y: of(x.Y), Type: x.Type, Pos: x.Pos}
	case *clc.Choice:
		e = &clc.Choice{Cond: of(x.Cond), Then: of(x.Then), Else: of(x.Else), Pos: x.Pos}
	case *clc.Cast:
		e = &clc.Cast{To: x.To, X: of(x.X), Pos: x.Pos}
	case *clc.Call:
		c := *x
		c.Args = make([]clc.Expr, len(x.Args))
		for i, a := range x.Args {
			c.Args[i] = of(a)
		}
		e = &c
	}
	return f(e)
}

// parts returns the expressions of a statement alone, without the statements in it.
func parts(s clc.Stmt) (all []clc.Expr) {
	switch s := s.(type) {
	case *clc.Assign:
		if s.Element != nil {
			all = append(all, s.Element)
		}
		return append(all, s.Value)
	case *clc.If:
		return []clc.Expr{s.Cond}
	case *clc.Loop:
		return []clc.Expr{s.Cond}
	case *clc.Put:
		return []clc.Expr{s.Index, s.Value}
	}
	return nil
}

// inside returns the lists of statements in a statement.
func inside(s clc.Stmt) [][]clc.Stmt {
	switch s := s.(type) {
	case *clc.If:
		return [][]clc.Stmt{s.Then, s.Else}
	case *clc.Loop:
		return [][]clc.Stmt{s.Body, s.Post}
	case *clc.Block:
		return [][]clc.Stmt{s.Body}
	}
	return nil
}

// statements calls f for all statements of a list, and for those in them.
func statements(list []clc.Stmt, f func(clc.Stmt)) { clc.Walk(list, f, nil) }

// set is a set of variables.
type set map[*clc.Var]bool

// assigned returns the variables that a list of statements changes.
func assigned(list []clc.Stmt) set {
	all := set{}
	statements(list, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			all[a.To] = true
		}
	})
	return all
}

// reads reports whether an expression uses one of some variables.
func reads(e clc.Expr, of set) bool {
	return contains(e, func(x clc.Expr) bool {
		u, ok := x.(*clc.Use)
		return ok && of[u.Var]
	})
}
