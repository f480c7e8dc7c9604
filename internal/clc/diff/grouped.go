package diff

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/clc"
)

// Lane and Lanes are symbols of a function for a group of items: the number of the item in its group, and the items of
// a group.
const (
	Lane  = "out.lane"
	Lanes = "LANES"
)

// Grouped returns the adjoint of a component for a group of so many items, and how many times fewer steps each of them
// makes than one alone. All items do the same, but they share the iterations of loops in which none needs what another
// one does: there the counter goes from the number of the item on in steps of the group. Sums of such a loop are added
// over the group, by the function lanes_sum; arrays that it sets are Shared; and one item does what changes these, or
// is put, elsewhere. It returns nil if no loop can be shared, or if the function has a tape.
func Grouped(t *clc.Tree, lanes int, sizes Sizes) (*clc.Tree, float64) {
	if slices.ContainsFunc(t.Vars, func(v *clc.Var) bool { return v.Global }) {
		return nil, 1
	}
	g := &grouping{names: newNames(t), lanes: float64(lanes), sizes: sizes, shared: set{}, runs: 1}
	g.names.taken["lanes_sum"] = true
	body := g.list(t.Body, set{})
	if len(g.shared) == 0 && g.alone <= g.together {
		return nil, 1
	}
	made := *t
	made.Body, made.Vars = g.single(body), append(slices.Clone(t.Vars), *g.names.made...)
	for _, v := range made.Vars {
		if g.shared[v] {
			made.Shared = append(made.Shared, v)
		}
	}
	return &made, g.alone / g.together
}

// grouping finds the loops that a group can share.
type grouping struct {
	names           names
	lanes           float64
	sizes           Sizes
	shared          set     // arrays
	alone, together float64 // steps of an item alone, and of one of a group
	runs            float64 // of the list at hand
}

// list shares the loops of a list that all items run. after has the variables that are read after it.
func (g *grouping) list(list []clc.Stmt, after set) (out []clc.Stmt) {
	for i, s := range list {
		_, needed := live(list[i+1:], after)
		switch s := s.(type) {
		case *clc.If:
			out = append(out, &clc.If{Cond: s.Cond, Then: g.list(s.Then, needed), Else: g.list(s.Else, needed),
				Pos: s.Pos})
			continue
		case *clc.Loop:
			l := g.loop(s, list[:i])
			if l != nil {
				if made := g.share(l, needed); made != nil {
					cost := g.cost(s.Body) + 1
					g.alone += g.runs * l.trips * cost
					g.together += g.runs * (math.Ceil(l.trips/g.lanes)*cost + 4 + 8*float64(len(l.sums)))
					out = append(out, made...)
					continue
				}
			}
			_, head := live([]clc.Stmt{s}, needed)
			maps.Copy(head, needed)
			before := g.runs
			g.runs *= trips(l)
			body := g.list(s.Body, head)
			g.runs = before
			out = append(out, &clc.Loop{Cond: s.Cond, Body: body, Post: s.Post, Pos: s.Pos})
			continue
		}
		g.alone += g.runs
		g.together += g.runs
		out = append(out, s)
	}
	return out
}

// cost returns the steps of a list, about.
func (g *grouping) cost(list []clc.Stmt) (steps float64) {
	for i, s := range list {
		steps++
		switch s := s.(type) {
		case *clc.If:
			steps += max(g.cost(s.Then), g.cost(s.Else))
		case *clc.Loop:
			steps += trips(g.loop(s, list[:i])) * (1 + g.cost(s.Body))
		}
	}
	return steps
}

// turn is a loop whose counter goes up by 1 to an end, or down to 0.
type turn struct {
	*clc.Loop
	v     *clc.Var
	body  []clc.Stmt // without the step
	end   clc.Expr   // of the counter; nil: it begins there, and goes down
	trips float64    // 16 if unknown
	last  float64    // greatest value of the counter in the body if it begins at 0; NaN: unknown
	sums  []*clc.Var // that the body adds to
}

// trips returns how often a loop goes round, about.
func trips(l *turn) float64 {
	if l == nil {
		return 16
	}
	return l.trips
}

// loop describes a loop that follows some statements, or returns nil.
func (g *grouping) loop(l *clc.Loop, before []clc.Stmt) *turn {
	c, ok := l.Cond.(*clc.Binary)
	if !ok {
		return nil
	}
	u, ok := c.X.(*clc.Use)
	if !ok || u.Element != nil || !u.Var.Type.Unsigned() && u.Var.Type != clc.Int {
		return nil
	}
	t := &turn{Loop: l, v: u.Var, trips: 16, last: math.NaN()}
	begin, known := math.NaN(), false
	for _, s := range slices.Backward(before) {
		if assigned([]clc.Stmt{s})[t.v] {
			if a, ok := s.(*clc.Assign); ok {
				begin, known = g.constant(a.Value)
			}
			break
		}
	}
	switch {
	case c.Op == "<" && len(l.Post) == 1 && stepOf(l.Post[0], t.v, "+"):
		t.body, t.end = l.Body, c.Y
		if n, ok := g.constant(c.Y); ok && known && begin == 0 {
			t.trips, t.last = n, n-1
		}
	case c.Op == "!=" && is(c.Y, 0) && len(l.Post) == 0 && len(l.Body) > 0 && stepOf(l.Body[0], t.v, "-"):
		t.body = l.Body[1:]
		if known {
			t.trips, t.last = begin, begin-1
		}
	default:
		return nil
	}
	change := assigned(t.body)
	if change[t.v] || reads(c.Y, change) {
		return nil
	}
	return t
}

// stepOf reports whether a statement adds 1 to a variable, or subtracts it.
func stepOf(s clc.Stmt, v *clc.Var, op string) bool {
	a, ok := s.(*clc.Assign)
	if !ok || a.To != v {
		return false
	}
	b, ok := a.Value.(*clc.Binary)
	return ok && b.Op == op && clc.Same(b.X, use(v)) && is(b.Y, 1)
}

// constant returns the value of an integer that is known.
func (g *grouping) constant(e clc.Expr) (float64, bool) {
	f, ok := g.affine(e)
	return f.constant, ok && len(f.of) == 0
}

// affine is an integer that is a constant and multiples of variables.
type affine struct {
	constant float64
	of       map[*clc.Var]float64
}

func (g *grouping) affine(e clc.Expr) (a affine, ok bool) {
	switch e := bare(e).(type) {
	case *clc.Number:
		if !e.Type.Floating() {
			return affine{constant: float64(int64(e.Bits))}, true
		}
	case *clc.Symbol:
		v, known := g.sizes(e.Name)
		return affine{constant: float64(v)}, known
	case *clc.Use:
		if e.Element == nil && !e.Var.Type.Floating() {
			return affine{of: map[*clc.Var]float64{e.Var: 1}}, true
		}
	case *clc.Binary:
		x, ok := g.affine(e.X)
		y, also := g.affine(e.Y)
		switch {
		case !ok || !also:
		case e.Op == "+":
			return x.plus(y, 1), true
		case e.Op == "-":
			return x.plus(y, -1), true
		case e.Op == "*" && len(y.of) == 0:
			return affine{}.plus(x, y.constant), true
		case e.Op == "*" && len(x.of) == 0:
			return affine{}.plus(y, x.constant), true
		}
	}
	return a, false
}

// plus returns a + factor·b.
func (a affine) plus(b affine, factor float64) affine {
	sum := affine{a.constant + factor*b.constant, map[*clc.Var]float64{}}
	maps.Copy(sum.of, a.of)
	for v, by := range b.of {
		if sum.of[v] += factor * by; sum.of[v] == 0 {
			delete(sum.of, v)
		}
	}
	return sum
}

// share returns the statements of a loop that a group shares, or nil if its iterations need each other. needed has the
// variables that are read after it.
func (g *grouping) share(l *turn, needed set) []clc.Stmt {
	change := assigned(l.body)
	arrays, results := set{}, set{}
	for v := range change {
		if v.Len > 0 {
			arrays[v] = true
		}
		if v.Len > 0 || needed[v] {
			results[v] = true
		}
	}
	_, carried := live([]clc.Stmt{&clc.Loop{Cond: l.Cond, Body: l.body, Pos: l.Pos}}, results)
	for v := range change {
		switch {
		case v.Len > 0:
			if v.Type != clc.Real {
				return nil
			}
		case !needed[v] && !carried[v]:
		case v.Type == clc.Real && g.adds(l.body, v):
			l.sums = append(l.sums, v)
		default:
			return nil
		}
	}
	if needed[l.v] || l.trips < 4 {
		return nil
	}
	a := apart{g: g, l: l, ranges: map[*clc.Var]float64{}, change: change}
	if !a.find(l.body) || !a.disjoint(a.puts) {
		return nil
	}
	for v := range arrays {
		if !a.disjoint(a.elements[v]) {
			return nil
		}
	}
	maps.Copy(g.shared, arrays)
	slices.SortFunc(l.sums, func(a, b *clc.Var) int { return strings.Compare(a.Name, b.Name) })
	return g.shareable(l)
}

// shareable writes a loop for a group.
func (g *grouping) shareable(l *turn) (out []clc.Stmt) {
	lane, lanes := &clc.Symbol{Name: Lane, Pos: l.Pos}, &clc.Symbol{Name: Lanes, Pos: l.Pos}
	v := use(l.v)
	of := func(e clc.Expr) clc.Expr { return &clc.Cast{To: l.v.Type, X: e, Pos: l.Pos} }
	if l.v.Type == clc.UInt {
		of = func(e clc.Expr) clc.Expr { return e }
	}
	begin, end := clc.Expr(binary("+", v, of(lane))), l.end
	if end == nil {
		last := use(g.names.new(l.v.Name+"_end", l.v.Type, 0, l.Pos))
		out = append(out, assign(last, v))
		begin, end = of(lane), last
	}
	out = append(out, assign(v, begin))
	type total struct{ sum, before clc.Expr }
	var totals []total
	for _, s := range l.sums {
		t := total{use(s), use(g.names.new(s.Name+"_0", clc.Real, 0, l.Pos))}
		out = append(out, assign(t.before, t.sum), assign(t.sum, number(0, t.sum)))
		totals = append(totals, t)
	}
	out = append(out, &clc.Barrier{Pos: l.Pos}, &clc.Loop{Cond: test("<", v, end), Body: l.body,
		Post: []clc.Stmt{assign(v, binary("+", v, of(lanes)))}, Pos: l.Pos}, &clc.Barrier{Pos: l.Pos})
	for _, t := range totals {
		out = append(out, assign(t.sum, binary("+", t.before,
			&clc.Call{Function: "lanes_sum", Type: clc.Real, Args: []clc.Expr{t.sum}, Pos: l.Pos})))
	}
	return out
}

// adds reports whether a list only adds to a scalar, and does not read it otherwise.
func (g *grouping) adds(list []clc.Stmt, v *clc.Var) bool {
	only := true
	statements(list, func(s clc.Stmt) {
		of := parts(s)
		if a, ok := s.(*clc.Assign); ok && a.To == v {
			b, ok := a.Value.(*clc.Binary)
			if only = only && ok && (b.Op == "+" || b.Op == "-") && clc.Same(b.X, use(v)); !only {
				return
			}
			of = []clc.Expr{b.Y}
		}
		for _, e := range of {
			only = only && !reads(e, set{v: true})
		}
	})
	return only
}

// apart finds whether different iterations of a loop set different places.
type apart struct {
	g        *grouping
	l        *turn
	ranges   map[*clc.Var]float64 // greatest values of the counters of loops inside, from 0 on; NaN: unknown
	change   set
	puts     []affine
	elements map[*clc.Var][]affine
}

// find collects the places that a list sets, and the elements that it reads of arrays that the loop changes. It returns
// false if one is not known.
func (a *apart) find(list []clc.Stmt) bool {
	if a.elements == nil {
		a.elements = map[*clc.Var][]affine{}
	}
	known := true
	element := func(v *clc.Var, e clc.Expr) {
		f, ok := a.g.affine(e)
		known = known && ok
		a.elements[v] = append(a.elements[v], f)
	}
	for i, s := range list {
		for _, e := range parts(s) {
			each(e, func(x clc.Expr) {
				if u, ok := x.(*clc.Use); ok && u.Element != nil && a.change[u.Var] {
					element(u.Var, u.Element)
				}
			})
		}
		switch s := s.(type) {
		case *clc.Assign:
			if s.Element != nil {
				element(s.To, s.Element)
			}
		case *clc.Put:
			f, ok := a.g.affine(s.Index)
			known = known && ok
			a.puts = append(a.puts, f)
		case *clc.If:
			known = known && a.find(s.Then) && a.find(s.Else)
		case *clc.Loop:
			if in := a.g.loop(s, list[:i]); in != nil {
				a.ranges[in.v] = max(in.last, a.ranges[in.v])
			} else {
				for v := range assigned([]clc.Stmt{s}) {
					a.ranges[v] = math.NaN()
				}
			}
			known = known && a.find(s.Body) && a.find(s.Post)
		default:
			return false
		}
	}
	return known
}

// span is an interval of places, from those of the first iteration on.
type span struct{ by, lo, hi float64 }

// disjoint reports whether no two iterations use the same one of some places.
func (a *apart) disjoint(places []affine) bool {
	var outer affine // of variables that do not change in the loop
	var spans []span
	for k, p := range places {
		s, fixed := span{by: p.of[a.l.v], lo: p.constant, hi: p.constant}, affine{of: map[*clc.Var]float64{}}
		for v, factor := range p.of {
			last, inside := a.ranges[v]
			switch {
			case v == a.l.v:
			case inside:
				s.lo, s.hi = s.lo+min(0, factor*last), s.hi+max(0, factor*last)
			case a.change[v]:
				return false
			default:
				fixed.of[v] = factor
			}
		}
		if k == 0 {
			outer = fixed
		}
		if !maps.Equal(outer.of, fixed.of) {
			return false
		}
		spans = append(spans, s)
	}
	slices.SortFunc(spans, func(x, y span) int {
		if x.lo != y.lo {
			return int(math.Copysign(1, x.lo-y.lo))
		}
		return 0
	})
	for len(spans) > 0 {
		n, first := 1, spans[0]
		whole := a.whole(first)
		lo, hi := first.lo, first.hi
		for n < len(spans) && !(a.whole(spans[n]).lo > whole.hi) { // unknown ends are NaN
			s := spans[n]
			if s.by != first.by {
				return false
			}
			lo, hi, whole.hi = min(lo, s.lo), max(hi, s.hi), max(whole.hi, a.whole(s).hi)
			n++
		}
		if !(hi-lo < first.by) {
			return false
		}
		spans = spans[n:]
	}
	return true
}

// whole returns the interval of all iterations. Its ends are NaN if their number is not known.
func (a *apart) whole(s span) span {
	far := s.by * a.l.last
	return span{s.by, s.lo + min(0, far), s.hi + max(0, far)}
}

// single lets one item do what must be done once: puts, and assignments to shared arrays, but in loops that are shared.
func (g *grouping) single(list []clc.Stmt) (out []clc.Stmt) {
	lane := func(pos clc.Pos) clc.Expr {
		s := &clc.Symbol{Name: Lane, Pos: pos}
		return test("==", s, number(0, s))
	}
	for _, s := range list {
		switch x := s.(type) {
		case *clc.If:
			s = &clc.If{Cond: x.Cond, Then: g.single(x.Then), Else: g.single(x.Else), Pos: x.Pos}
		case *clc.Loop:
			if len(x.Post) == 1 && steps(x.Post[0]) {
				break
			}
			s = &clc.Loop{Cond: x.Cond, Body: g.single(x.Body), Post: x.Post, Pos: x.Pos}
		case *clc.Put:
			s = &clc.If{Cond: lane(x.Pos), Then: []clc.Stmt{x}, Pos: x.Pos}
		case *clc.Assign:
			if g.shared[x.To] {
				out = append(out, &clc.Barrier{Pos: x.Pos}, &clc.If{Cond: lane(x.Pos), Then: []clc.Stmt{x}, Pos: x.Pos})
				s = &clc.Barrier{Pos: x.Pos}
			}
		}
		out = append(out, s)
	}
	return out
}

// steps reports whether a statement is the step of a loop that is shared.
func steps(s clc.Stmt) bool {
	a, ok := s.(*clc.Assign)
	return ok && contains(a.Value, func(e clc.Expr) bool {
		s, ok := e.(*clc.Symbol)
		return ok && s.Name == Lanes
	})
}
