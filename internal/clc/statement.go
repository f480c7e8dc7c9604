package clc

import "github.com/clopt/clopt/internal/clc/token"

// statement reads a statement.
func (p *parser) statement() {
	defer p.deeper()()
	p.within.nested++
	defer func() { p.within.nested-- }()
	pos := p.pos()
	if p.kind(0) != token.Word {
		switch {
		case p.take(";"):
		case p.is("{"):
			p.inner(p.compoundStatement)
		default:
			p.plain()
		}
		return
	}
	switch word := p.peek(0); word {
	case "if":
		p.branch()
	case "for", "while", "do":
		p.inner(func() { p.loop(word) })
	case "return":
		p.step()
		p.returns(pos)
	case "break", "continue":
		p.step()
		p.expect(";")
		loops := p.within.loops
		if len(loops) == 0 {
			p.failAt(pos, "has %s outside of a loop", word)
		}
		to := loops[len(loops)-1].end
		if word == "continue" {
			to = loops[len(loops)-1].next
		}
		if to == nil {
			p.failAt(pos, "has %s outside of a loop", word)
		}
		p.emit(&Leave{Block: to, Pos: pos})
	case "switch":
		p.inner(p.choose)
	case "goto", "asm", "case", "default":
		p.fail("uses %s", word)
	default:
		switch {
		case p.peek(1) == ":":
			p.fail("has a label")
		case p.declares():
			p.declaration()
		default:
			p.plain()
		}
	}
}

// compoundStatement reads statements in braces.
func (p *parser) compoundStatement() {
	p.expect("{")
	for !p.take("}") {
		if p.at >= p.end {
			p.fail("has a { without }")
		}
		p.statement()
	}
}

// plain reads an expression as a statement.
func (p *parser) plain() {
	p.discarded()
	p.expect(";")
}

// discarded reads an expression whose value nobody uses.
func (p *parser) discarded() {
	mark := len(p.out)
	v := p.expression()
	p.forget(v, mark)
}

// condition reads an expression as a condition, with the statements that come before it.
func (p *parser) condition() (cond Expr, before []Stmt) {
	before = p.capture(func() {
		pos := p.pos()
		cond = p.truth(p.numberOf(p.expression(), pos))
	})
	return cond, before
}

// branch reads an if.
func (p *parser) branch() {
	pos := p.pos()
	p.step()
	p.expect("(")
	pos2 := p.pos()
	cond := p.truth(p.numberOf(p.expression(), pos2))
	p.expect(")")
	s := &If{Cond: cond, Pos: pos}
	s.Then = p.capture(func() { p.inner(p.statement) })
	if p.take("else") {
		s.Else = p.capture(func() { p.inner(p.statement) })
	}
	if n, ok := cond.(*Number); ok {
		if n.Bits != 0 {
			p.out = append(p.out, s.Then...)
		} else {
			p.out = append(p.out, s.Else...)
		}
		return
	}
	p.emit(s)
}

// loop reads for, while or do.
func (p *parser) loop(word string) {
	pos := p.pos()
	p.step()
	l := loop{end: &Block{Pos: pos}, next: &Block{Pos: pos}}
	var cond Expr
	var before, body, post []Stmt
	read := func() {
		p.within.loops = append(p.within.loops, l)
		body = p.capture(func() { p.inner(p.statement) })
		p.within.loops = p.within.loops[:len(p.within.loops)-1]
	}
	cond = p.integer(1, pos)
	switch word {
	case "for":
		p.expect("(")
		if p.declares() {
			p.declaration()
		} else if !p.take(";") {
			p.plain()
		}
		if !p.is(";") {
			cond, before = p.condition()
		}
		p.expect(";")
		third := p.at
		p.skipTo(")")
		read()
		after := p.at
		p.at = third
		if !p.is(")") {
			post = p.capture(p.discarded)
		}
		p.expect(")")
		p.at = after
	case "while":
		p.expect("(")
		cond, before = p.condition()
		p.expect(")")
		read()
	case "do":
		read()
		p.expect("while")
		p.expect("(")
		cond, before = p.condition()
		p.expect(")")
		p.expect(";")
		l.next.Body = body
		body = append([]Stmt{l.next}, before...)
		if bits, ok := p.known(cond); !ok || bits == 0 {
			body = append(body, p.unless(cond, l.end, pos))
		}
		l.end.Body = []Stmt{&Loop{Cond: p.integer(1, pos), Body: body, Pos: pos}}
		if bits, ok := p.known(cond); ok && bits == 0 { // once
			l.end.Body = body[:len(body)-1]
		}
		p.emit(l.end)
		return
	}
	l.next.Body = body
	body = []Stmt{l.next}
	if len(before) > 0 {
		body = append(append(before, p.unless(cond, l.end, pos)), l.next)
		cond = p.integer(1, pos)
	}
	l.end.Body = []Stmt{&Loop{Cond: cond, Body: body, Post: post, Pos: pos}}
	p.emit(l.end)
}

// unless leaves a block where a condition is 0.
func (p *parser) unless(cond Expr, b *Block, pos Pos) Stmt {
	return &If{Cond: not(cond), Then: []Stmt{&Leave{Block: b, Pos: pos}}, Pos: pos}
}

// skipTo goes on after a token outside of brackets.
func (p *parser) skipTo(text string) {
	for depth := 0; ; p.step() {
		switch {
		case p.at >= p.end:
			p.fail("has no %q", text)
		case depth == 0 && p.is(text):
			p.step()
			return
		case p.is("(") || p.is("[") || p.is("{"):
			depth++
		case p.is(")") || p.is("]") || p.is("}"):
			depth--
		}
	}
}
