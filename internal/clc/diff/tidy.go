package diff

import (
	"maps"

	"github.com/clopt/clopt/internal/clc"
)

// live returns a list without statements that change nothing: of what is put, of out, and of the variables that live
// has, which are those that are read afterwards. It also returns the variables whose values before the list matter.
func live(list []clc.Stmt, after set) ([]clc.Stmt, set) {
	now := maps.Clone(after)
	var out []clc.Stmt // in reverse
	over := overwritten{}
	for i := len(list) - 1; i >= 0; i-- {
		switch s := list[i].(type) {
		case *clc.Assign:
			if !now[s.To] {
				continue
			}
			if s.Element == nil {
				delete(now, s.To)
			}
			now.add(s)
			if over.set(s) {
				delete(now, s.To)
				delete(over, s.To)
			}
			out = append(out, s)
		case *clc.Put:
			now.add(s)
			over.pass(s)
			out = append(out, s)
		case *clc.If:
			then, before := live(s.Then, now)
			other, also := live(s.Else, now)
			if len(then)+len(other) == 0 {
				continue
			}
			maps.Copy(before, also)
			now = before
			c := &clc.If{Cond: s.Cond, Then: then, Else: other, Pos: s.Pos}
			if len(then) == 0 {
				c.Cond, c.Then, c.Else = not(s.Cond), other, nil
			}
			now.add(c)
			over.pass(c)
			out = append(out, c)
		case *clc.Loop:
			l, before := liveLoop(s, now)
			if l == nil {
				continue
			}
			now = before
			over.pass(l)
			if v := written(s, list[:i]); v != nil {
				delete(now, v)
			}
			out = append(out, l)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, now
}

// overwritten has the elements of arrays that the statements after one at hand set, at indices that are numbers, before
// they read them.
type overwritten map[*clc.Var]map[uint64]bool

// pass goes back over a statement that may read arrays.
func (o overwritten) pass(s clc.Stmt) {
	read := set{}
	statements([]clc.Stmt{s}, func(s clc.Stmt) { read.add(s) })
	for v := range read {
		delete(o, v)
	}
}

// set goes back over an assignment, and reports whether all elements of its array have been set.
func (o overwritten) set(a *clc.Assign) bool {
	if n, ok := element(a.Element); ok {
		if o[a.To] == nil {
			o[a.To] = map[uint64]bool{}
		}
		o[a.To][n] = true
	}
	for _, e := range parts(a) {
		each(e, func(x clc.Expr) {
			u, ok := x.(*clc.Use)
			if !ok || o[u.Var] == nil {
				return
			}
			if n, ok := element(u.Element); ok {
				delete(o[u.Var], n)
			} else {
				delete(o, u.Var)
			}
		})
	}
	return a.To.Len > 0 && len(o[a.To]) == a.To.Len
}

// element returns an index that is a number.
func element(e clc.Expr) (uint64, bool) {
	if e == nil {
		return 0, false
	}
	n, ok := bare(e).(*clc.Number)
	if !ok {
		return 0, false
	}
	return n.Bits, true
}

func liveLoop(s *clc.Loop, after set) (*clc.Loop, set) {
	head := maps.Clone(after)
	head.add(s)
	for {
		post, before := live(s.Post, head)
		body, before := live(s.Body, before)
		next := maps.Clone(head)
		maps.Copy(next, before)
		if len(next) > len(head) {
			head = next
			continue
		}
		puts := false
		statements(body, func(s clc.Stmt) {
			_, put := s.(*clc.Put)
			puts = puts || put
		})
		for v := range assigned(body) {
			puts = puts || after[v]
		}
		for v := range assigned(post) {
			puts = puts || after[v]
		}
		if !puts {
			return nil, nil
		}
		return &clc.Loop{Cond: s.Cond, Body: body, Post: post, Pos: s.Pos}, head
	}
}

// add adds the variables that the expressions of a statement read.
func (s set) add(of clc.Stmt) {
	for _, e := range parts(of) {
		each(e, func(x clc.Expr) {
			if u, ok := x.(*clc.Use); ok {
				s[u.Var] = true
			}
		})
	}
}

// not is a condition that holds where another one does not.
func not(c clc.Expr) clc.Expr {
	if b, ok := c.(*clc.Binary); ok && !b.X.Of().Floating() {
		if op := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[b.Op]; op != "" {
			return test(op, b.X, b.Y)
		}
	}
	if u, ok := c.(*clc.Unary); ok && u.Op == '!' && u.X.Of() == clc.Int {
		return u.X
	}
	return &clc.Unary{Op: '!', X: c, Pos: c.At()}
}

// written returns the array of which a loop sets all elements, without reading one; nil if it does not.
func written(l *clc.Loop, before []clc.Stmt) *clc.Var {
	c := counted(l, before)
	if c == nil || c.start == nil || c.start.Bits != 0 || c.by.Bits != 1 || c.down || len(c.flags) > 0 {
		return nil
	}
	b, ok := c.cond.(*clc.Binary)
	if !ok || b.Op != "<" && b.Op != "!=" {
		return nil
	}
	u, ok := bare(b.X).(*clc.Use)
	n, known := bare(b.Y).(*clc.Number)
	if !ok || !known || u.Var != c.v {
		return nil
	}
	for _, s := range c.body {
		a, ok := s.(*clc.Assign)
		if !ok || a.To.Len == 0 || uint64(a.To.Len) > n.Bits {
			continue
		}
		if e, ok := bare(a.Element).(*clc.Use); !ok || e.Var != c.v {
			continue
		}
		read := set{}
		statements([]clc.Stmt{l}, func(s clc.Stmt) { read.add(s) })
		if !read[a.To] {
			return a.To
		}
	}
	return nil
}

// zeros rewrites a list with what is known of variables that are 0. zero has those that are 0 before the list, and
// becomes those that are 0 after it.
func zeros(list []clc.Stmt, zero set) (out []clc.Stmt) {
	simple := func(e clc.Expr) clc.Expr { return rewritten(e, func(e clc.Expr) clc.Expr { return folded(e, zero) }) }
	for _, s := range list {
		switch s := s.(type) {
		case *clc.Assign:
			a := *s
			a.Value = simple(s.Value)
			if s.Element == nil {
				delete(zero, s.To)
				if s.To.Type.Floating() && is(a.Value, 0) {
					zero[s.To] = true
				}
			} else if u, ok := a.Value.(*clc.Use); ok && clc.Same(u, place(s)) {
				continue
			}
			out = append(out, &a)
		case *clc.Put:
			if v := simple(s.Value); !is(v, 0) {
				out = append(out, &clc.Put{Index: s.Index, Value: v, Pos: s.Pos})
			}
		case *clc.If:
			cond := simple(s.Cond)
			other := maps.Clone(zero)
			then := zeros(s.Then, zero)
			otherwise := zeros(s.Else, other)
			zero.keep(other)
			out = append(out, &clc.If{Cond: cond, Then: then, Else: otherwise, Pos: s.Pos})
		case *clc.Loop:
			for {
				end := maps.Clone(zero)
				zeros(s.Body, end)
				zeros(s.Post, end)
				n := len(zero)
				zero.keep(end)
				if len(zero) == n {
					break
				}
			}
			cond := rewritten(s.Cond, func(e clc.Expr) clc.Expr { return folded(e, zero) })
			end := maps.Clone(zero)
			body := zeros(s.Body, end)
			out = append(out, &clc.Loop{Cond: cond, Body: body, Post: zeros(s.Post, end), Pos: s.Pos})
		default:
			out = append(out, s)
		}
	}
	return out
}

// keep removes what another set does not have.
func (s set) keep(other set) { maps.DeleteFunc(s, func(v *clc.Var, _ bool) bool { return !other[v] }) }

// folded is an expression in which some variables are 0. An adjoint of 0 counts as 0 in every product.
func folded(e clc.Expr, zero set) clc.Expr {
	switch x := e.(type) {
	case *clc.Use:
		if x.Element == nil && zero[x.Var] && x.Var.Type.Floating() {
			return number(0, x)
		}
	case *clc.Unary:
		if x.Op == '-' && is(x.X, 0) && x.Of().Floating() {
			return x.X
		}
	case *clc.Binary:
		if !x.Type.Floating() {
			return e
		}
		switch {
		case x.Op == "+" && is(x.X, 0), x.Op == "*" && is(x.Y, 0):
			return x.Y
		case x.Op == "+" && is(x.Y, 0), x.Op == "-" && is(x.Y, 0), x.Op == "*" && is(x.X, 0), x.Op == "/" && is(x.X, 0):
			return x.X
		case x.Op == "-" && is(x.X, 0):
			return neg(x.Y)
		}
	case *clc.Choice:
		if is(x.Then, 0) && is(x.Else, 0) && x.Of().Floating() {
			return x.Then
		}
	}
	return e
}

// joined puts the values of variables that are set once, and read once soon after, where they are read.
func joined(list []clc.Stmt, all []clc.Stmt) []clc.Stmt {
	sets, used := map[*clc.Var]int{}, map[*clc.Var]int{}
	statements(all, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			sets[a.To]++
		}
		for _, e := range parts(s) {
			each(e, func(x clc.Expr) {
				if u, ok := x.(*clc.Use); ok {
					used[u.Var]++
				}
			})
		}
	})
	j := joiner{sets, used}
	return j.list(list)
}

// joiner counts the statements that set a variable, and the places that read it.
type joiner struct{ sets, used map[*clc.Var]int }

func (j *joiner) list(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: j.list(x.Then), Else: j.list(x.Else), Pos: x.Pos}
		case *clc.Loop:
			s = &clc.Loop{Cond: x.Cond, Body: j.list(x.Body), Post: j.list(x.Post), Pos: x.Pos}
		}
		for again := true; again; {
			again = false
			for at := len(out) - 1; at >= max(0, len(out)-longest); at-- {
				a, ok := out[at].(*clc.Assign)
				if !ok || !j.joins(a, out[at+1:], s) {
					continue
				}
				s = replaced(s, a)
				out = append(out[:at:at], out[at+1:]...)
				again = true
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// longest is how many statements may stand between where a variable is set and where it is read, and how many nodes an
// expression may get.
const longest = 24

// joins reports whether the value of a statement may stand where the last statement reads it, after those between.
func (j *joiner) joins(a *clc.Assign, between []clc.Stmt, last clc.Stmt) bool {
	if a.Element != nil || j.sets[a.To] != 1 || j.used[a.To] != 1 || a.To.Type == clc.Void {
		return false
	}
	if _, loop := last.(*clc.Loop); loop {
		return false
	}
	nodes, found := 0, false
	for _, e := range parts(last) {
		each(e, func(clc.Expr) { nodes++ })
		found = found || reads(e, set{a.To: true})
	}
	each(a.Value, func(clc.Expr) { nodes++ })
	if !found || nodes > longest {
		return false
	}
	change := assigned(between)
	return !reads(a.Value, change)
}

// replaced is a statement with the value of an assignment in place of its variable.
func replaced(s clc.Stmt, a *clc.Assign) clc.Stmt {
	of := func(e clc.Expr) clc.Expr {
		return rewritten(e, func(e clc.Expr) clc.Expr {
			if u, ok := e.(*clc.Use); ok && u.Var == a.To {
				return a.Value
			}
			return e
		})
	}
	switch x := s.(type) {
	case *clc.Assign:
		c := *x
		c.Value = of(x.Value)
		if x.Element != nil {
			c.Element = of(x.Element)
		}
		return &c
	case *clc.Put:
		return &clc.Put{Index: of(x.Index), Value: of(x.Value), Pos: x.Pos}
	case *clc.If:
		return &clc.If{Cond: of(x.Cond), Then: x.Then, Else: x.Else, Pos: x.Pos}
	}
	return s
}
