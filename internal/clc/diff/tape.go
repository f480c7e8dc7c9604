package diff

import "github.com/clopt/clopt/internal/clc"

// private is the largest number of values of a tape that an item holds in private memory.
const private = 256

// mostKept is the largest number of values of the tape of a component.
const mostKept = 1 << 16

// iteration says where on the tape the values of an iteration are: at v, which begin sets before the loop, on changes
// after an iteration, and back before one is undone.
type iteration struct {
	v               *clc.Var
	begin, on, back []clc.Stmt
}

// place returns where the values of the iterations of a loop are: at the counter, if it counts from 0 by 1.
func (r *reverse) place(c *counter, needed bool, pos clc.Pos) iteration {
	if !needed || c.start != nil && c.start.Bits == 0 && c.by.Bits == 1 && !c.down {
		return iteration{v: c.v}
	}
	v := r.names.new("n", clc.UInt, 0, pos)
	one := &clc.Number{Type: clc.UInt, Bits: 1, Pos: pos}
	return iteration{v, []clc.Stmt{set1(v, 0, pos)}, []clc.Stmt{assign(use(v), binary("+", use(v), one))},
		[]clc.Stmt{assign(use(v), binary("-", use(v), one))}}
}

// kept returns the statements that keep a variable at the beginning of iteration n, and that restore it.
func (r *reverse) kept(v *clc.Var, n clc.Expr, trips uint64, pos clc.Pos) (store, load []clc.Stmt) {
	each := max(1, v.Len)
	if trips > mostKept || uint64(each)*trips > mostKept {
		r.fail(pos, "the iterations of this loop would have to keep more values than a component may")
		return nil, nil
	}
	on := r.names.new(v.Name+"_at", v.Type, each*int(trips), pos)
	if r.tape+on.Len <= private {
		r.tape += on.Len
	} else {
		if v.Type != clc.Real {
			r.fail(pos, "the iterations of this loop would have to keep "+v.Name+" in global memory, which is no real")
		}
		on.Global = true
	}
	if v.Len == 0 {
		at := &clc.Use{Var: on, Element: n, Pos: pos}
		return []clc.Stmt{assign(at, use(v))}, []clc.Stmt{assign(use(v), at)}
	}
	width := &clc.Number{Type: n.Of(), Bits: uint64(each), Pos: pos}
	both := func(to func(from, at *clc.Use) clc.Stmt) []clc.Stmt {
		return r.elements(v.Len, pos, func(e clc.Expr) clc.Stmt {
			at := binary("+", binary("*", width, n), converted(e, n.Of()))
			return to(&clc.Use{Var: v, Element: e, Pos: pos}, &clc.Use{Var: on, Element: at, Pos: pos})
		})
	}
	return both(func(from, at *clc.Use) clc.Stmt { return assign(at, from) }),
		both(func(to, at *clc.Use) clc.Stmt { return assign(to, at) })
}

// trips returns the largest number of iterations of a loop, if it is known before a run.
func (r *reverse) trips(c *counter) (n uint64, known bool) {
	end, within, known := r.bound(c, c.cond)
	by := c.by.Bits
	switch {
	case !known || int64(by) < 0:
		return 0, false
	case c.down:
		if c.start == nil {
			return 0, false
		}
		from := int64(c.start.Bits)
		return uint64(max(0, (from-int64(end)+within+int64(by)-1)/int64(by))), true
	}
	from := int64(0)
	if c.start != nil {
		from = int64(c.start.Bits)
	} else if !c.v.Type.Unsigned() {
		return 0, false
	}
	return uint64(max(0, (int64(end)-from+within+int64(by)-1)/int64(by))), true
}

// bound returns the bound that a condition sets to the counter. within is 1 if the counter may have that value.
func (r *reverse) bound(c *counter, cond clc.Expr) (end uint64, within int64, known bool) {
	b, ok := cond.(*clc.Binary)
	if !ok {
		return 0, 0, false
	}
	if b.Op == "&&" {
		if end, within, known = r.bound(c, b.X); known {
			return end, within, true
		}
		return r.bound(c, b.Y)
	}
	op, x, y := b.Op, b.X, b.Y
	if u, ok := bare(y).(*clc.Use); ok && u.Var == c.v && u.Element == nil {
		x, y = y, x
		op = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}[op]
	}
	if u, ok := bare(x).(*clc.Use); !ok || u.Var != c.v || u.Element != nil {
		return 0, 0, false
	}
	if c.down {
		n, ok := bare(y).(*clc.Number)
		if !ok || op != ">" && op != ">=" && op != "!=" {
			return 0, 0, false
		}
		return n.Bits, int64(b2i(op == ">=")), true
	}
	if op != "<" && op != "<=" && op != "!=" {
		return 0, 0, false
	}
	end, known = r.upper(y)
	return end, int64(b2i(op == "<=")), known
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

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// largest returns the largest value of a counter of a number of iterations.
func (r *reverse) largest(c *counter, trips uint64) uint64 {
	from := uint64(0)
	if c.start != nil {
		from = c.start.Bits
	}
	if c.down {
		return from
	}
	return from + trips*c.by.Bits
}

// upper returns a number that an integer expression never exceeds.
func (r *reverse) upper(e clc.Expr) (uint64, bool) {
	switch e := bare(e).(type) {
	case *clc.Number:
		return e.Bits, int64(e.Bits) >= 0
	case *clc.Symbol:
		return r.sizes(e.Name)
	case *clc.Use:
		if n, ok := r.limits[e.Var]; ok {
			return n, true
		}
		if of := r.single[e.Var]; of != nil && e.Element == nil {
			return r.upper(of)
		}
	case *clc.Binary:
		x, known := r.upper(e.X)
		y, also := r.upper(e.Y)
		switch {
		case e.Op == "+" && known && also:
			return x + y, true
		case e.Op == "*" && known && also:
			return x * y, true
		case e.Op == "-" && known, e.Op == "/" && known, e.Op == ">>" && known:
			if n, ok := e.Y.(*clc.Number); ok && e.Op == "/" && n.Bits > 0 {
				return x / n.Bits, true
			} else if ok && e.Op == "-" && int64(n.Bits) >= 0 && n.Bits <= x {
				return x - n.Bits, true
			}
			return x, !(e.Op == "-" && e.Type.Unsigned())
		case e.Op == "%" && also:
			return y, true
		}
	case *clc.Choice:
		x, known := r.upper(e.Then)
		y, also := r.upper(e.Else)
		return max(x, y), known && also
	case *clc.Call:
		if e.Function == "imin" {
			x, known := r.upper(e.Args[0])
			y, also := r.upper(e.Args[1])
			if known && (!also || x < y) {
				return x, true
			}
			return y, also
		}
	}
	return 0, false
}
