package clc

import (
	"strings"

	"github.com/clopt/clopt/internal/clc/token"
)

// operand reads a number, a name, a call, or an expression in parentheses.
func (p *parser) operand() value {
	pos, word := p.pos(), p.peek(0)
	switch {
	case p.number():
		n := p.literal()
		return value{typ: ctype{base: n.Type}, expr: n}
	case p.take("("):
		v := p.expression()
		p.expect(")")
		return v
	case p.kind(0) != token.Word:
		p.fail("has %q where a value is expected", word)
	}
	if s := p.scope.find(word); s != nil {
		p.step()
		return p.named(s, word, pos)
	}
	if word == "sizeof" {
		return p.sizeOf()
	}
	p.step()
	if p.is("(") {
		return p.builtin(word, pos)
	}
	if n := p.constant(word, pos); n != nil {
		return value{typ: ctype{base: n.Type}, expr: n}
	}
	if _, ok := p.text.Symbols[word]; ok && !strings.Contains(word, ".") {
		return value{typ: ctype{base: UInt}, expr: &Symbol{Name: word, Pos: pos}}
	}
	if word == "switch" || word == "goto" || word == "asm" {
		p.failAt(pos, "uses %s", word)
	}
	p.failAt(pos, "uses %s, which is not known", word)
	return value{}
}

// named returns what a name of the text stands for.
func (p *parser) named(s *symbol, name string, pos Pos) value {
	switch {
	case s.opaque != "":
		p.failAt(pos, "%s", s.opaque)
	case s.isType:
		p.failAt(pos, "has the type %s where a value is expected", name)
	case s.function != nil:
		if !p.is("(") {
			p.failAt(pos, "uses a pointer to the function %s", name)
		}
		return p.call(s.function, p.arguments(), pos)
	case s.expr != nil:
		return value{typ: s.typ, expr: s.expr}
	case s.typ.pointer:
		return value{typ: s.typ, place: s.place, symbol: s}
	case s.typ.handle != 0:
		return value{typ: s.typ}
	}
	v := p.stored(p.ofTree(s.place), s.typ, pos)
	v.symbol = s
	return v
}

// ofTree returns a place of the file with its own variable in the tree.
func (p *parser) ofTree(l *place) *place {
	if l.vars[0].Const == nil || p.within == nil {
		return l
	}
	v := l.vars[0]
	for _, own := range p.tree.Vars {
		if own == v || own.Const != nil && &own.Const[0] == &v.Const[0] {
			moved := *l
			moved.vars = []*Var{own}
			return &moved
		}
	}
	own := *v
	own.Name = p.name(v.Name)
	p.tree.Vars = append(p.tree.Vars, &own)
	moved := *l
	moved.vars = []*Var{&own}
	return &moved
}

// arguments reads the arguments of a call.
func (p *parser) arguments() (args []value) {
	defer p.deeper()()
	p.expect("(")
	for !p.take(")") {
		if len(args) > 0 {
			p.expect(",")
		}
		mark := len(p.out)
		v := p.assignment()
		if len(p.out) > mark {
			for i := range args {
				args[i] = p.keep(mark, args[i])
			}
		}
		args = append(args, v)
	}
	return args
}

// sizeOf reads the size of a type or an expression.
func (p *parser) sizeOf() value {
	pos := p.pos()
	p.step()
	bytes := map[Type]int{Bool: 1, Char: 1, UChar: 1, Short: 2, UShort: 2, Int: 4, UInt: 4, Long: 8, ULong: 8, Float: 4,
		Real: p.text.RealBits / 8, Double: 8}
	var t ctype
	cast := false
	if p.is("(") {
		t, cast = p.castAhead()
	}
	if !cast {
		p.capture(func() { t = p.unary().typ })
	}
	if t.record != nil || t.pointer || t.handle != 0 || bytes[t.base] == 0 {
		p.failAt(pos, "uses the size of what is no number")
	}
	n := &Number{Type: ULong, Bits: uint64(t.size() * bytes[t.base]), Pos: pos}
	return value{typ: ctype{base: ULong}, expr: n}
}
