package clc

import "slices"

// walk calls do for each statement of a list and those in them, and on for each expression that stands in them.
func walk(list []Stmt, do func(Stmt), on func(Expr)) {
	each := func(e Expr) {
		if e != nil && on != nil {
			visit(e, on)
		}
	}
	for _, s := range list {
		if do != nil {
			do(s)
		}
		switch s := s.(type) {
		case *Assign:
			each(s.Element)
			each(s.Value)
		case *Put:
			each(s.Index)
			each(s.Value)
		case *If:
			each(s.Cond)
			walk(s.Then, do, on)
			walk(s.Else, do, on)
		case *Loop:
			each(s.Cond)
			walk(s.Body, do, on)
			walk(s.Post, do, on)
		case *Block:
			walk(s.Body, do, on)
		}
	}
}

// Walk calls do for each statement of a list and those in them, and on for each expression in them, operands after
// what they are operands of. Both may be nil.
func Walk(list []Stmt, do func(Stmt), on func(Expr)) { walk(list, do, on) }

// Operands are the expressions that an expression is made of.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Use:
		if e.Element != nil {
			return []Expr{e.Element}
		}
	case *Point:
		return []Expr{e.Index}
	case *Along:
		return []Expr{e.Index}
	case *Table:
		return []Expr{e.Index}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Choice:
		return []Expr{e.Cond, e.Then, e.Else}
	case *Cast:
		return []Expr{e.X}
	case *Call:
		return e.Args
	}
	return nil
}

// visit calls do for an expression and for those that it is made of.
func visit(e Expr, do func(Expr)) {
	do(e)
	for _, x := range Operands(e) {
		visit(x, do)
	}
}

// size counts the nodes of an expression, up to most.
func size(e Expr, most int) int {
	n := 1
	for _, x := range Operands(e) {
		if n >= most {
			return n
		}
		n += size(x, most-n)
	}
	return n
}

// count counts the statements and expressions of a list, up to a few more than maxNodes.
func count(list []Stmt) (n int) {
	of := func(all ...Expr) {
		for _, e := range all {
			if e != nil && n <= maxNodes {
				n += size(e, maxNodes-n+1)
			}
		}
	}
	for _, s := range list {
		if n > maxNodes {
			return n
		}
		n++
		switch s := s.(type) {
		case *Assign:
			of(s.Element, s.Value)
		case *Put:
			of(s.Index, s.Value)
		case *If:
			of(s.Cond)
			n += count(s.Then) + count(s.Else)
		case *Loop:
			of(s.Cond)
			n += count(s.Body) + count(s.Post)
		case *Block:
			n += count(s.Body)
		}
	}
	return n
}

// used returns the variables that stand in a list.
func used(vars []*Var, list []Stmt) []*Var {
	found := map[*Var]bool{}
	walk(list, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			found[a.To] = true
		}
	}, func(e Expr) {
		if u, ok := e.(*Use); ok {
			found[u.Var] = true
		}
	})
	return slices.DeleteFunc(vars, func(v *Var) bool { return !found[v] })
}

// Same reports whether two expressions are written the same way, so that they have the same value where their variables
// have.
func Same(a, b Expr) bool {
	switch a := a.(type) {
	case *Number:
		b, ok := b.(*Number)
		return ok && a.Type == b.Type && a.Bits == b.Bits && a.Value == b.Value
	case *Use:
		b, ok := b.(*Use)
		return ok && a.Var == b.Var && SamePlace(a.Element, b.Element)
	case *Point:
		b, ok := b.(*Point)
		return ok && Same(a.Index, b.Index)
	case *Table:
		b, ok := b.(*Table)
		return ok && a.Name == b.Name && Same(a.Index, b.Index)
	case *Symbol:
		b, ok := b.(*Symbol)
		return ok && a.Name == b.Name
	case *Unary:
		b, ok := b.(*Unary)
		return ok && a.Op == b.Op && Same(a.X, b.X)
	case *Binary:
		b, ok := b.(*Binary)
		return ok && a.Op == b.Op && a.Type == b.Type && Same(a.X, b.X) && Same(a.Y, b.Y)
	case *Choice:
		b, ok := b.(*Choice)
		return ok && Same(a.Cond, b.Cond) && Same(a.Then, b.Then) && Same(a.Else, b.Else)
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.To == b.To && Same(a.X, b.X)
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Function == b.Function && a.Type == b.Type && slices.EqualFunc(a.Args, b.Args, Same)
	}
	return false
}

// SamePlace reports whether two elements of an array are the same one, or both are nil, as of a scalar.
func SamePlace(a, b Expr) bool { return a == nil && b == nil || a != nil && b != nil && Same(a, b) }
