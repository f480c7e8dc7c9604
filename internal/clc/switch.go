package clc

// segment is what stands between two labels of a switch.
type segment struct {
	values   []Expr
	standard bool // it has the label default
	body     []Stmt
}

// choose reads a switch, which becomes branches. A segment must end with a jump, such as break.
func (p *parser) choose() {
	pos := p.pos()
	p.step()
	p.expect("(")
	e := p.numberOf(p.expression(), pos)
	p.expect(")")
	if e.Of().Floating() {
		p.failAt(pos, "has a switch of a number that is no integer")
	}
	of := p.variable("choice", promoted(e.Of()), 0, pos)
	p.emit(&Assign{To: of, Value: cast(e, of.Type), Pos: pos})
	end := &Block{Pos: pos}
	next := (*Block)(nil)
	if n := len(p.within.loops); n > 0 {
		next = p.within.loops[n-1].next
	}
	p.within.loops = append(p.within.loops, loop{end, next})
	all := p.segments(of)
	p.within.loops = p.within.loops[:len(p.within.loops)-1]
	var last []Stmt // of all labels but those
	for _, s := range all {
		if s.standard {
			last = s.body
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].standard {
			continue
		}
		var cond Expr
		for _, v := range all[i].values {
			is := p.arithmetic("==", &Use{Var: of, Pos: pos}, v, pos)
			if cond == nil {
				cond = is
				continue
			}
			cond = &Binary{"||", cond, is, Int, pos}
		}
		last = []Stmt{&If{Cond: cond, Then: all[i].body, Else: last, Pos: pos}}
	}
	end.Body = last
	p.emit(end)
}

// segments reads what stands in the braces of a switch of a variable.
func (p *parser) segments(of *Var) (all []segment) {
	p.expect("{")
	for !p.take("}") {
		var s segment
		for p.is("case") || p.is("default") {
			if p.take("default") {
				p.expect(":")
				s.standard = true
				continue
			}
			p.step()
			pos := p.pos()
			bits := p.constantInteger()
			s.values = append(s.values, &Number{Type: of.Type, Bits: wrapped(bits, of.Type), Pos: pos})
			p.expect(":")
		}
		if len(s.values) == 0 && !s.standard {
			p.fail("has %q in a switch before a case", p.peek(0))
		}
		pos := p.pos()
		s.body = p.capture(func() {
			for !p.is("case") && !p.is("default") && !p.is("}") {
				p.statement()
			}
		})
		if !p.is("}") && !jumps(s.body) {
			p.failAt(pos, "has a case that goes on in the next one")
		}
		all = append(all, s)
	}
	return all
}

// jumps reports whether a list ends with a jump.
func jumps(list []Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *Leave:
		return true
	case *If:
		return jumps(s.Then) && jumps(s.Else)
	}
	return false
}
