package smooth

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/clc"
)

// Rounded is a function with kinks in which each kink that is understood is a call of a function that rounds it:
//
//	kink_abs(u, k, slot, site)     in the place of fabs(u)
//	kink_max(a, b, k, slot, site)  in the place of fmax(a, b)
//
// fmin, fdim, clamp, and choices and branches that take the larger or the smaller one of two values, are made of these.
// A site is a place of the text. A component has a slot for each time that it comes to a site, or the slot is NoSlot,
// where it is not known before a run how often it does.
type Rounded struct {
	Tree  *clc.Tree
	Sites int
	Slots int // of a component
}

// NoSlot is the slot of a kink that has none.
const NoSlot = math.MaxUint32

// Round rounds the kinks of a function; nil if it has none that are understood, or has steps. sizes returns the values
// of symbols such as DIM that are known. Components have at most most slots.
func Round(t *clc.Tree, sizes func(symbol string) (uint64, bool), most int) *Rounded {
	var found Class
	f := newFollower(t, Constant, &found)
	f.follow()
	if found.Kind() != Kinked || t.In != nil {
		return nil
	}
	r := rounder{k: t.K, bends: f.bends, sizes: sizes, most: uint64(most),
		blocks: map[*clc.Block]*clc.Block{}}
	made := *t
	made.Body = r.list(t.Body)
	if r.site == 0 {
		return nil
	}
	return &Rounded{&made, r.site, int(r.slots)}
}

// bend says how a choice or a branch that bends may be rounded.
type bend struct {
	then, other clc.Expr // of which it takes the larger or the smaller one
	larger      bool
}

// bendsAt notes how a choice or a branch that bends may be rounded, if it takes the larger or the smaller one of two
// values, wherever it is tried.
func (f *follower) bendsAt(key any, cond, then, other clc.Expr) {
	if _, known := f.bends[key]; known || f.quiet > 0 || !then.Of().Floating() {
		return
	}
	a := f.around()
	if len(a.list) == 1 { // of a list that something leaves
		a.before = nil
	}
	b := newBench(f.tree, a.before, cond, then, other)
	test := b.frame(a.before, []clc.Expr{cond, then, other})
	if test == nil {
		return
	}
	larger, smaller, sides := true, true, [2]int{}
	for range borderStarts {
		b.k = int(4 * b.next())
		out, ok := b.values(test, b.point())
		if !ok || math.IsNaN(out[1]-out[2]) {
			continue
		}
		yes, no := out[1], out[2]
		if out[0] == 0 {
			yes, no = no, yes
			sides[0]++
		} else {
			sides[1]++
		}
		larger = larger && yes >= no
		smaller = smaller && yes <= no
	}
	if larger != smaller && min(sides[0], sides[1]) >= borderLeast {
		f.bends[key] = bend{then, other, larger}
	}
}

// sidesOf returns the values that a branch gives to a variable on its two sides, if it does nothing else.
func sidesOf(s *clc.If) (then, other clc.Expr, ok bool) {
	set := func(list []clc.Stmt) (a *clc.Assign) {
		if len(list) == 1 {
			a, _ = list[0].(*clc.Assign)
		}
		return a
	}
	a, b := set(s.Then), set(s.Else)
	switch {
	case a != nil && b != nil && sameUse(place(a), place(b)):
		return a.Value, b.Value, true
	case a != nil && len(s.Else) == 0:
		return a.Value, place(a), true
	case b != nil && len(s.Then) == 0:
		return place(b), b.Value, true
	}
	return nil, nil, false
}

// place is what a statement assigns to, as an expression.
func place(a *clc.Assign) *clc.Use { return &clc.Use{Var: a.To, Element: a.Element, Pos: a.Pos} }

// sameUse reports whether two uses are of the same variable, or of the same element of an array, by a number.
func sameUse(a, b *clc.Use) bool {
	if a.Var != b.Var || a.Element == nil || b.Element == nil {
		return a.Var == b.Var && a.Element == b.Element
	}
	x, ok := a.Element.(*clc.Number)
	y, also := b.Element.(*clc.Number)
	return ok && also && x.Bits == y.Bits
}

// rounder rounds kinks.
type rounder struct {
	k     *clc.Var // the number of the component
	bends map[any]bend
	sizes func(string) (uint64, bool)
	most  uint64
	site  int
	slots uint64
	loops []turns // around a statement
	// blocks are those of the tree that is made, by those of the tree that is read.
	blocks map[*clc.Block]*clc.Block
}

// turns are those of a loop around a statement.
type turns struct {
	v     *clc.Var // counts them, from 0 or more to less than count
	count uint64   // 0: not known
}

func (r *rounder) list(list []clc.Stmt) (out []clc.Stmt) {
	for i, s := range list {
		switch x := s.(type) {
		case *clc.Assign:
			s = &clc.Assign{To: x.To, Element: x.Element, Value: r.expr(x.Value), Pos: x.Pos}
		case *clc.If:
			s = r.branch(x)
		case *clc.Loop:
			r.loops = append(r.loops, r.turns(x, list[:i]))
			s = &clc.Loop{Cond: x.Cond, Body: r.list(x.Body), Post: x.Post, Pos: x.Pos}
			r.loops = r.loops[:len(r.loops)-1]
		case *clc.Block:
			b := &clc.Block{Pos: x.Pos}
			r.blocks[x] = b
			b.Body = r.list(x.Body)
			s = b
		case *clc.Leave:
			s = &clc.Leave{Block: r.blocks[x.Block], Pos: x.Pos}
		}
		out = append(out, s)
	}
	return out
}

// branch rounds a branch that bends, or else what is in it.
func (r *rounder) branch(x *clc.If) clc.Stmt {
	b, ok := r.bends[x]
	if !ok {
		return &clc.If{Cond: x.Cond, Then: r.list(x.Then), Else: r.list(x.Else), Pos: x.Pos}
	}
	list := append(slices.Clone(x.Then), x.Else...)
	a := *list[0].(*clc.Assign)
	to := place(&a)
	one, other := added(to, b.then), added(to, b.other)
	if one == nil || other == nil {
		a.Value = r.meet(r.expr(b.then), r.expr(b.other), b.larger, x.Pos)
		return &a
	}
	a.Value = binary("+", to, r.meet(r.expr(one), r.expr(other), b.larger, x.Pos))
	return &a
}

// added returns what an expression adds to a place; nil if it does something else.
func added(to *clc.Use, e clc.Expr) clc.Expr {
	switch e := e.(type) {
	case *clc.Use:
		if sameUse(e, to) {
			return &clc.Number{Type: e.Of(), Pos: e.Pos}
		}
	case *clc.Binary:
		u, ok := e.X.(*clc.Use)
		if !ok || !sameUse(u, to) {
			return nil
		}
		switch e.Op {
		case "+":
			return e.Y
		case "-":
			return minus(e.Y)
		}
	}
	return nil
}

func binary(op string, a, b clc.Expr) clc.Expr {
	return &clc.Binary{Op: op, X: a, Y: b, Type: a.Of(), Pos: a.At()}
}

func minus(e clc.Expr) clc.Expr { return &clc.Unary{Op: '-', X: e, Pos: e.At()} }

// meet is the larger or the smaller one of two expressions, rounded.
func (r *rounder) meet(a, b clc.Expr, larger bool, pos clc.Pos) clc.Expr {
	if larger {
		return r.call("kink_max", pos, a, b)
	}
	return minus(r.call("kink_max", pos, minus(a), minus(b)))
}

// call calls a function that rounds a kink, at the next site.
func (r *rounder) call(name string, pos clc.Pos, args ...clc.Expr) clc.Expr {
	site := &clc.Number{Type: clc.UInt, Bits: uint64(r.site), Pos: pos}
	r.site++
	args = append(slices.Clone(args), &clc.Use{Var: r.k, Pos: pos}, r.slot(pos), site)
	return &clc.Call{Function: name, Type: args[0].Of(), Args: args, Pos: pos}
}

// slot returns the slot of a kink: a number, and one more for each turn of the loops around it.
func (r *rounder) slot(pos clc.Pos) clc.Expr {
	times := uint64(1)
	var at clc.Expr = &clc.Number{Type: clc.UInt, Bits: r.slots, Pos: pos}
	for _, l := range slices.Backward(r.loops) {
		if l.count == 0 || l.count > r.most || times*l.count > r.most {
			times = r.most + 1
			break
		}
		by := &clc.Number{Type: clc.UInt, Bits: times, Pos: pos}
		at = binary("+", at, binary("*", by, &clc.Cast{To: clc.UInt, X: &clc.Use{Var: l.v, Pos: pos}, Pos: pos}))
		times *= l.count
	}
	if r.slots+times > r.most {
		return &clc.Number{Type: clc.UInt, Bits: NoSlot, Pos: pos}
	}
	r.slots += times
	return at
}

// expr rounds the kinks of an expression. Conditions and indices stay what they are.
func (r *rounder) expr(e clc.Expr) clc.Expr {
	switch x := e.(type) {
	case *clc.Unary:
		return &clc.Unary{Op: x.Op, X: r.expr(x.X), Pos: x.Pos}
	case *clc.Binary:
		return &clc.Binary{Op: x.Op, X: r.expr(x.X), Y: r.expr(x.Y), Type: x.Type, Pos: x.Pos}
	case *clc.Cast:
		return &clc.Cast{To: x.To, X: r.expr(x.X), Pos: x.Pos}
	case *clc.Choice:
		then, other := r.expr(x.Then), r.expr(x.Else)
		if b, ok := r.bends[x]; ok {
			return r.meet(then, other, b.larger, x.Pos)
		}
		return &clc.Choice{Cond: x.Cond, Then: then, Else: other, Pos: x.Pos}
	case *clc.Call:
		return r.rounded(x)
	}
	return e
}

// rounded rounds a call that bends.
func (r *rounder) rounded(x *clc.Call) clc.Expr {
	c := *x
	c.Args = make([]clc.Expr, len(x.Args))
	for i, a := range x.Args {
		c.Args[i] = r.expr(a)
	}
	b, ok := r.bends[x]
	a := c.Args
	switch {
	case !ok:
		return &c
	case x.Function == "fabs":
		return r.call("kink_abs", x.Pos, a[0])
	case x.Function == "fdim":
		return r.meet(binary("-", a[0], a[1]), &clc.Number{Type: a[0].Of(), Pos: x.Pos}, true, x.Pos)
	case x.Function == "clamp":
		return r.meet(r.meet(a[0], a[1], true, x.Pos), a[2], false, x.Pos)
	case x.Function == "select":
		return r.meet(a[1], a[0], b.larger, x.Pos)
	}
	larger := x.Function == "fmax" || x.Function == "max" || x.Function == "bound_below"
	return r.meet(a[0], a[1], larger, x.Pos)
}

// turns finds how often a loop that follows some statements runs.
func (r *rounder) turns(l *clc.Loop, before []clc.Stmt) turns {
	none := turns{}
	cond, ok := l.Cond.(*clc.Binary)
	if !ok || cond.Op != "<" || len(l.Post) != 1 {
		return none
	}
	step, ok := l.Post[0].(*clc.Assign)
	u, also := bare(cond.X).(*clc.Use)
	if !ok || !also || u.Element != nil || step.To != u.Var || slices.Contains(assigned(l.Body), u.Var) {
		return none
	}
	by, ok := step.Value.(*clc.Binary)
	if !ok || by.Op != "+" || !isOne(by.Y) {
		return none
	}
	for _, s := range slices.Backward(before) {
		a, ok := s.(*clc.Assign)
		if !ok || a.To != u.Var {
			continue
		}
		from, ok := a.Value.(*clc.Number)
		if !ok || int64(from.Bits) < 0 {
			return none
		}
		switch end := bare(cond.Y).(type) {
		case *clc.Number:
			return turns{u.Var, uint64(max(0, int64(end.Bits)))}
		case *clc.Symbol:
			if n, known := r.sizes(end.Name); known {
				return turns{u.Var, n}
			}
		}
		return none
	}
	return none
}

func isOne(e clc.Expr) bool {
	n, ok := e.(*clc.Number)
	return ok && n.Bits == 1 && !n.Type.Floating()
}

// bare is an expression without conversions of integers.
func bare(e clc.Expr) clc.Expr {
	for {
		c, ok := e.(*clc.Cast)
		if !ok || c.To.Floating() || c.X.Of().Floating() {
			return e
		}
		e = c.X
	}
}
