package diff

import (
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// counter describes a loop that one integer counts: By is added to it at the end of each iteration, or subtracted, and
// nothing else changes it.
type counter struct {
	v     *clc.Var
	by    *clc.Number
	down  bool
	flags []*clc.Var // the loop ends without the step where one of these is set
	body  []clc.Stmt // of an iteration, without the step if that is the last one
	// always says that the step is made in the iteration that ends the loop, too.
	always bool
	cond   clc.Expr    // without the flags
	start  *clc.Number // of the counter; nil: not known
}

// counted finds what counts a loop that follows some statements.
func counted(l *clc.Loop, before []clc.Stmt) *counter {
	c := &counter{cond: l.Cond, body: slices.Clone(l.Body)}
	for {
		b, ok := c.cond.(*clc.Binary)
		if !ok || b.Op != "&&" {
			break
		}
		flags, ok := flagsOf(b.X)
		if !ok {
			break
		}
		c.flags = append(c.flags, flags...)
		c.cond = b.Y
	}
	post := l.Post
	var guard clc.Expr
	if len(post) == 1 {
		if g, ok := post[0].(*clc.If); ok && len(g.Else) == 0 {
			post, guard = g.Then, g.Cond
		}
	}
	flags, ok := []*clc.Var(nil), true
	if guard != nil {
		flags, ok = flagsOf(guard)
	}
	if !ok || len(post) > 0 && !slices.Equal(flags, c.flags) {
		return nil
	}
	if !c.after(l, post, guard) && !c.inside(l, post) {
		return nil
	}
	for _, s := range slices.Backward(before) {
		if assigned([]clc.Stmt{s})[c.v] {
			if a, ok := s.(*clc.Assign); ok {
				c.start, _ = a.Value.(*clc.Number)
			}
			break
		}
	}
	return c
}

// steps finds a statement that counts in a list, and returns its index, or -1.
func (c *counter) steps(l *clc.Loop, list []clc.Stmt) (at int) {
	times := map[*clc.Var]int{}
	statements([]clc.Stmt{l}, func(s clc.Stmt) {
		if a, ok := s.(*clc.Assign); ok {
			times[a.To]++
		}
	})
	at = -1
	for i, s := range list {
		a, ok := s.(*clc.Assign)
		if !ok || a.Element != nil || a.To.Type.Floating() || times[a.To] != 1 {
			continue
		}
		rest, down := increment(a)
		if by, ok := rest.(*clc.Number); ok && by.Bits != 0 && (at < 0 || reads(c.cond, set{a.To: true})) {
			c.v, c.by, c.down, at = a.To, by, down, i
		}
	}
	return at
}

// after finds the counter in what a loop does after its body. The rest of that becomes the end of the body.
func (c *counter) after(l *clc.Loop, post []clc.Stmt, guard clc.Expr) bool {
	at := c.steps(l, post)
	if at < 0 {
		return false
	}
	others := slices.Delete(slices.Clone(post), at, at+1)
	for _, s := range others {
		a, ok := s.(*clc.Assign)
		if !ok || reads(a.Value, set{c.v: true}) {
			return false
		}
	}
	if len(others) > 0 && guard != nil {
		others = []clc.Stmt{&clc.If{Cond: guard, Then: others, Pos: l.Pos}}
	}
	c.body = append(c.body, others...)
	return true
}

// inside finds the counter in the body of a loop, where every iteration counts.
func (c *counter) inside(l *clc.Loop, post []clc.Stmt) bool {
	at := c.steps(l, c.body)
	if at < 0 || len(post) > 0 {
		return false
	}
	if at == len(c.body)-1 {
		c.body = c.body[:at]
	}
	c.always = true
	return true
}

// flagsOf returns the flags of a condition that they are 0.
func flagsOf(e clc.Expr) ([]*clc.Var, bool) {
	switch e := e.(type) {
	case *clc.Binary:
		x, ok := flagsOf(e.X)
		y, also := flagsOf(e.Y)
		return append(x, y...), e.Op == "&&" && ok && also
	case *clc.Unary:
		u, ok := e.X.(*clc.Use)
		if ok && e.Op == '!' && u.Element == nil {
			return []*clc.Var{u.Var}, true
		}
	}
	return nil, false
}

// step is the statement that goes one iteration on, or back.
func (c *counter) step(back bool) clc.Stmt {
	op := "+"
	if c.down != back {
		op = "-"
	}
	return assign(use(c.v), binary(op, use(c.v), c.by))
}

// end returns the value of the counter after the loop where the loop does not tell, and nil where that is not known.
func (c *counter) end() clc.Expr {
	b, ok := c.cond.(*clc.Binary)
	if !ok || len(c.flags) > 0 || c.start == nil || c.by.Bits != 1 {
		return nil
	}
	if u, ok := b.X.(*clc.Use); !ok || u.Var != c.v || u.Element != nil || costly(b.Y) {
		return nil
	}
	change := assigned(c.body)
	change[c.v] = true
	if reads(b.Y, change) {
		return nil
	}
	n, known := b.Y.(*clc.Number)
	unsigned := c.start.Bits == 0 && b.Y.Of().Unsigned()
	switch {
	case b.Op == "<" && !c.down && (unsigned || known && int64(c.start.Bits) <= int64(n.Bits)):
		return b.Y
	case b.Op == ">" && c.down && known && int64(c.start.Bits) >= int64(n.Bits):
		return b.Y
	case b.Op == "!=" && known:
		return b.Y
	}
	return nil
}

// loop returns the sweeps of a loop. The second one goes through its iterations from the last one on, does each again,
// and then undoes it. What an iteration needs and an earlier one has set is kept on the tape when it begins.
func (r *reverse) loop(l *clc.Loop) (forward, backward []clc.Stmt) {
	if !r.activeIn([]clc.Stmt{l}) {
		keep, restore := r.keepAll(assigned([]clc.Stmt{l}))
		return append(keep, r.plain([]clc.Stmt{l})...), restore
	}
	c := r.counters[l]
	if c == nil {
		r.fail(l.Pos, "the number of iterations of this loop is known only when it ends")
		return nil, nil
	}
	change := assigned(c.body)
	trips, known := r.trips(c)
	if known {
		r.limits[c.v] = r.largest(c, trips)
	}
	plain := &clc.Loop{Cond: l.Cond, Body: r.plain(l.Body), Post: l.Post, Pos: l.Pos}
	again, back := r.again(l, c.body)
	delete(r.limits, c.v)
	flags := set{}
	for _, f := range c.flags {
		flags[f] = true
	}
	iteration := merged(slices.Concat(again, back))
	adjoints := set{}
	for _, b := range r.order {
		adjoints[b] = true
	}
	_, needed := live(iteration, adjoints)
	var kept []*clc.Var
	for v := range needed {
		if change[v] && v != c.v && r.inputs[v] && !flags[v] && !r.onceIn(v, l) {
			kept = append(kept, v)
		}
	}
	slices.SortFunc(kept, func(a, b *clc.Var) int { return slices.Index(r.text, a) - slices.Index(r.text, b) })
	if len(kept) > 0 && !known {
		r.fail(l.Pos, "the number of iterations of this loop is not known before a run, and "+kept[0].Name+
			" carries values from one to the next")
		return nil, nil
	}
	n := r.place(c, len(kept) > 0, l.Pos)
	var stores, loads []clc.Stmt
	for _, v := range kept {
		store, load := r.kept(v, use(n.v), trips, l.Pos)
		stores, loads = append(stores, store...), append(loads, load...)
	}
	for _, f := range c.flags {
		loads = append(loads, set1(f, 0, l.Pos))
	}
	delete(change, c.v)
	for v := range change {
		if r.onceIn(v, l) {
			delete(change, v)
		}
	}
	keep, restore := r.keepAll(change)
	start := clc.Expr(c.start)
	if c.start == nil {
		v := r.names.new(c.v.Name+"_0", c.v.Type, 0, l.Pos)
		keep = append(keep, assign(use(v), use(c.v)))
		start = use(v)
	}
	whole := &clc.Loop{Cond: l.Cond, Body: slices.Concat(stores, plain.Body, n.on), Post: l.Post, Pos: l.Pos}
	forward = slices.Concat(keep, n.begin, []clc.Stmt{whole})
	if end := c.end(); end != nil {
		backward = append(backward, assign(use(c.v), end))
	}
	if len(c.flags) > 0 && !c.always {
		backward = append(backward, &clc.If{Cond: &clc.Unary{Op: '!', X: none(c.flags), Pos: l.Pos},
			Then: []clc.Stmt{c.step(false)}, Pos: l.Pos})
	}
	backward = append(backward, &clc.Loop{Cond: test("!=", use(c.v), start),
		Body: slices.Concat([]clc.Stmt{c.step(true)}, n.back, loads, iteration), Pos: l.Pos})
	return forward, append(backward, restore...)
}

// activeIn reports whether a list sets active variables or results.
func (r *reverse) activeIn(list []clc.Stmt) (found bool) {
	for v := range assigned(list) {
		found = found || r.active.vars[v] || v == r.out
	}
	return found
}

// keepAll returns statements that keep variables, and that restore them.
func (r *reverse) keepAll(all set) (keep, restore []clc.Stmt) {
	for _, v := range r.text {
		if !all[v] {
			continue
		}
		old := r.names.new(v.Name+"_0", v.Type, v.Len, v.Pos)
		keep = append(keep, r.copied(v, old)...)
		restore = append(restore, r.copied(old, v)...)
	}
	return keep, restore
}

// copied copies a variable or an array.
func (r *reverse) copied(from, to *clc.Var) []clc.Stmt {
	if from.Len == 0 {
		return []clc.Stmt{assign(use(to), use(from))}
	}
	return r.elements(from.Len, from.Pos, func(e clc.Expr) clc.Stmt {
		return &clc.Assign{To: to, Element: e, Value: &clc.Use{Var: from, Element: e, Pos: from.Pos}, Pos: from.Pos}
	})
}

// elements does something for each element of an array.
func (r *reverse) elements(n int, pos clc.Pos, do func(e clc.Expr) clc.Stmt) []clc.Stmt {
	e := r.names.new("e", clc.UInt, 0, pos)
	count := &clc.Number{Type: clc.UInt, Bits: uint64(n), Pos: pos}
	one := &clc.Number{Type: clc.UInt, Bits: 1, Pos: pos}
	return []clc.Stmt{set1(e, 0, pos), &clc.Loop{Cond: test("<", use(e), count), Body: []clc.Stmt{do(use(e))},
		Post: []clc.Stmt{assign(use(e), binary("+", use(e), one))}, Pos: pos}}
}
