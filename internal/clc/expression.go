package clc

import (
	"strings"

	"github.com/clopt/clopt/internal/clc/token"
)

// expression reads an expression with commas.
func (p *parser) expression() value {
	for {
		mark := len(p.out)
		v := p.assignment()
		if !p.take(",") {
			return v
		}
		p.forget(v, mark)
	}
}

// forget removes the copy that i++ makes of a value that nobody uses.
func (p *parser) forget(v value, mark int) {
	u, ok := v.expr.(*Use)
	if n := len(p.out); ok && n >= mark+2 {
		if a, ok := p.out[n-2].(*Assign); ok && a.To == u.Var && v.place == nil {
			p.out = append(p.out[:n-2], p.out[n-1])
		}
	}
}

// assignments are the operators that set a place, and the operator in them.
var assignments = map[string]string{"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "&=": "&",
	"|=": "|", "^=": "^", "<<=": "<<", ">>=": ">>"}

// assignment reads an expression without commas.
func (p *parser) assignment() value {
	defer p.deeper()()
	pos := p.pos()
	left := p.conditional()
	op, ok := assignments[p.peek(0)]
	if !ok || p.kind(0) != token.Sign {
		return left
	}
	p.step()
	if left.typ.pointer {
		return p.assignPointer(left, op, pos)
	}
	if left.place == nil {
		p.failAt(pos, "sets what is no variable")
	}
	if op != "" {
		left.place = p.once(left.place)
	}
	mark := len(p.out)
	right := p.assignment()
	left = p.keepPlace(mark, left)
	if left.typ.record != nil || left.typ.dims != nil {
		if op != "" {
			p.failAt(pos, "has %s= of a struct", op)
		}
		p.copy(left, right, pos)
		return left
	}
	e := p.numberOf(right, pos)
	if op != "" {
		e = p.arithmetic(op, p.load(left.place, pos), e, pos)
	}
	p.store(left.place, cast(e, left.expr.Of()), pos)
	return p.stored(left.place, left.typ, pos)
}

// keepPlace returns a value whose place is what it was before the statements from number mark on.
func (p *parser) keepPlace(mark int, v value) value {
	if v.place != nil && v.place.element != nil {
		l := *v.place
		l.element = p.hold(mark, l.element)
		v.place = &l
	}
	return v
}

// copy sets a struct to another one.
func (p *parser) copy(left, right value, pos Pos) {
	if left.typ.dims != nil || right.typ.dims != nil || left.typ.record == nil || right.typ.record != left.typ.record {
		p.failAt(pos, "sets an array")
	}
	if left.place.same(right.place) {
		return
	}
	for i, count := range left.typ.record.counts(nil, 1) {
		from, to := right.place.of(i, 1), left.place.of(i, 1)
		if count == 1 {
			p.store(to, p.load(from, pos), pos)
			continue
		}
		j := p.variable("i", Int, 0, pos)
		use := &Use{Var: j, Pos: pos}
		inner := func(l *place) *place {
			if l.element != nil {
				l.element = p.arithmetic("*", l.element, p.integer(int64(count), pos), pos)
			}
			return p.add(l, use, 1, false, pos)
		}
		from, to = inner(from), inner(to)
		p.emit(p.counted(j, count, p.capture(func() { p.store(to, p.load(from, pos), pos) }), pos)...)
	}
}

// counted returns a loop of a variable from 0 to before a number.
func (p *parser) counted(i *Var, to int, body []Stmt, pos Pos) []Stmt {
	use := &Use{Var: i, Pos: pos}
	return []Stmt{&Assign{To: i, Value: p.integer(0, pos), Pos: pos},
		&Loop{Cond: &Binary{"<", use, p.integer(int64(to), pos), Int, pos}, Body: body,
			Post: []Stmt{&Assign{To: i, Value: &Binary{"+", use, p.integer(1, pos), Int, pos}, Pos: pos}}, Pos: pos}}
}

// conditional reads a ? b : c, or an operator that binds stronger.
func (p *parser) conditional() value {
	v := p.binary(1)
	if !p.is("?") {
		return v
	}
	defer p.deeper()()
	pos := p.pos()
	p.step()
	cond := p.truth(p.numberOf(v, pos))
	var a, b value
	first := p.capture(func() { a = p.expression() })
	p.expect(":")
	second := p.capture(func() { b = p.conditional() })
	if a.expr == nil || b.expr == nil {
		if a.typ.record != nil && a.typ.record == b.typ.record && a.typ.dims == nil && b.typ.dims == nil {
			return p.chooseRecord(cond, a, b, first, second, pos)
		}
		p.failAt(pos, "chooses between what are no numbers")
	}
	t := a.expr.Of()
	if o := b.expr.Of(); o != t {
		t = common(t, o)
	}
	if promoted(t) != t {
		t = Int
	}
	if len(first) == 0 && len(second) == 0 {
		if n, ok := cond.(*Number); ok {
			if n.Bits != 0 {
				return value{typ: ctype{base: t}, expr: cast(a.expr, t)}
			}
			return value{typ: ctype{base: t}, expr: cast(b.expr, t)}
		}
		e := &Choice{Cond: cond, Then: cast(a.expr, t), Else: cast(b.expr, t), Pos: pos}
		return value{typ: ctype{base: t}, expr: e}
	}
	to := p.variable("choice", t, 0, pos)
	p.emit(&If{Cond: cond, Then: append(first, &Assign{To: to, Value: cast(a.expr, t), Pos: pos}),
		Else: append(second, &Assign{To: to, Value: cast(b.expr, t), Pos: pos}), Pos: pos})
	return value{typ: ctype{base: t}, expr: &Use{Var: to, Pos: pos}}
}

// chooseRecord makes the choice between two structs.
func (p *parser) chooseRecord(cond Expr, a, b value, first, second []Stmt, pos Pos) value {
	to := p.stored(&place{vars: p.variables("choice", a.typ, pos)}, a.typ, pos)
	first = append(first, p.capture(func() { p.copy(to, a, pos) })...)
	second = append(second, p.capture(func() { p.copy(to, b, pos) })...)
	p.emit(&If{Cond: cond, Then: first, Else: second, Pos: pos})
	return value{typ: to.typ, place: to.place}
}

// strengths say how strongly an operator binds.
var strengths = map[string]int{"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7,
	">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}

// binary reads operators that bind at least so strongly.
func (p *parser) binary(least int) value {
	defer p.deeper()()
	mark := len(p.out)
	left := p.unary()
	for {
		op := p.peek(0)
		strength := strengths[op]
		if strength < least || strength == 0 || p.kind(0) != token.Sign {
			return left
		}
		pos := p.pos()
		p.step()
		switch {
		case op == "&&" || op == "||":
			left = p.logical(op, left, strength, pos)
		case left.typ.pointer || left.typ.array():
			left = p.pointerOperator(op, left, p.binary(strength+1), pos)
		default:
			a := p.numberOf(left, pos)
			mark = len(p.out)
			right := p.binary(strength + 1)
			if right.typ.pointer || right.typ.array() {
				left = p.pointerOperator(op, right, value{typ: left.typ, expr: p.hold(mark, a)}, pos)
				continue
			}
			b := p.numberOf(right, pos)
			a = p.hold(mark, a)
			e := p.arithmetic(op, a, b, pos)
			left = value{typ: ctype{base: e.Of()}, expr: e}
		}
	}
}

// logical reads the right side of && or ||, which is computed only where the left one does not decide.
func (p *parser) logical(op string, left value, strength int, pos Pos) value {
	a := p.truth(p.numberOf(left, pos))
	var right value
	added := p.capture(func() { right = p.binary(strength + 1) })
	b := p.truth(p.numberOf(right, pos))
	t := ctype{base: Int}
	if len(added) == 0 {
		return value{typ: t, expr: &Binary{op, a, b, Int, pos}}
	}
	to := p.variable("both", Int, 0, pos)
	p.emit(&Assign{To: to, Value: p.arithmetic("!=", a, p.integer(0, pos), pos), Pos: pos})
	use := &Use{Var: to, Pos: pos}
	branch := &If{Cond: use, Then: append(added, &Assign{To: to,
		Value: p.arithmetic("!=", b, p.integer(0, pos), pos), Pos: pos}), Pos: pos}
	if op == "||" {
		branch.Cond = not(use)
	}
	p.emit(branch)
	return value{typ: t, expr: use}
}

// pointerOperator returns a pointer and an integer, added or subtracted.
func (p *parser) pointerOperator(op string, left, right value, pos Pos) value {
	if op != "+" && op != "-" {
		p.failAt(pos, "has %s of pointers", op)
	}
	by := p.numberOf(right, pos)
	if left.typ.array() { // it becomes a pointer to its first element
		left.typ = left.typ.element()
		left.typ.pointer = true
	}
	if left.place == nil {
		p.failAt(pos, "uses a pointer without a value")
	}
	return value{typ: left.typ, place: p.add(left.place, by, left.typ.element().size(), op == "-", pos)}
}

// unary reads operators before an operand.
func (p *parser) unary() value {
	defer p.deeper()()
	pos := p.pos()
	if p.kind(0) != token.Sign {
		return p.postfix()
	}
	switch op := p.peek(0); op {
	case "-", "~", "!", "+":
		p.step()
		v := p.unary()
		e := p.sign(op[0], p.numberOf(v, pos), pos)
		return value{typ: ctype{base: e.Of()}, expr: e}
	case "++", "--":
		p.step()
		v := p.unary()
		return p.increase(v, op[:1], pos)
	case "*":
		p.step()
		v := p.unary()
		if !v.typ.pointer && !v.typ.array() || v.place == nil {
			p.failAt(pos, "has * of what is no pointer")
		}
		return p.stored(v.place, v.typ.element(), pos)
	case "&":
		p.step()
		v := p.unary()
		if v.place == nil || v.typ.pointer || v.typ.array() {
			p.failAt(pos, "has & of what is no variable")
		}
		v.typ.pointer = true
		return value{typ: v.typ, place: v.place}
	case "(":
		if t, ok := p.castAhead(); ok {
			return p.casted(t, pos)
		}
	}
	return p.postfix()
}

// sign returns an operator of one operand.
func (p *parser) sign(op byte, e Expr, pos Pos) Expr {
	if op == '!' {
		e = p.truth(e)
		if u, ok := e.(*Unary); ok && u.Op == '!' { // 0 or 1, and not what stands behind both
			return p.arithmetic("!=", u.X, p.integer(0, pos), pos)
		}
		return not(e)
	}
	e = cast(e, promoted(e.Of()))
	n, number := e.(*Number)
	switch {
	case op == '+':
		return e
	case op == '~' && e.Of().Floating():
		p.failAt(pos, "has ~ of a number that is no integer")
	case number && !n.Type.Floating() && op == '-':
		return &Number{Type: n.Type, Bits: wrapped(-n.Bits, n.Type), Pos: pos}
	case number && op == '-' && !strings.HasPrefix(n.Text, "-"):
		negative := &Number{Type: n.Type, Value: -n.Value, Pos: pos}
		if n.Text != "" && constants[n.Text].text == "" {
			negative.Text = "-" + n.Text
		}
		return negative
	}
	return &Unary{Op: op, X: e, Pos: pos}
}

// increase adds 1 to what is stored at a place, or subtracts it.
func (p *parser) increase(v value, op string, pos Pos) value {
	if v.typ.pointer {
		return p.move(v, p.integer(1, pos), op == "-", pos)
	}
	if v.place == nil || v.expr == nil {
		p.failAt(pos, "has %s%s of what is no variable", op, op)
	}
	l := p.once(v.place)
	e := p.arithmetic(op, p.load(l, pos), p.integer(1, pos), pos)
	p.store(l, cast(e, v.expr.Of()), pos)
	return p.stored(l, v.typ, pos)
}

// castAhead goes on after a type in parentheses, if one stands here.
func (p *parser) castAhead() (t ctype, ok bool) {
	begin := p.at
	p.step()
	if !p.declares() {
		p.at = begin
		return t, false
	}
	s := p.specify()
	if p.is("(") {
		p.fail("casts to another kind of pointer")
	}
	for p.take("*") {
		if s.typ.pointer {
			p.fail("uses a pointer to a pointer")
		}
		s.typ.pointer = true
		for _, known := qualifiers[p.peek(0)]; known; _, known = qualifiers[p.peek(0)] {
			p.step()
		}
	}
	if p.is("[") {
		p.fail("uses an array without a name")
	}
	p.expect(")")
	return s.typ, true
}

// casted reads what stands after a type in parentheses.
func (p *parser) casted(t ctype, pos Pos) value {
	if p.is("{") {
		if t.record == nil && !t.scalar() {
			p.fail("uses an array without a name")
		}
		return p.compound(t, pos)
	}
	v := p.unary()
	switch {
	case t.scalar() && v.expr != nil:
		return value{typ: t, expr: p.explicit(v.expr, t.base, pos)}
	case t.base == Void && t.record == nil && t.handle == 0 && !t.pointer:
		return value{}
	case t.pointer && (v.typ.pointer || v.typ.array()) && p.alike(t, v.typ.element()):
		t.dims = v.typ.element().dims
		return value{typ: t, place: v.place}
	}
	p.failAt(pos, "casts to what is no number")
	return value{}
}

// explicit returns a cast that stands in the text.
func (p *parser) explicit(e Expr, to Type, pos Pos) Expr {
	if c := cast(e, to); c != e {
		if of, ok := c.(*Cast); ok {
			of.Pos = pos
		}
		return c
	}
	return e
}

// compound reads a struct, or a number, in braces after its type.
func (p *parser) compound(t ctype, pos Pos) value {
	var all []initial
	p.fill(t, 0, 0, &all)
	vars := p.variables("v", t, pos)
	for i, v := range vars {
		p.setAll(v, i, all, declarator{typ: t, pos: pos})
	}
	return p.stored(&place{vars: vars}, t, pos)
}
