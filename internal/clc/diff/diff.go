// Package diff makes derivatives of functions that are given as trees.
//
// Adjoint is reverse mode: the gradient of a weighted sum of the results, at a few times the cost of the results
// (Griewank and Walther 2008, Evaluating Derivatives, doi:10.1137/1.9780898717761). Tangent is forward mode: the
// derivatives of all results along one direction. Both are those of the branch that is taken, by the same rules:
//
//   - functions that are constant between jumps, comparisons and conversions to integers have the derivative 0;
//   - fabs has 0 at 0, and where the arguments of fmin, fmax and their like are equal, the first one is taken;
//   - a derivative that is infinite or NaN counts as 0 where it is multiplied by 0.
//
// A function with a loop that could end after any number of iterations has no adjoint.
//
// Files, each after those it needs: walk.go, build.go, partials.go (the rules), jumps.go, arrays.go (a text without
// jumps, and without arrays where scalars do), active.go, split.go, range.go, tape.go, loops.go, once.go, reverse.go,
// tidy.go, gather.go, tangent.go, component.go, grouped.go, diff.go.
package diff

import (
	"fmt"

	"github.com/clopt/clopt/internal/clc"
)

// Sizes returns the value of a symbol such as DIM or d.NAME_len, if it is known.
type Sizes func(symbol string) (value uint64, known bool)

// Unknown is the error of a function that has no adjoint, and says where the reason is.
type Unknown struct {
	Pos    clc.Pos
	Reason string
}

// Error returns "FILE:LINE:COL: REASON".
func (u *Unknown) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", u.Pos.File, u.Pos.Line, u.Pos.Col, u.Reason)
}

// Adjoint returns the function NAME_adjoint(k, x, d, w, out) of a function NAME: In is w, which has a weight for each
// element of Out, and the function puts the derivatives of the sum of w[j]·Out[j] by the variables of the objective.
// Arrays that are Global are the tape, values that the iterations of loops need. The error is an *Unknown.
func Adjoint(t *clc.Tree, sizes Sizes) (*clc.Tree, error) {
	p, body, err := prepared(t)
	if err != nil {
		return nil, err
	}
	weights := p.names.new("w", clc.Real, max(1, t.Out.Len), t.Out.Pos)
	*p.names.made = (*p.names.made)[:len(*p.names.made)-1] // an argument
	r := &reverse{split: p.split, out: t.Out, weights: weights, adjoint: map[*clc.Var]*clc.Var{}, inputs: set{},
		text: p.text, skip: set{}, limits: map[*clc.Var]uint64{}, sizes: sizes}
	for _, v := range p.text {
		r.inputs[v] = true
	}
	r.study(body)
	r.infinities(body)
	forward, backward := r.list(body)
	if r.err != nil {
		return nil, r.err
	}
	all := append(forward, r.cleared()...)
	all = append(all, backward...)
	all = merged(all)
	for range 2 {
		all = zeros(all, set{})
		all, _ = live(all, set{})
	}
	all = r.gathered(all)
	all = joined(all, all)
	return p.tree(t, "_adjoint", all, nil, weights), nil
}

// cleared sets all adjoints to 0.
func (r *reverse) cleared() (out []clc.Stmt) {
	for _, b := range r.order {
		if b.Len == 0 {
			out = append(out, assign(use(b), number(0, use(b))))
			continue
		}
		out = append(out, r.elements(b.Len, b.Pos, func(e clc.Expr) clc.Stmt {
			at := &clc.Use{Var: b, Element: e, Pos: b.Pos}
			return assign(at, number(0, at))
		})...)
	}
	return out
}

// preparation is a function that is ready for derivatives.
type preparation struct {
	*split
	text []*clc.Var // variables of the function, without those that its parts have
}

// prepared returns the statements of a function without jumps, split.
func prepared(t *clc.Tree) (*preparation, []clc.Stmt, error) {
	if t.Out == nil || t.In != nil {
		return nil, nil, &Unknown{t.K.Pos, t.Name + " has no derivatives by x"}
	}
	n := newNames(t)
	j := jumps{n, map[*clc.Block]*clc.Var{}}
	body := j.list(t.Body, nil)
	a := arrays{names: n, vars: append(append([]*clc.Var{}, t.Vars...), *n.made...), out: t.Out}
	body = a.list(body)
	*n.made = nil
	body = live1(body, t.Out)
	p := &split{names: n, active: activityOf(body, t.Out), of: map[*clc.Var]clc.Expr{},
		results: map[clc.Expr]clc.Expr{}}
	return &preparation{p, a.vars}, p.list(body), nil
}

// live1 returns a list without statements that results do not depend on.
func live1(list []clc.Stmt, out *clc.Var) []clc.Stmt {
	list, _ = live(list, set{out: true})
	return list
}

// tree makes a tree of statements, with the variables that they use.
func (p *preparation) tree(t *clc.Tree, suffix string, body []clc.Stmt, out, in *clc.Var) *clc.Tree {
	made := &clc.Tree{Name: t.Name + suffix, K: t.K, Out: out, In: in, Body: body}
	used := assigned(body)
	statements(body, func(s clc.Stmt) {
		used.add(s)
		made.Nodes++
		for _, e := range parts(s) {
			each(e, func(clc.Expr) { made.Nodes++ })
		}
	})
	for _, v := range append(append([]*clc.Var{}, p.text...), *p.names.made...) {
		if used[v] {
			made.Vars = append(made.Vars, v)
		}
	}
	return made
}
