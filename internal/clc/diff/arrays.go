package diff

import (
	"fmt"

	"github.com/clopt/clopt/internal/clc"
)

// arrays rewrites a function so that its results are only added to, and arrays of which every index is a number are
// scalars.
type arrays struct {
	names names
	vars  []*clc.Var // of the function
	out   *clc.Var
}

func (a *arrays) list(body []clc.Stmt) []clc.Stmt {
	body = a.results(body)
	body = a.scalars(body)
	body = added(body, a.out)
	return body
}

// results gives a function that reads its results, or sets one more than once, an array in their place.
func (a *arrays) results(body []clc.Stmt) []clc.Stmt {
	sets := map[uint64]int{}
	free := true
	var walk func(list []clc.Stmt, loop bool)
	walk = func(list []clc.Stmt, loop bool) {
		for _, s := range list {
			read := set{}
			x, ok := s.(*clc.Assign)
			switch {
			case !ok || x.To != a.out:
				read.add(s)
			default:
				rest, _ := increment(x)
				e, constant := bare(x.Element).(*clc.Number)
				switch {
				case rest != nil:
					read.add(&clc.Put{Index: x.Element, Value: rest})
				case constant && !loop:
					sets[e.Bits]++
					fallthrough
				default:
					read.add(s)
					free = free && constant && !loop && sets[e.Bits] == 1
				}
			}
			free = free && !read[a.out]
			for _, in := range inside(s) {
				_, again := s.(*clc.Loop)
				walk(in, loop || again)
			}
		}
	}
	walk(body, false)
	if free {
		return body
	}
	own := a.names.new(a.out.Name+"_own", clc.Real, max(1, a.out.Len), a.out.Pos)
	a.vars = append(a.vars, own)
	var begin, end []clc.Stmt
	for i := range own.Len {
		e := &clc.Number{Type: clc.UInt, Bits: uint64(i), Pos: a.out.Pos}
		to := &clc.Use{Var: own, Element: e, Pos: a.out.Pos}
		begin = append(begin, assign(to, number(0, to)))
		out := &clc.Use{Var: a.out, Element: e, Pos: a.out.Pos}
		end = append(end, assign(out, binary("+", out, to)))
	}
	return append(append(begin, changed(body, func(u *clc.Use) *clc.Use {
		if u.Var == a.out {
			return &clc.Use{Var: own, Element: u.Element, Pos: u.Pos}
		}
		return u
	})...), end...)
}

// added makes what sets a result add to it, since results begin with 0.
func added(list []clc.Stmt, out *clc.Var) []clc.Stmt {
	return mapped(list, func(s *clc.Assign) *clc.Assign {
		if rest, _ := increment(s); s.To != out || rest != nil {
			return s
		}
		c := *s
		c.Value = binary("+", place(s), s.Value)
		return &c
	})
}

// scalars makes scalars of the elements of arrays whose indices are all numbers.
func (a *arrays) scalars(body []clc.Stmt) []clc.Stmt {
	whole := map[*clc.Var]bool{}
	look := func(u *clc.Use) *clc.Use {
		if n, ok := bare(u.Element).(*clc.Number); u.Element != nil && (!ok || n.Bits >= uint64(u.Var.Len)) {
			whole[u.Var] = true
		}
		return u
	}
	changed(body, look)
	of := map[*clc.Var][]*clc.Var{}
	var vars []*clc.Var
	for _, v := range a.vars {
		if v.Len == 0 || v.Const != nil || whole[v] || v.Len > mostScalars {
			vars = append(vars, v)
			continue
		}
		for i := range v.Len {
			of[v] = append(of[v], a.names.new(fmt.Sprintf("%s_%d", v.Name, i), v.Type, 0, v.Pos))
		}
		vars = append(vars, of[v]...)
	}
	a.vars = vars
	return changed(body, func(u *clc.Use) *clc.Use {
		if all := of[u.Var]; all != nil {
			return &clc.Use{Var: all[bare(u.Element).(*clc.Number).Bits], Pos: u.Pos}
		}
		return u
	})
}

// mostScalars is the largest array that becomes scalars.
const mostScalars = 64

// changed rewrites all places that are read or set.
func changed(list []clc.Stmt, f func(*clc.Use) *clc.Use) []clc.Stmt {
	of := func(e clc.Expr) clc.Expr {
		return rewritten(e, func(e clc.Expr) clc.Expr {
			if u, ok := e.(*clc.Use); ok {
				return f(u)
			}
			return e
		})
	}
	out := make([]clc.Stmt, 0, len(list))
	for _, s := range list {
		switch x := s.(type) {
		case *clc.Assign:
			u := f(elementOf(place(x), of))
			s = &clc.Assign{To: u.Var, Element: u.Element, Value: of(x.Value), Pos: x.Pos}
		case *clc.If:
			s = &clc.If{Cond: of(x.Cond), Then: changed(x.Then, f), Else: changed(x.Else, f), Pos: x.Pos}
		case *clc.Loop:
			s = &clc.Loop{Cond: of(x.Cond), Body: changed(x.Body, f), Post: changed(x.Post, f), Pos: x.Pos}
		}
		out = append(out, s)
	}
	return out
}

// elementOf rewrites the element of a place alone.
func elementOf(u *clc.Use, of func(clc.Expr) clc.Expr) *clc.Use {
	if u.Element == nil {
		return u
	}
	return &clc.Use{Var: u.Var, Element: of(u.Element), Pos: u.Pos}
}

// mapped rewrites all assignments.
func mapped(list []clc.Stmt, f func(*clc.Assign) *clc.Assign) []clc.Stmt {
	out := make([]clc.Stmt, 0, len(list))
	for _, s := range list {
		switch x := s.(type) {
		case *clc.Assign:
			s = f(x)
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: mapped(x.Then, f), Else: mapped(x.Else, f), Pos: x.Pos}
		case *clc.Loop:
			s = &clc.Loop{Cond: x.Cond, Body: mapped(x.Body, f), Post: mapped(x.Post, f), Pos: x.Pos}
		}
		out = append(out, s)
	}
	return out
}
