package squares

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// at is the place of the first assignment of a variable.
func (f *finder) at(v *clc.Var) clc.Pos {
	if s := f.of[v]; len(s) > 0 {
		return s[0].assign.Pos
	}
	return v.Pos
}

// variable returns the terms of the value of a variable: all that it adds up, or the squares that it was set to the sum
// of. ok is false for a variable that is no sum of squares by itself.
func (f *finder) variable(u *clc.Use) (terms []term, ok bool) {
	v := u.Var
	if !scalar(v) || !f.varies(u) {
		return nil, false
	}
	if f.flows(v) {
		return []term{{flow: v}}, true
	}
	for _, r := range f.stored(v) {
		terms = append(terms, term{root: &clc.Use{Var: r, Pos: u.Pos}})
	}
	return terms, true
}

// flows reports whether all that is added to a variable is added to another one exactly once: it is set once, then
// added to, and then used once, in one list of statements that is not left in between.
func (f *finder) flows(v *clc.Var) bool {
	var set []site
	adds := 0
	for _, s := range f.of[v] {
		if _, ok := addition(s.assign); ok {
			adds++
			continue
		}
		set = append(set, s)
	}
	if len(set) != 1 || f.uses[v] != adds+1 {
		return false
	}
	users := slices.DeleteFunc(slices.Clone(f.reads[v]), func(s site) bool { return s.assign.To == v })
	if len(users) != 1 {
		return false
	}
	first, last := set[0], users[0]
	if first.list != last.list || first.at >= last.at || uses(first.assign.Value, v) > 0 ||
		leavesFrom(f.lists[first.list][first.at:last.at]) {
		return false
	}
	for _, s := range f.of[v] {
		if s.order < first.order || s.order > last.order {
			return false
		}
	}
	return true
}

// stored returns variables that hold the roots of the squares of which a variable was set to the sum.
func (f *finder) stored(v *clc.Var) []*clc.Var {
	if roots, ok := f.roots[v]; ok {
		if roots == nil {
			refuse(f.at(v), "adds %s, which is set from itself", v.Name)
		}
		return roots
	}
	f.roots[v] = nil
	var all [][]clc.Expr
	most := 0
	for _, s := range f.of[v] {
		if uses(s.assign.Value, v) > 0 {
			refuse(s.assign.Pos, "adds up %s, which is not added once", v.Name)
		}
		var roots []clc.Expr
		for _, t := range f.terms(s.assign.Value) {
			roots = append(roots, f.rooted(t))
		}
		all, most = append(all, roots), max(most, len(roots))
	}
	roots := make([]*clc.Var, most)
	for i := range roots {
		roots[i] = f.newVar(v.Name+"_root", v.Pos)
		f.depends[roots[i]] = true
	}
	for j, s := range f.of[v] {
		for i, r := range roots {
			value := clc.Expr(&clc.Number{Type: clc.Real, Pos: s.assign.Pos})
			if i < len(all[j]) {
				value = all[j][i]
			}
			f.before[s.assign] = append(f.before[s.assign], &clc.Assign{To: r, Value: value, Pos: s.assign.Pos})
		}
	}
	f.roots[v] = roots
	return roots
}

// follow notes what an assignment adds to the value, each with a weight, and follows the variables in it.
func (f *finder) follow(s site, rest clc.Expr, weight product) {
	f.added[s.assign] = []clc.Expr{}
	for _, t := range f.terms(rest) {
		t.weight = t.weight.times(weight)
		if t.flow == nil {
			f.added[s.assign] = append(f.added[s.assign], f.rooted(t))
			if f.first.Line == 0 && f.varies(t.root) {
				f.first = s.assign.Pos
			}
			continue
		}
		sites := f.of[t.flow]
		f.portable(t.weight, sites[0])
		for _, from := range sites {
			rest, adds := addition(from.assign)
			if !adds {
				rest = from.assign.Value
			}
			f.follow(from, rest, t.weight)
		}
	}
}

// portable refuses a weight that does not have the same value before a place: one that was not known there.
func (f *finder) portable(p product, before site) {
	for _, w := range slices.Concat(p.num, p.den) {
		each(w, func(e clc.Expr) {
			u, ok := e.(*clc.Use)
			if !ok || u.Var == f.k || u.Var.Const != nil {
				return
			}
			if of := f.of[u.Var]; len(of) != 1 || of[0].loops > 0 || of[0].order > before.order {
				refuse(w.At(), "multiplies a sum of squares by %s, which is set after it", written(w))
			}
		})
	}
}
