package clc

import (
	"slices"

	"github.com/clopt/clopt/internal/clc/token"
)

// alike reports whether a pointer may point to elements of a type. A real is a double, or a float, as the run has it.
func (p *parser) alike(pointer, to ctype) bool {
	if pointer.record != to.record || pointer.handle != to.handle {
		return false
	}
	own := func(t Type) Type {
		switch {
		case t == Real && p.text.RealBits == 32:
			return Float
		case t == Real:
			return Double
		}
		return t
	}
	return own(pointer.base) == own(to.base)
}

// pointTo sets what a pointer points to.
func (p *parser) pointTo(s *symbol, v value, pos Pos) {
	if !v.typ.pointer && !v.typ.array() || v.place == nil {
		p.failAt(pos, "has a pointer %s to what is not known", s.name)
	}
	of := v.typ.element()
	if !p.alike(s.typ, of) || !slices.Equal(s.typ.dims, of.dims) {
		p.failAt(pos, "has a pointer %s to another type", s.name)
	}
	if s.place == nil {
		p.bind(s, v.place, pos)
		return
	}
	if !s.place.same(v.place) || s.slot == nil {
		p.failAt(pos, "has a pointer %s to several arrays", s.name)
	}
	element := v.place.element
	if element == nil {
		element = p.integer(0, pos)
	}
	p.emit(&Assign{To: s.slot, Value: cast(element, s.slot.Type), Pos: pos})
}

// bind sets for the first time what a pointer points to. The element is a variable of its own, unless it is a number
// and stays.
func (p *parser) bind(s *symbol, to *place, pos Pos) {
	l := *to
	s.place = &l
	moves := !s.fixed && p.changes(s.name, p.at, p.bodyEnd())
	if !moves && (l.element == nil || p.simple(l.element)) {
		return
	}
	if l.table == "" && l.vars[0].Len == 0 && !moves {
		return
	}
	element := l.element
	if element == nil {
		element = p.integer(0, pos)
	}
	s.slot = p.variable(s.name+"_at", promoted(element.Of()), 0, pos)
	p.emit(&Assign{To: s.slot, Value: cast(element, s.slot.Type), Pos: pos})
	l.element = &Use{Var: s.slot, Pos: pos}
}

// bodyEnd is the end of the body of the function that is being read.
func (p *parser) bodyEnd() int {
	if p.within == nil {
		return p.end
	}
	return p.within.body[1]
}

// changes reports whether tokens may change a variable, or take its address.
func (p *parser) changes(name string, from, to int) bool {
	for i := from; i < to; i++ {
		t := p.tokens[i]
		if t.Text != name || t.Kind != token.Word {
			continue
		}
		before, after := p.tokens[max(0, i-1)], p.tokens[i+1]
		_, sets := assignments[after.Text]
		switch {
		case sets && before.Text != "*", after.Text == "++", after.Text == "--", before.Text == "++",
			before.Text == "--", before.Text == "&":
			return true
		}
	}
	return false
}

// assignPointer reads what stands after p = or p +=.
func (p *parser) assignPointer(left value, op string, pos Pos) value {
	if left.symbol == nil {
		p.failAt(pos, "sets a pointer that is no variable")
	}
	right := p.assignment()
	switch op {
	case "":
		p.pointTo(left.symbol, right, pos)
		return value{typ: left.typ, place: left.symbol.place, symbol: left.symbol}
	case "+", "-":
		return p.move(left, p.numberOf(right, pos), op == "-", pos)
	}
	p.failAt(pos, "has %s= of a pointer", op)
	return value{}
}

// move adds to a pointer.
func (p *parser) move(v value, by Expr, minus bool, pos Pos) value {
	s := v.symbol
	if s == nil || s.slot == nil {
		p.failAt(pos, "moves a pointer that is no variable")
	}
	to := p.add(s.place, by, v.typ.element().size(), minus, pos)
	p.emit(&Assign{To: s.slot, Value: cast(to.element, s.slot.Type), Pos: pos})
	return value{typ: v.typ, place: s.place, symbol: s}
}

// postfix reads an operand with what stands after it.
func (p *parser) postfix() value {
	v := p.operand()
	for {
		pos := p.pos()
		if p.kind(0) != token.Sign {
			return v
		}
		switch p.peek(0) {
		case "[":
			defer p.deeper()()
			p.step()
			mark := len(p.out)
			i := p.numberOf(p.expression(), pos)
			p.expect("]")
			v = p.keepPlace(mark, v)
			if !v.typ.pointer && !v.typ.array() || v.place == nil {
				if v.typ.handle == point {
					p.failAt(pos, "reads a variable without at( )")
				}
				p.failAt(pos, "has an index of what is no array")
			}
			of := v.typ.element()
			v = p.stored(p.add(v.place, i, of.size(), false, pos), of, pos)
		case ".":
			p.step()
			v = p.member(v, pos)
		case "->":
			p.step()
			if !v.typ.pointer || v.place == nil {
				p.failAt(pos, "has -> of what is no pointer")
			}
			v = p.member(value{typ: v.typ.element(), place: v.place}, pos)
		case "++", "--":
			op := p.peek(0)[:1]
			p.step()
			v = p.increaseAfter(v, op, pos)
		default:
			return v
		}
	}
}

// increaseAfter reads i++ or i--, whose value is that before.
func (p *parser) increaseAfter(v value, op string, pos Pos) value {
	if v.typ.pointer {
		if v.symbol == nil || v.symbol.slot == nil {
			p.failAt(pos, "moves a pointer that is no variable")
		}
		slot := v.symbol.slot
		before := p.variable("t", slot.Type, 0, pos)
		p.emit(&Assign{To: before, Value: &Use{Var: slot, Pos: pos}, Pos: pos})
		p.move(v, p.integer(1, pos), op == "-", pos)
		l := *v.symbol.place
		l.element = &Use{Var: before, Pos: pos}
		return value{typ: v.typ, place: &l}
	}
	if v.place == nil || v.expr == nil {
		p.failAt(pos, "has %s%s of what is no variable", op, op)
	}
	v.place = p.once(v.place)
	before := p.variable("t", v.expr.Of(), 0, pos)
	p.emit(&Assign{To: before, Value: p.load(v.place, pos), Pos: pos})
	p.increase(v, op, pos)
	return value{typ: v.typ, expr: &Use{Var: before, Pos: pos}}
}

// member reads the name after a point.
func (p *parser) member(v value, pos Pos) value {
	name := p.peek(0)
	if p.kind(0) != token.Word {
		p.fail("has %q after a point", name)
	}
	p.step()
	if v.typ.handle == data && !v.typ.pointer {
		if t, ok := p.text.Tables[name]; ok {
			return value{typ: ctype{base: t, pointer: true}, place: &place{table: name}}
		}
		if _, ok := p.text.Symbols["d."+name]; ok {
			return value{typ: ctype{base: UInt}, expr: &Symbol{Name: "d." + name, Pos: pos}}
		}
		p.failAt(pos, "uses d.%s, which is no table", name)
	}
	if v.typ.record == nil || v.typ.dims != nil || v.typ.pointer || v.place == nil {
		p.failAt(pos, "uses .%s of what is no struct", name)
	}
	for _, f := range v.typ.record.fields {
		if f.name != name {
			continue
		}
		width := 1
		if f.typ.record != nil {
			width = f.typ.record.width
		}
		l := v.place.of(f.first, width)
		if f.typ.dims != nil && l.element != nil {
			l.element = p.arithmetic("*", l.element, p.integer(int64(f.typ.size()), pos), pos)
		}
		return p.stored(l, f.typ, pos)
	}
	p.failAt(pos, "uses .%s, which the struct has not", name)
	return value{}
}
