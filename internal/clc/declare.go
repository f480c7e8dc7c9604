package clc

import (
	"slices"

	"github.com/clopt/clopt/internal/clc/token"
)

// specifiers are what a declaration begins with.
type specifiers struct {
	typ      ctype
	fixed    bool // const or constant
	typedef  bool
	overload bool
}

// declares reports whether a declaration begins here.
func (p *parser) declares() bool {
	word := p.peek(0)
	if p.kind(0) != token.Word {
		return false
	}
	if s := p.scope.find(word); s != nil {
		return s.isType
	}
	_, number := types[word]
	_, qualifier := qualifiers[word]
	switch word {
	case "typedef", "struct", "union", "enum", "unsigned", "signed", "__attribute__", "extern", "local", "__local",
		"half", "sum", "point", "data":
		return true
	}
	return number || qualifier || vector.MatchString(word)
}

// specify reads the words that a declaration begins with.
func (p *parser) specify() (s specifiers) {
	sign, found := "", false
	for p.kind(0) == token.Word {
		word := p.peek(0)
		named := p.scope.find(word)
		constant, qualifier := qualifiers[word]
		t, number := types[word]
		switch {
		case qualifier:
			s.fixed = s.fixed || constant
		case word == "typedef":
			s.typedef = true
		case word == "__attribute__":
			p.attribute(&s)
			continue
		case word == "unsigned" || word == "signed":
			sign = word
		case named != nil && named.isType && !found && sign == "":
			if named.opaque != "" {
				p.fail("%s", named.opaque)
			}
			s.typ, found = named.typ, true
		case named != nil:
			return p.signed(s, sign, found)
		case number && !found:
			s.typ.base, found = t, true
		case word == "int" && (s.typ.base == Short || s.typ.base == Long): // long int
		case word == "point" && !found:
			s.typ.handle, found = point, true
		case word == "data" && !found:
			s.typ.handle, found = data, true
		case word == "struct" && !found:
			s.typ.record, found = p.structure(), true
			continue
		case word == "enum" && !found:
			p.enumeration()
			s.typ.base, found = Int, true
			continue
		case word == "union" || word == "extern" || word == "local" || word == "__local" || word == "half" ||
			word == "sum" && !found || vector.MatchString(word) || number: // a variable may be called sum
			p.fail("uses %s", word)
		default:
			return p.signed(s, sign, found)
		}
		p.step()
	}
	return p.signed(s, sign, found)
}

// signed ends the words of a type.
func (p *parser) signed(s specifiers, sign string, found bool) specifiers {
	if !found && sign == "" {
		p.fail("has %q where a type is expected", p.peek(0))
	}
	if !found {
		s.typ.base = Int
	}
	if sign == "unsigned" {
		t, ok := unsignedOf[s.typ.base]
		if !ok {
			p.fail("uses an unsigned type that is none")
		}
		s.typ.base = t
	}
	return s
}

// attribute goes on after __attribute__((…)).
func (p *parser) attribute(s *specifiers) {
	p.step()
	begin := p.at
	p.skip("(", ")")
	for _, t := range p.tokens[begin:p.at] {
		if t.Text == "overloadable" {
			s.overload = true
			p.failAt(posOf(t), "uses overloadable")
		}
	}
}

// structure reads a struct, and its fields if they stand here.
func (p *parser) structure() *record {
	p.step()
	name := ""
	if p.is("__attribute__") {
		p.fail("uses a struct with attributes")
	}
	if p.kind(0) == token.Word {
		name = p.peek(0)
		p.step()
	}
	tag := "struct " + name
	if !p.is("{") {
		if s := p.scope.find(tag); s != nil {
			return s.typ.record
		}
		p.fail("uses a struct without its fields")
	}
	r := &record{}
	if name != "" {
		p.scope.set(tag, &symbol{typ: ctype{record: r}, isType: true})
	}
	p.expect("{")
	for !p.take("}") {
		s := p.specify()
		for {
			d := p.declarator(s)
			if d.typ.pointer || d.typ.handle != 0 || d.typ.record == r || d.function || d.open || d.typ.void() {
				p.failAt(d.pos, "uses a struct with what is no number")
			}
			r.fields = append(r.fields, field{d.name, d.typ, r.width})
			width := 1
			if d.typ.record != nil {
				width = d.typ.record.width
			}
			if r.width += width; r.width > 256 {
				p.failAt(d.pos, "uses a struct of more than 256 fields")
			}
			if !p.take(",") {
				break
			}
		}
		p.expect(";")
	}
	if r.width == 0 {
		p.fail("uses a struct without fields")
	}
	return r
}

// enumeration reads an enum.
func (p *parser) enumeration() {
	p.step()
	if p.kind(0) == token.Word {
		p.step()
	}
	if !p.take("{") {
		return
	}
	next := int64(0)
	for !p.take("}") {
		pos, name := p.pos(), p.peek(0)
		if p.kind(0) != token.Word {
			p.fail("has %q where a name is expected", name)
		}
		p.step()
		if p.take("=") {
			next = int64(p.constantInteger())
		}
		p.scope.set(name, &symbol{typ: ctype{base: Int}, expr: p.integer(int64(int32(next)), pos)})
		next++
		if !p.take(",") && !p.is("}") {
			p.fail("has %q in an enum", p.peek(0))
		}
	}
}

// constantInteger reads an expression of integers that is known.
func (p *parser) constantInteger() uint64 {
	pos := p.pos()
	var v value
	if added := p.capture(func() { v = p.conditional() }); len(added) > 0 || v.expr == nil {
		p.failAt(pos, "has no constant here")
	}
	bits, ok := p.known(v.expr)
	if !ok {
		p.failAt(pos, "has a size that is not known")
	}
	return bits
}

// declarator is a name with its type.
type declarator struct {
	name     string
	typ      ctype
	fixed    bool
	pos      Pos
	function bool // the next token is its (
	open     bool // an array without its length
}

// declarator reads a name with what stands around it: * and [ ].
func (p *parser) declarator(s specifiers) declarator {
	d := declarator{typ: s.typ, fixed: s.fixed}
	stars := func() {
		for p.take("*") {
			if d.typ.pointer || d.typ.dims != nil {
				p.fail("uses a pointer to a pointer")
			}
			d.typ.pointer, d.fixed = true, false
			for _, known := qualifiers[p.peek(0)]; known; _, known = qualifiers[p.peek(0)] {
				d.fixed = d.fixed || p.is("const")
				p.step()
			}
		}
	}
	stars()
	brackets := p.is("(") && p.peek(1) == "*" // a pointer to arrays
	if brackets {
		p.step()
		stars()
	}
	d.pos = p.pos()
	if p.kind(0) != token.Word {
		p.fail("has %q where a name is expected", p.peek(0))
	}
	d.name = p.peek(0)
	p.step()
	if brackets {
		p.expect(")")
	}
	d.function = p.is("(") && !brackets
	if d.function {
		return d
	}
	var dims []int
	for p.take("[") {
		if p.is("]") && len(dims) == 0 && !brackets {
			d.open = true
			dims = append(dims, 0)
		} else {
			n := p.constantInteger()
			if n == 0 || n > maxArray {
				p.fail("has an array of %d elements", n)
			}
			dims = append(dims, int(n))
		}
		p.expect("]")
	}
	if dims != nil && (d.typ.void() || d.typ.pointer && !brackets) ||
		d.typ.handle != 0 && (dims != nil || d.typ.pointer) {
		p.failAt(d.pos, "uses an array of pointers")
	}
	d.typ.dims = slices.Concat(dims, d.typ.dims)
	if d.typ.size() > maxArray {
		p.failAt(d.pos, "has an array of %d elements", d.typ.size())
	}
	for p.is("__attribute__") {
		p.attribute(&s)
	}
	return d
}

// file reads all declarations of the text.
func (p *parser) file() {
	p.tree, p.consts = &Tree{}, map[*Var]*Number{}
	p.taken, p.last = map[string]bool{}, map[string]int{}
	for p.at < p.end {
		if p.take(";") {
			continue
		}
		s := p.specify()
		for first := true; !p.take(";"); first = false {
			if !first {
				p.expect(",")
			}
			d := p.declarator(s)
			if d.function {
				if p.function(s, d) {
					break
				}
				continue
			}
			p.ofFile(s, d)
		}
	}
}

// ofFile reads the rest of a declaration outside of functions.
func (p *parser) ofFile(s specifiers, d declarator) {
	if s.typedef {
		p.scope.set(d.name, &symbol{typ: d.typ, isType: true})
		return
	}
	if !d.fixed || !p.is("=") || d.typ.pointer || d.typ.record != nil {
		p.scope.set(d.name, &symbol{opaque: "uses " + d.name + ", a variable outside of functions"})
		for p.at < p.end && !p.is(";") && !p.is(",") {
			if p.is("{") {
				p.skip("{", "}")
			} else {
				p.step()
			}
		}
		return
	}
	p.step()
	if added := p.capture(func() { p.initialize(d) }); len(added) > 0 {
		p.failAt(d.pos, "has a value for %s that is not known", d.name)
	}
}

// function reads a function, and reports whether its body stands here.
func (p *parser) function(s specifiers, d declarator) bool {
	f := &function{name: d.name, result: d.typ, at: p.at, pos: d.pos}
	p.expect("(")
	if p.is("void") && p.peek(1) == ")" {
		p.step()
	}
	for !p.take(")") {
		if len(f.params) > 0 {
			p.expect(",")
		}
		if p.is(".") || p.is("...") {
			p.fail("uses a function with any number of parameters")
		}
		own := p.specify()
		if p.is(",") || p.is(")") { // without a name
			f.params = append(f.params, param{typ: own.typ})
			continue
		}
		if p.is("*") && (p.peek(1) == "," || p.peek(1) == ")") {
			p.step()
			own.typ.pointer = true
			f.params = append(f.params, param{typ: own.typ})
			continue
		}
		one := p.declarator(own)
		if one.function {
			p.failAt(one.pos, "uses a pointer to a function")
		}
		if one.typ.dims != nil && !one.typ.pointer { // an array is a pointer to its first element
			one.typ = one.typ.element()
			one.typ.pointer = true
		}
		f.params = append(f.params, param{one.name, one.typ, one.fixed})
	}
	for p.is("__attribute__") {
		p.attribute(&s)
	}
	if !p.is("{") {
		if p.scope.find(d.name) == nil {
			p.scope.set(d.name, &symbol{opaque: "calls " + d.name + ", which has no text"})
		}
		return false
	}
	if old := p.scope.find(d.name); old != nil && old.function != nil {
		p.failAt(d.pos, "has a second function %s", d.name)
	}
	f.body = p.at
	p.skip("{", "}")
	p.scope.set(d.name, &symbol{function: f})
	return true
}

// declaration reads a declaration in a function.
func (p *parser) declaration() {
	s := p.specify()
	for first := true; !p.take(";"); first = false {
		if !first {
			p.expect(",")
		}
		d := p.declarator(s)
		switch {
		case d.function:
			p.failAt(d.pos, "declares a function in a function")
		case s.typedef:
			p.scope.set(d.name, &symbol{typ: d.typ, isType: true})
		case d.typ.pointer:
			p.declarePointer(d)
		case d.typ.handle != 0:
			p.declareHandle(d)
		case p.take("="):
			p.initialize(d)
		case d.open || d.typ.void():
			p.failAt(d.pos, "has no size for %s", d.name)
		default:
			p.scope.set(d.name, &symbol{typ: d.typ, fixed: d.fixed,
				place: &place{vars: p.variables(d.name, d.typ, d.pos)}})
		}
	}
}

// declareHandle reads another name of x or d.
func (p *parser) declareHandle(d declarator) {
	p.expect("=")
	v := p.assignment()
	if v.typ.handle != d.typ.handle {
		p.failAt(d.pos, "has another value for %s", d.name)
	}
	p.scope.set(d.name, &symbol{typ: d.typ, fixed: true})
}

// declarePointer reads the rest of the declaration of a pointer.
func (p *parser) declarePointer(d declarator) {
	s := &symbol{typ: d.typ, name: d.name, fixed: d.fixed}
	if p.take("=") {
		v := p.assignment()
		p.scope.set(d.name, s)
		p.pointTo(s, v, d.pos)
		return
	}
	p.scope.set(d.name, s)
}
