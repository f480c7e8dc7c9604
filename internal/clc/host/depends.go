package host

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// depends finds what in a tree depends on the point: variables that are set to a value that does, or in a part of the
// tree of which the point decides whether it is run. The latter does not count for variables that stand in such a part
// only, as the counter of a loop does: where they are used, they have the values that they have for any point.
type depends struct {
	vars    map[*clc.Var]bool
	left    map[*clc.Block]bool // the point decides whether it is run to its end
	depth   map[*clc.Block]int  // regions around what is in it
	all     map[*clc.Var]int    // how often a variable stands in the tree
	changed bool
}

// region is how often variables stand in a part of a tree of which the point decides whether it is run, and in the
// assignments right before it.
type region map[*clc.Var]int

func dependsOf(t *clc.Tree) *depends {
	d := &depends{vars: map[*clc.Var]bool{t.Out: true}, left: map[*clc.Block]bool{},
		depth: map[*clc.Block]int{}, all: regionOf(nil, t.Body)}
	if t.In != nil {
		d.vars[t.In] = true
	}
	for d.changed = true; d.changed; {
		d.changed = false
		d.list(t.Body, nil)
	}
	return d
}

// list looks at statements that stand in the regions in.
func (d *depends) list(body []clc.Stmt, in []region) {
	for j, s := range body {
		within := func(parts ...[]clc.Stmt) []region { return append(slices.Clone(in), regionOf(body[:j], parts...)) }
		switch s := s.(type) {
		case *clc.Assign:
			set := d.on(s.Value) || s.Element != nil && d.on(s.Element)
			for _, r := range in {
				set = set || r[s.To] < d.all[s.To]
			}
			if set {
				mark(d, d.vars, s.To)
			}
		case *clc.If:
			yes, no := in, in
			if d.on(s.Cond) {
				yes, no = within(s.Then), within(s.Else)
			}
			d.list(s.Then, yes)
			d.list(s.Else, no)
		case *clc.Loop:
			inner := in
			if d.on(s.Cond) { // nothing from before it has the same value in all rounds
				inner = append(slices.Clone(in), regionOf(nil, s.Body, s.Post))
			}
			d.list(s.Body, inner)
			d.list(s.Post, inner)
		case *clc.Block:
			inner := in
			if d.left[s] {
				inner = within(s.Body)
			}
			d.depth[s] = len(inner)
			d.list(s.Body, inner)
		case *clc.Leave:
			if len(in) > d.depth[s.Block] {
				mark(d, d.left, s.Block)
			}
		}
	}
}

func mark[K comparable](d *depends, set map[K]bool, key K) {
	d.changed = d.changed || !set[key]
	set[key] = true
}

// on reports whether the value of an expression depends on the point.
func (d *depends) on(e clc.Expr) (found bool) {
	each(e, func(e clc.Expr) {
		switch e := e.(type) {
		case *clc.Point:
			found = true
		case *clc.Use:
			found = found || d.vars[e.Var]
		}
	})
	return found
}

// regionOf counts the variables in parts of a tree, and in the assignments at the end of before.
func regionOf(before []clc.Stmt, parts ...[]clc.Stmt) region {
	r := region{}
	for _, s := range slices.Backward(before) {
		if a, ok := s.(*clc.Assign); !ok || a.Element != nil {
			break
		}
		r.add([]clc.Stmt{s})
	}
	for _, body := range parts {
		r.add(body)
	}
	return r
}

func (r region) add(body []clc.Stmt) {
	for _, s := range body {
		if a, ok := s.(*clc.Assign); ok {
			r[a.To]++
		}
		eachOf(s, func(e clc.Expr) {
			if u, ok := e.(*clc.Use); ok {
				r[u.Var]++
			}
		}, r.add)
	}
}

// eachOf calls do with every expression that stands in a statement itself, and list with the lists below it.
func eachOf(s clc.Stmt, do func(clc.Expr), list func([]clc.Stmt)) {
	switch s := s.(type) {
	case *clc.Assign:
		if s.Element != nil {
			each(s.Element, do)
		}
		each(s.Value, do)
	case *clc.If:
		each(s.Cond, do)
		list(s.Then)
		list(s.Else)
	case *clc.Loop:
		each(s.Cond, do)
		list(s.Body)
		list(s.Post)
	case *clc.Block:
		list(s.Body)
	}
}

// each calls do with an expression and all below it.
func each(e clc.Expr, do func(clc.Expr)) {
	do(e)
	for _, part := range clc.Operands(e) {
		each(part, do)
	}
}
