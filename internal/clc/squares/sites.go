package squares

import "github.com/clopt/clopt/internal/clc"

// site is the place of an assignment in a tree.
type site struct {
	assign *clc.Assign
	list   *clc.Stmt // the first statement of the list that it stands in, which names the list
	at     int       // in the list
	order  int       // among all statements, as they are written
	loops  int       // around it
}

// sites are the assignments and uses of the variables of a tree.
type sites struct {
	of     map[*clc.Var][]site
	uses   map[*clc.Var]int         // all of them
	within map[*clc.Assign]site     // the place of an assignment
	reads  map[*clc.Var][]site      // assignments whose value has the variable
	lists  map[*clc.Stmt][]clc.Stmt // by their first statement
	order  int
}

func sitesOf(t *clc.Tree) *sites {
	s := &sites{of: map[*clc.Var][]site{}, uses: map[*clc.Var]int{}, within: map[*clc.Assign]site{},
		reads: map[*clc.Var][]site{}, lists: map[*clc.Stmt][]clc.Stmt{}}
	clc.Walk(t.Body, nil, func(e clc.Expr) {
		if u, ok := e.(*clc.Use); ok {
			s.uses[u.Var]++
		}
	})
	s.list(t.Body, 0)
	return s
}

func (s *sites) list(body []clc.Stmt, loops int) {
	if len(body) == 0 {
		return
	}
	s.lists[&body[0]] = body
	for i, st := range body {
		s.order++
		switch st := st.(type) {
		case *clc.Assign:
			here := site{st, &body[0], i, s.order, loops}
			s.of[st.To] = append(s.of[st.To], here)
			s.within[st] = here
			read := map[*clc.Var]bool{}
			each(st.Value, func(e clc.Expr) {
				if u, ok := e.(*clc.Use); ok && !read[u.Var] {
					read[u.Var] = true
					s.reads[u.Var] = append(s.reads[u.Var], here)
				}
			})
		case *clc.If:
			s.list(st.Then, loops)
			s.list(st.Else, loops)
		case *clc.Loop:
			s.list(st.Body, loops+1)
			s.list(st.Post, loops+1)
		case *clc.Block:
			s.list(st.Body, loops)
		}
	}
}

// each calls f for an expression and all that it is made of.
func each(e clc.Expr, f func(clc.Expr)) {
	f(e)
	for _, x := range clc.Operands(e) {
		each(x, f)
	}
}

// uses counts the uses of a variable in an expression.
func uses(e clc.Expr, v *clc.Var) (n int) {
	each(e, func(x clc.Expr) {
		if u, ok := x.(*clc.Use); ok && u.Var == v {
			n++
		}
	})
	return n
}

// scalar reports whether a variable is one number of a floating type.
func scalar(v *clc.Var) bool { return v.Len == 0 && v.Const == nil && v.Type.Floating() }

// leavesFrom reports whether a list has a jump to the end of a block that is not in it.
func leavesFrom(list []clc.Stmt) (found bool) {
	inside := map[*clc.Block]bool{}
	clc.Walk(list, func(s clc.Stmt) {
		if b, ok := s.(*clc.Block); ok {
			inside[b] = true
		}
	}, nil)
	clc.Walk(list, func(s clc.Stmt) {
		if l, ok := s.(*clc.Leave); ok && !inside[l.Block] {
			found = true
		}
	}, nil)
	return found
}

// addition is E of an assignment v = v + E, or E + v, in which v stands once; ok is false for another one.
func addition(a *clc.Assign) (rest clc.Expr, ok bool) {
	var split func(e clc.Expr) (clc.Expr, bool)
	split = func(e clc.Expr) (clc.Expr, bool) {
		if u, ok := e.(*clc.Use); ok && u.Var == a.To {
			return nil, clc.SamePlace(u.Element, a.Element)
		}
		b, ok := e.(*clc.Binary)
		if !ok || b.Op != "+" && b.Op != "-" {
			return nil, false
		}
		if uses(b.X, a.To) > 0 {
			left, ok := split(b.X)
			switch {
			case !ok:
				return nil, false
			case left != nil:
				return &clc.Binary{Op: b.Op, X: left, Y: b.Y, Type: b.Type, Pos: b.Pos}, true
			case b.Op == "-":
				return &clc.Unary{Op: '-', X: b.Y, Pos: b.Pos}, true
			}
			return b.Y, true
		}
		right, ok := split(b.Y)
		switch {
		case !ok || b.Op == "-":
			return nil, false
		case right != nil:
			return &clc.Binary{Op: "+", X: b.X, Y: right, Type: b.Type, Pos: b.Pos}, true
		}
		return b.X, true
	}
	if uses(a.Value, a.To) != 1 {
		return nil, false
	}
	rest, ok = split(a.Value)
	return rest, ok && rest != nil
}
