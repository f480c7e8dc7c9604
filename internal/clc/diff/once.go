package diff

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// study finds what the sweeps have to know about variables and loops: what counts a loop, which variables are set in
// one statement alone, and which arrays keep their elements through a loop.
func (r *reverse) study(body []clc.Stmt) {
	times := map[*clc.Var]int{}
	r.single, r.counters, r.once = map[*clc.Var]clc.Expr{}, map[*clc.Loop]*counter{}, map[*clc.Var][]*clc.Loop{}
	statements(body, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			times[a.To]++
			r.single[a.To] = a.Value
		}
	})
	for v := range times {
		if times[v] > 1 || v.Len > 0 {
			delete(r.single, v)
		}
	}
	var walk func(list []clc.Stmt, around []*clc.Loop)
	walk = func(list []clc.Stmt, around []*clc.Loop) {
		for i, s := range list {
			within := around
			switch s := s.(type) {
			case *clc.Loop:
				if c := counted(s, list[:i]); c != nil {
					r.counters[s] = c
				}
				within = append(slices.Clone(around), s)
			case *clc.Assign:
				if s.To.Len > 0 && s.To != r.out && times[s.To] == 1 {
					r.setOnce(s, around)
				}
			}
			for _, in := range inside(s) {
				walk(in, within)
			}
		}
	}
	walk(body, nil)
}

// setOnce notes the loops in which the only statement that sets elements of an array sets none twice, so that elements
// stay what they are until the loop ends. What an iteration reads is then there when the iteration is done again. Where
// all loops around the statement are such, no element is read before it is set, since it has no value then. Otherwise
// the innermost ones may read the element of the iteration alone.
func (r *reverse) setOnce(a *clc.Assign, around []*clc.Loop) {
	var span uint64 = 1 // how far an index goes in the loops so far
	var loops []*clc.Loop
	for _, l := range slices.Backward(around) {
		c := r.counters[l]
		if c == nil {
			break
		}
		factor, ok := r.slope(a.Element, c, l)
		if !ok || factor*c.by.Bits < span {
			break
		}
		trips, known := r.trips(c)
		loops = append(loops, l)
		if !known {
			break
		}
		span = factor * c.by.Bits * trips
	}
	if len(loops) == 0 {
		return
	}
	if outer := loops[len(loops)-1]; len(loops) < len(around) {
		other := false
		statements(outer.Body, func(s clc.Stmt) {
			for _, e := range parts(s) {
				each(e, func(x clc.Expr) {
					u, ok := x.(*clc.Use)
					other = other || ok && u.Var == a.To && !clc.Same(u.Element, a.Element)
				})
			}
		})
		if other {
			return
		}
	}
	r.once[a.To] = loops
}

// slope returns by how much an index grows with the counter of a loop, if it depends on nothing else that changes there
// but on the counters of loops in it.
func (r *reverse) slope(e clc.Expr, c *counter, l *clc.Loop) (factor uint64, ok bool) {
	change := assigned([]clc.Stmt{l})
	for in, c := range r.counters {
		if in != l && slices.ContainsFunc(l.Body, func(s clc.Stmt) bool { return holds(s, in) }) {
			delete(change, c.v)
		}
	}
	delete(change, c.v)
	if reads(e, change) {
		return 0, false
	}
	return linear(e, c.v)
}

// holds reports whether a statement is another one, or has it inside.
func holds(s, other clc.Stmt) (found bool) {
	statements([]clc.Stmt{s}, func(x clc.Stmt) { found = found || x == other })
	return found
}

// linear returns the factor of a variable in an integer expression.
func linear(e clc.Expr, v *clc.Var) (factor uint64, ok bool) {
	e = bare(e)
	if !reads(e, set{v: true}) {
		return 0, true
	}
	switch e := e.(type) {
	case *clc.Use:
		return 1, e.Var == v && e.Element == nil
	case *clc.Binary:
		x, ok := linear(e.X, v)
		y, also := linear(e.Y, v)
		if !ok || !also {
			return 0, false
		}
		switch e.Op {
		case "+":
			return x + y, true
		case "-":
			return x, y == 0
		case "*":
			if n, ok := bare(e.X).(*clc.Number); ok {
				return n.Bits * y, true
			}
			if n, ok := bare(e.Y).(*clc.Number); ok {
				return n.Bits * x, true
			}
		}
	}
	return 0, false
}

// onceIn reports whether no element of an array is set twice in a loop.
func (r *reverse) onceIn(v *clc.Var, l *clc.Loop) bool { return slices.Contains(r.once[v], l) }

// again returns the sweeps of the body of a loop that is done again.
func (r *reverse) again(l *clc.Loop, body []clc.Stmt) (forward, backward []clc.Stmt) {
	before := r.skip
	r.skip = set{}
	for v := range before {
		r.skip[v] = true
	}
	for v := range r.once {
		if r.onceIn(v, l) {
			r.skip[v] = true
		}
	}
	forward, backward = r.list(body)
	r.skip = before
	return forward, backward
}

// plain is a list of statements without what arrays hold.
func (r *reverse) plain(list []clc.Stmt) (out []clc.Stmt) {
	for _, s := range list {
		switch x := s.(type) {
		case *clc.Assign:
			if r.skip[x.To] {
				continue
			}
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: r.plain(x.Then), Else: r.plain(x.Else), Pos: x.Pos}
		case *clc.Loop:
			s = &clc.Loop{Cond: x.Cond, Body: r.plain(x.Body), Post: x.Post, Pos: x.Pos}
		}
		out = append(out, s)
	}
	return out
}
