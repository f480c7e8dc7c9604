package clc

// initial is the first value of an element of one of the variables of a declaration.
type initial struct {
	variable, element int
	value             Expr
}

// initialize reads the first value of a variable, and adds the variable.
func (p *parser) initialize(d declarator) {
	var all []initial
	braces := p.is("{")
	if d.typ.dims != nil && !braces {
		p.failAt(d.pos, "has a value for the array %s that is no list", d.name)
	}
	n := p.fill(d.typ, 0, 0, &all)
	if d.open {
		d.typ.dims[0] = n
	}
	if d.typ.size() > maxArray || d.typ.size() == 0 {
		p.failAt(d.pos, "has an array of %d elements", d.typ.size())
	}
	if d.fixed && d.typ.record == nil && p.fixed(d, all) {
		return
	}
	vars := p.variables(d.name, d.typ, d.pos)
	p.scope.set(d.name, &symbol{typ: d.typ, fixed: d.fixed, place: &place{vars: vars}})
	for i, v := range vars {
		p.setAll(v, i, all, d)
	}
}

// fixed adds a constant that is a number, or an array of numbers.
func (p *parser) fixed(d declarator, all []initial) bool {
	if d.typ.dims == nil {
		if p.simple(all[0].value) {
			p.scope.set(d.name, &symbol{typ: d.typ, fixed: true, expr: all[0].value})
			return true
		}
		return false
	}
	values := make([]Number, d.typ.size())
	for i := range values {
		values[i] = Number{Type: d.typ.base, Pos: d.pos}
	}
	for _, one := range all {
		n, ok := one.value.(*Number)
		if !ok {
			return false
		}
		values[one.element] = *n
	}
	v := &Var{Type: d.typ.base, Len: len(values), Const: values, Pos: d.pos, Name: d.name}
	if p.within != nil {
		v.Name = p.name(d.name)
		p.tree.Vars = append(p.tree.Vars, v)
	}
	p.scope.set(d.name, &symbol{typ: d.typ, fixed: true, place: &place{vars: []*Var{v}}})
	return true
}

// mostApart is the number of elements that are set to 0 one by one.
const mostApart = 16

// setAll sets a variable of a declaration to its first values, and what has none to 0.
func (p *parser) setAll(v *Var, variable int, all []initial, d declarator) {
	var own []initial
	for _, one := range all {
		if one.variable == variable {
			own = append(own, one)
		}
	}
	zero := (&Number{Type: Int, Pos: d.pos}).as(v.Type)
	given := map[int]bool{}
	for _, one := range own {
		given[one.element] = true
	}
	missing := max(v.Len, 1) - len(given)
	if missing > mostApart { // all of them, in a loop
		i := p.variable("i", Int, 0, d.pos)
		use := &Use{Var: i, Pos: d.pos}
		p.emit(p.counted(i, v.Len, []Stmt{&Assign{To: v, Element: use, Value: zero, Pos: d.pos}}, d.pos)...)
	}
	set := func(element int, e Expr) {
		s := &Assign{To: v, Value: e, Pos: d.pos}
		if v.Len > 0 {
			s.Element = p.integer(int64(element), d.pos)
		}
		p.emit(s)
	}
	for _, one := range own {
		if n, ok := one.value.(*Number); !ok || missing <= mostApart || *n != (Number{Type: n.Type, Pos: n.Pos}) {
			set(one.element, one.value)
		}
	}
	for element := 0; missing <= mostApart && element < max(v.Len, 1); element++ {
		if !given[element] {
			set(element, zero)
		}
	}
}

// fill reads the first values of an element of a type, which is a variable and those after it, and returns how many
// elements an array has.
func (p *parser) fill(t ctype, variable, element int, all *[]initial) int {
	defer p.deeper()()
	if len(*all) > maxArray {
		p.fail("has a list of more than %d values", maxArray)
	}
	if p.is(".") || p.is("[") {
		p.fail("has a list that names its elements")
	}
	switch {
	case t.array():
		return p.fillArray(t, variable, element, all)
	case t.record != nil:
		p.fillRecord(t, variable, element, all)
	case t.scalar() && p.take("{"):
		p.fill(t, variable, element, all)
		p.take(",")
		p.expect("}")
	case t.scalar():
		v := p.assignment()
		*all = append(*all, initial{variable, element, p.convert(v, t.base)})
	default:
		p.fail("has a list of a type that is not read")
	}
	return 1
}

// fillArray reads the elements of an array. Inner lists may lack their braces.
func (p *parser) fillArray(t ctype, variable, element int, all *[]initial) (n int) {
	braces := p.take("{")
	of := t.element()
	for ; !p.is("}"); n++ {
		if t.dims[0] > 0 && n >= t.dims[0] {
			if !braces {
				return n
			}
			p.fail("has more than the %d values of its array", t.dims[0])
		}
		p.fill(of, variable, element*t.dims[0]+n, all)
		if !braces && n+1 == t.dims[0] {
			return n + 1
		}
		if !p.is("}") {
			if !p.is(",") {
				p.fail("has %q in a list", p.peek(0))
			}
			p.step()
		}
	}
	if braces {
		p.expect("}")
	}
	return n
}

// fillRecord reads the fields of a struct, or another struct.
func (p *parser) fillRecord(t ctype, variable, element int, all *[]initial) {
	if !p.take("{") {
		v := p.assignment()
		if v.typ.record != t.record || v.typ.dims != nil || v.typ.pointer {
			p.fail("has a list of structs without braces")
		}
		for i, from := range v.place.vars {
			if from.Len > 0 && v.place.element == nil || v.typ.record.hasArrays() {
				p.fail("has a list with a struct that has arrays")
			}
			*all = append(*all, initial{variable + i, element, p.load(v.place.of(i, 1), Pos{})})
		}
		return
	}
	for _, f := range t.record.fields {
		if p.is("}") {
			break
		}
		p.fill(f.typ, variable+f.first, element, all)
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.expect("}")
}
