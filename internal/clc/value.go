package clc

import "slices"

// counts returns how many numbers a struct has of each of its variables.
func (r *record) counts(all []int, times int) []int {
	for _, f := range r.fields {
		if n := times * f.typ.size(); f.typ.record != nil {
			all = f.typ.record.counts(all, n)
		} else {
			all = append(all, n)
		}
	}
	return all
}

// hasArrays reports whether a field is an array.
func (r *record) hasArrays() bool {
	return slices.ContainsFunc(r.fields, func(f field) bool {
		return f.typ.dims != nil || f.typ.record != nil && f.typ.record.hasArrays()
	})
}

// of returns the place of some variables of a struct.
func (l *place) of(first, count int) *place {
	return &place{vars: l.vars[first : first+count], element: l.element}
}

// same reports whether two places are in the same array.
func (l *place) same(o *place) bool {
	return l.table == o.table && slices.Equal(l.vars, o.vars)
}

// load returns the number at a place.
func (p *parser) load(l *place, pos Pos) Expr {
	element := l.element
	if l.table != "" {
		if element == nil {
			element = p.integer(0, pos)
		}
		return &Table{Name: l.table, Type: p.text.Tables[l.table], Index: element, Pos: pos}
	}
	v := l.vars[0]
	return &Use{Var: v, Element: p.elementOf(v, element, pos), Pos: pos}
}

// elementOf returns the element of a variable, nil for a scalar.
func (p *parser) elementOf(v *Var, element Expr, pos Pos) Expr {
	switch {
	case v.Len > 0 && element == nil:
		return p.integer(0, pos)
	case v.Len == 0 && element != nil:
		if bits, ok := p.known(element); !ok || bits != 0 {
			p.failAt(pos, "uses %s as an array", v.Name)
		}
		return nil
	}
	return element
}

// store sets the number at a place.
func (p *parser) store(l *place, e Expr, pos Pos) {
	if l.table != "" {
		p.failAt(pos, "sets d.%s", l.table)
	}
	v := l.vars[0]
	if v.Const != nil {
		p.failAt(pos, "sets %s", v.Name)
	}
	p.emit(&Assign{To: v, Element: p.elementOf(v, l.element, pos), Value: e, Pos: pos})
}

// add returns the place a number of elements of some size after another one.
func (p *parser) add(l *place, by Expr, size int, minus bool, pos Pos) *place {
	if by.Of().Floating() {
		p.failAt(pos, "has an index that is no integer")
	}
	if size != 1 {
		by = p.arithmetic("*", by, p.integer(int64(size), pos), pos)
	}
	moved := *l
	zero := false
	if n, ok := by.(*Number); ok {
		zero = n.Bits == 0
	}
	switch {
	case zero && (l.element != nil || minus):
	case minus && l.element == nil:
		moved.element = p.arithmetic("-", p.integer(0, pos), by, pos)
	case minus:
		moved.element = p.arithmetic("-", l.element, by, pos)
	case l.element == nil:
		moved.element = by
	default:
		if n, ok := l.element.(*Number); ok && n.Bits == 0 {
			moved.element = by
			break
		}
		moved.element = p.arithmetic("+", l.element, by, pos)
	}
	return &moved
}

// stored makes a value of what is stored at a place.
func (p *parser) stored(l *place, t ctype, pos Pos) value {
	v := value{typ: t, place: l}
	if t.scalar() {
		v.expr = p.load(l, pos)
	}
	return v
}

// numberOf returns the expression of a value that must be a number.
func (p *parser) numberOf(v value, pos Pos) Expr {
	if v.expr == nil {
		p.failAt(pos, "has something else where a number is expected")
	}
	return v.expr
}

// convert returns a value as a number of a type.
func (p *parser) convert(v value, to Type) Expr {
	if v.expr == nil {
		p.fail("has something else where a number is expected")
	}
	return cast(v.expr, to)
}

// cast returns an expression as one of another type.
func cast(e Expr, to Type) Expr {
	if e.Of() == to {
		return e
	}
	if n, ok := e.(*Number); ok {
		if n = n.as(to); n != nil {
			return n
		}
	}
	if c, ok := e.(*Choice); ok {
		a, first := c.Then.(*Number)
		b, second := c.Else.(*Number)
		if first && second {
			return &Choice{Cond: c.Cond, Then: cast(a, to), Else: cast(b, to), Pos: c.Pos}
		}
	}
	return &Cast{To: to, X: e, Pos: e.At()}
}

// promoted is the type that an operand has in an expression.
func promoted(t Type) Type {
	if t < Int {
		return Int
	}
	return t
}

// common is the type in which two operands meet.
func common(a, b Type) Type { return max(promoted(a), promoted(b)) }

// arithmetic returns a op b.
func (p *parser) arithmetic(op string, a, b Expr, pos Pos) Expr {
	t := common(a.Of(), b.Of())
	switch op {
	case "<<", ">>":
		t = promoted(a.Of())
		if t.Floating() || b.Of().Floating() {
			p.failAt(pos, "has %s of a number that is no integer", op)
		}
		return p.folded(&Binary{op, cast(a, t), cast(b, promoted(b.Of())), t, pos})
	case "%", "&", "|", "^":
		if t.Floating() {
			p.failAt(pos, "has %s of a number that is no integer", op)
		}
	case "&&", "||":
		return &Binary{op, p.truth(a), p.truth(b), Int, pos}
	}
	e := &Binary{op, cast(a, t), cast(b, t), t, pos}
	switch op {
	case "==", "!=", "<", "<=", ">", ">=":
		e.Type = Int
	}
	return p.folded(e)
}

// folded returns the number that an operator of two integers gives, or the operator.
func (p *parser) folded(e *Binary) Expr {
	a, first := e.X.(*Number)
	b, second := e.Y.(*Number)
	if first && second && !a.Type.Floating() && !b.Type.Floating() {
		if bits, ok := operate(e.Op, a.Bits, b.Bits, a.Type); ok {
			return &Number{Type: e.Type, Bits: bits, Pos: e.Pos}
		}
	}
	return e
}

// truth returns an Int that is not 0 where an expression is not 0.
func (p *parser) truth(e Expr) Expr {
	switch t := e.Of(); {
	case t == Int:
		return e
	case t < Int:
		return cast(e, Int)
	default:
		return p.arithmetic("!=", e, p.integer(0, e.At()), e.At())
	}
}

// simple reports whether an expression is a number, a symbol or k, which are the same wherever they stand.
func (p *parser) simple(e Expr) bool {
	switch e := e.(type) {
	case *Number, *Symbol:
		return true
	case *Use:
		return p.tree != nil && e.Var == p.tree.K
	case *Cast:
		return p.simple(e.X)
	case *Unary:
		return e.Op == '-' && p.simple(e.X)
	}
	return false
}

// hold returns an expression as it was before the statements from number mark on, which may change what it reads.
func (p *parser) hold(mark int, e Expr) Expr {
	if e == nil || len(p.out) == mark {
		return e
	}
	changed := map[*Var]bool{}
	walk(p.out[mark:], func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			changed[a.To] = true
		}
	}, nil)
	reads := false
	visit(e, func(e Expr) {
		if u, ok := e.(*Use); ok && changed[u.Var] {
			reads = true
		}
	})
	if !reads {
		return e
	}
	v := p.variable("t", e.Of(), 0, e.At())
	p.out = slices.Insert(p.out, mark, Stmt(&Assign{To: v, Value: e, Pos: e.At()}))
	return &Use{Var: v, Pos: e.At()}
}

// keep returns a value as it was before the statements from number mark on.
func (p *parser) keep(mark int, v value) value {
	v.expr = p.hold(mark, v.expr)
	if v.place != nil && v.place.element != nil {
		l := *v.place
		l.element = p.hold(mark, l.element)
		v.place = &l
	}
	return v
}

// once returns an element that is cheap to write twice.
func (p *parser) once(l *place) *place {
	if l.element == nil || size(l.element, 12) < 12 {
		return l
	}
	pos := l.element.At()
	v := p.variable("i", l.element.Of(), 0, pos)
	p.emit(&Assign{To: v, Value: l.element, Pos: pos})
	held := *l
	held.element = &Use{Var: v, Pos: pos}
	return &held
}
