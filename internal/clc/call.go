package clc

// call puts what a function does in the place of its call, and returns its value.
func (p *parser) call(f *function, args []value, pos Pos) value {
	defer p.deeper()()
	for c := p.within; c != nil; c = c.outer {
		if c.function == f {
			p.failAt(pos, "has %s, which calls itself", f.name)
		}
	}
	if len(args) != len(f.params) {
		p.failAt(pos, "calls %s with %d values", f.name, len(args))
	}
	at, outer, before := p.at, p.scope, p.within
	end := p.closing(f.body)
	c := &call{function: f, outer: before, block: &Block{Pos: f.pos}, body: [2]int{f.body, end}}
	p.scope = &scope{outer: p.root()}
	p.within = c
	p.at = f.body
	statements := p.out
	p.out = nil
	for i, param := range f.params {
		p.parameter(param, args[i], pos)
	}
	p.expect("{")
	for p.at < end-1 {
		p.statement()
	}
	body := p.out
	p.out = statements
	p.at, p.scope, p.within = at, outer, before
	if c.left {
		c.block.Body = body
		p.emit(c.block)
	} else {
		p.out = append(p.out, body...)
	}
	switch {
	case c.result != nil:
		return p.stored(c.result, f.result, pos)
	case c.value != nil:
		return *c.value
	case f.result.void() && !f.result.pointer:
		return value{}
	}
	p.failAt(f.pos, "has a function %s that returns nothing", f.name)
	return value{}
}

// root is the scope of the file.
func (p *parser) root() *scope {
	s := p.scope
	for s.outer != nil {
		s = s.outer
	}
	return s
}

// closing returns the end of what begins with {.
func (p *parser) closing(open int) int {
	before, steps := p.at, p.steps
	p.at = open
	p.skip("{", "}")
	end := p.at
	p.at, p.steps = before, steps
	return end
}

// parameter binds a parameter of the function that is read.
func (p *parser) parameter(d param, arg value, pos Pos) {
	if d.name == "" {
		return
	}
	switch {
	case d.typ.handle != 0:
		if arg.typ.handle != d.typ.handle || d.typ.pointer {
			p.failAt(pos, "has another value for %s", d.name)
		}
		p.scope.set(d.name, &symbol{typ: d.typ})
	case d.typ.pointer:
		s := &symbol{typ: d.typ, name: d.name, fixed: d.fixed}
		p.scope.set(d.name, s)
		p.pointTo(s, arg, pos)
	case d.typ.record != nil:
		to := p.stored(&place{vars: p.variables(d.name, d.typ, pos)}, d.typ, pos)
		p.copy(to, arg, pos)
		p.scope.set(d.name, &symbol{typ: d.typ, place: to.place})
	default:
		if arg.expr == nil {
			p.failAt(pos, "has another value for %s", d.name)
		}
		e := cast(arg.expr, d.typ.base)
		if p.simple(e) && !p.changes(d.name, p.at, p.within.body[1]) {
			p.scope.set(d.name, &symbol{typ: d.typ, fixed: true, expr: e})
			return
		}
		v := p.variable(d.name, d.typ.base, 0, pos)
		p.emit(&Assign{To: v, Value: e, Pos: pos})
		p.scope.set(d.name, &symbol{typ: d.typ, place: &place{vars: []*Var{v}}})
	}
}

// returns reads what stands after return.
func (p *parser) returns(pos Pos) {
	c := p.within
	t := c.function.result
	if t.pointer || t.handle != 0 {
		p.failAt(pos, "returns a pointer")
	}
	void := t.void()
	if p.take(";") {
		if !void {
			p.failAt(pos, "returns no value")
		}
	} else {
		v := p.expression()
		p.expect(";")
		if void && (v.expr != nil || v.place != nil) {
			p.failAt(pos, "returns a value of no type")
		}
		last := c.nested == 1 && p.at == c.body[1]-1
		switch {
		case void:
		case last && c.result == nil && t.scalar() && v.expr != nil:
			c.value = &value{typ: t, expr: cast(v.expr, t.base)}
			return
		default:
			p.result(v, pos)
		}
		if last {
			return
		}
	}
	c.left = true
	p.emit(&Leave{Block: c.block, Pos: pos})
}

// result keeps the value of a function.
func (p *parser) result(v value, pos Pos) {
	c := p.within
	t := c.function.result
	if c.result == nil {
		c.result = &place{vars: p.variables(c.function.name, t, pos)}
	}
	to := p.stored(c.result, t, pos)
	if t.record != nil {
		p.copy(to, v, pos)
		return
	}
	p.store(c.result, cast(p.numberOf(v, pos), t.base), pos)
}
