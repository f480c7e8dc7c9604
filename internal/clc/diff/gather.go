package diff

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// merged makes one of neighbouring ifs with the same condition.
func merged(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.If:
			if len(out) > 0 {
				before, ok := out[len(out)-1].(*clc.If)
				if ok && clc.Same(before.Cond, x.Cond) && !reads(x.Cond, assigned([]clc.Stmt{before})) {
					out[len(out)-1] = &clc.If{Cond: x.Cond, Then: slices.Concat(before.Then, x.Then),
						Else: slices.Concat(before.Else, x.Else), Pos: x.Pos}
					continue
				}
			}
		case *clc.Loop:
			s = &clc.Loop{Cond: x.Cond, Body: merged(x.Body), Post: x.Post, Pos: x.Pos}
		}
		out = append(out, s)
	}
	for i, s := range out {
		if x, ok := s.(*clc.If); ok {
			out[i] = &clc.If{Cond: x.Cond, Then: merged(x.Then), Else: merged(x.Else), Pos: x.Pos}
		}
	}
	return out
}

// gathered adds up what a loop puts to one place, and puts it after the loop.
func (r *reverse) gathered(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: r.gathered(x.Then), Else: r.gathered(x.Else), Pos: x.Pos}
		case *clc.Loop:
			body := r.gathered(x.Body)
			g := gatherer{r, assigned(slices.Concat(body, x.Post)), nil, nil}
			body = g.list(body)
			out = append(out, g.before...)
			out = append(out, &clc.Loop{Cond: x.Cond, Body: body, Post: x.Post, Pos: x.Pos})
			out = append(out, g.after...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// gatherer gathers what a loop puts to places that do not change in it.
type gatherer struct {
	*reverse
	change        set
	before, after []clc.Stmt
}

func (g *gatherer) list(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: g.list(x.Then), Else: g.list(x.Else), Pos: x.Pos}
		case *clc.Put:
			if !reads(x.Index, g.change) {
				sum := g.sum(x)
				s = assign(sum, add(sum, x.Value))
			}
		}
		out = append(out, s)
	}
	return out
}

// sum returns the variable that adds up what is put to a place. If nothing was, the place may not exist.
func (g *gatherer) sum(p *clc.Put) clc.Expr {
	for _, s := range g.after {
		if put := s.(*clc.If).Then[0].(*clc.Put); clc.Same(put.Index, p.Index) {
			return put.Value
		}
	}
	sum := use(g.names.new("g", clc.Real, 0, p.Pos))
	zero := number(0, sum)
	g.before = append(g.before, assign(sum, zero))
	g.after = append(g.after, &clc.If{Cond: test("!=", sum, zero),
		Then: []clc.Stmt{&clc.Put{Index: p.Index, Value: sum, Pos: p.Pos}}, Pos: p.Pos})
	return sum
}
