package lint

import (
	"slices"
	"strings"
)

// reals are names of real numbers that a text has without declaring them.
var reals = strings.Fields(`PI BOX_LO BOX_HI M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI
	M_2_SQRTPI M_SQRT2 M_SQRT1_2 INFINITY NAN MAXFLOAT HUGE_VAL`)

// counts are names of unsigned integers of that kind.
var counts = strings.Fields(`DIM COMPS GRID_X GRID_Y GRID_Z`)

// functions are names of functions of real numbers of that kind.
var realFunctions = strings.Fields(`at sq cos_2pi sin_2pi sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p
	sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sinpi cospi tanpi fabs floor ceil round rint trunc
	fmin fmax fmod pow powr atan2 hypot fma mad mix step smoothstep sign erf erfc tgamma lgamma copysign fdim
	remainder degrees radians native_sqrt native_exp native_log native_sin native_cos`)

// unary reads an operand with the signs before it.
func (p *parser) unary() value {
	at := p.at
	if p.kindOf(0) == Sign {
		switch op := p.peek(0); op {
		case "-", "+", "!", "~", "&", "*", "++", "--":
			p.at++
			v := p.expression(unaryLevel)
			return p.signed(op, at, v)
		case "(":
			if v, ok := p.cast(); ok {
				return v
			}
		}
	}
	return p.postfix(p.primary())
}

// signed returns the value of an operand with a sign before it, which is a token.
func (p *parser) signed(op string, at int, v value) value {
	of := v
	v.first = at
	v.name = ""
	v.small = false
	v.variable = false
	v.compares = 0
	v.sets = 0
	switch op {
	case "-":
		v.number = -v.number
		if of.integer() && of.class == unsigned && !of.known && len(of.names) > 0 {
			v.wraps = &wrap{at: at, right: of, minus: true}
		}
	case "+", "++", "--":
	case "!":
		p.test(of)
		v = value{kind: kind{class: signed}, first: at, last: of.last, names: of.names}
	case "~":
		v.known = false
	default: // a pointer
		v = value{first: at, last: of.last, names: of.names}
	}
	return v
}

// cast reads a cast, if one stands here.
func (p *parser) cast() (value, bool) {
	begin := p.at
	p.at++
	word := p.peek(0)
	if _, number := types[word]; !number && !qualifiers[word] && !otherTypes[word] && !vector(word) {
		p.at = begin
		return value{}, false
	}
	k, ok := p.typeAhead()
	if vector(word) {
		k, ok = kind{}, true
		p.at = begin + 2
	}
	for p.take("*") {
		k.array++
	}
	if !ok || !p.take(")") {
		p.at = begin
		return value{}, false
	}
	if p.is("{") { // the value of a struct or an array
		p.braces(kind{})
		return p.postfix(value{first: begin, last: p.at - 1}), true
	}
	v := p.expression(unaryLevel)
	if k.real() && v.integer() {
		if v.quotient != nil && v.quotient.large {
			v.quotient = nil // it says so
		}
		p.becomesReal(v)
	}
	c := value{kind: k, first: begin, last: v.last, names: v.names, product: v.product}
	c.known, c.number = v.known && k.integer(), v.number
	return c, true
}

// single warns of a type of single precision.
func (p *parser) single(word string) {
	if word == "float" {
		p.warn(p.at, "float has 7 digits, also in fp64. Write real, which has those of --precision")
	}
}

// vector reports whether a word is the name of a type of vectors.
func vector(word string) bool {
	base := strings.TrimRight(word, "0123456789")
	_, ok := types[base]
	return ok && base != word
}

// primary reads a name, a call, a literal or an expression in parentheses.
func (p *parser) primary() value {
	begin := p.at
	v := value{first: begin, last: begin}
	switch p.kindOf(0) {
	case Number:
		text := p.peek(0)
		v = literal(text)
		v.first, v.last = begin, begin
		p.at++
		if lower := strings.ToLower(text); v.real() && strings.HasSuffix(lower, "f") && !exactly(lower) {
			p.warn(begin, "%s has 7 digits, also in fp64. Write R(%s)", text, text[:len(text)-1])
		}
	case Word:
		if statements[p.peek(0)] && p.peek(0) != "sizeof" {
			return v
		}
		p.at++
		if p.is("(") {
			return p.call(p.word(begin), begin)
		}
		v = p.named(p.word(begin))
		v.first, v.last = begin, begin
	case Sign:
		if !p.take("(") {
			return v // something else stands here: the caller goes on
		}
		v = p.expression(commaLevel)
		p.close()
		v.first = begin
		v.last = p.at - 1
		v.compares = 0
		v.sets = 0
	case Quote:
		p.at++
	}
	return v
}

// named returns the value of a name.
func (p *parser) named(name string) value {
	v := value{}
	switch o := p.find(name); {
	case o != nil:
		v.kind, v.name, v.names, v.small = o.kind, name, []string{name}, o.zero
		p.set(o, name)
	case p.macros[name] != nil:
		v = p.macroValue(name)
		v.names = append([]string{name}, v.names...)
	case slices.Contains(reals, name):
		v.class = floating
	case slices.Contains(counts, name):
		v.class, v.names = unsigned, []string{name}
	}
	return v
}

// set notes that a variable is used. It has no value yet if that is to be changed.
func (p *parser) set(o *variable, name string) {
	if o.set {
		return
	}
	o.set = true
	i := p.at
	for depth := 0; i < p.end && o.array > 0; i++ {
		if t := p.word(i); t == "[" {
			depth++
		} else if t == "]" {
			depth--
		} else if depth == 0 {
			break
		}
	}
	if i >= p.end || p.tokens[i].Kind != Sign {
		return
	}
	switch op := p.word(i); op {
	case "+=", "-=", "*=", "/=", "++", "--":
		p.warn(p.at-1, "%s has no value yet where %s changes it. Declare it with = 0", name, op)
	}
}

// call reads the arguments of a function or macro, whose name is a token.
func (p *parser) call(name string, begin int) value {
	p.at++
	if name == "R" && p.macros["R"] == nil {
		return p.literalReal(begin)
	}
	var args []value
	for p.at < p.end && !p.is(")") {
		before := p.at
		args = append(args, p.expression(assignLevel))
		if !p.take(",") && !p.is(")") && p.at == before {
			p.at++
		} else if p.is(";") || p.is("}") {
			break
		}
	}
	p.take(")")
	v := value{first: begin, last: p.at - 1}
	for _, a := range args {
		v.names = both(v.names, a.names)
	}
	switch f, own := p.functions[name]; {
	case own:
		for i, a := range args[:min(len(args), len(f.params))] {
			p.given(f.params[i], a)
		}
		v.kind = f.result
	case p.macros[name] != nil:
	case slices.Contains(realFunctions, name):
		v.class, v.variable = floating, name == "at"
		p.realCall(name, begin, args)
	case name == "abs" && len(args) == 1:
		v.kind = (kind{class: unsigned})
		if args[0].integer() {
			p.becomesReal(args[0])
		}
	case (name == "min" || name == "max") && len(args) == 2:
		v.kind = joined(args[0].kind, args[1].kind)
		v.plain = false
	case strings.HasPrefix(name, "convert_int"):
		v.class = signed
	}
	return v
}

// realCall looks at the arguments of a function of real numbers.
func (p *parser) realCall(name string, begin int, args []value) {
	if name == "at" {
		if len(args) == 2 && args[1].real() && args[1].plain {
			p.warn(args[1].first, "variables have the numbers 0 to DIM - 1; %s is no integer",
				p.source(args[1].first, args[1].last))
		}
		return
	}
	for _, a := range args {
		if a.integer() {
			p.becomesReal(a)
		}
	}
	if name == "pow" && len(args) == 2 && args[0].real() && args[1].known && args[1].first == args[1].last {
		n := args[1].number
		cure := "pown(v, " + p.source(args[1].first, args[1].last) + "), which multiplies"
		if n == 2 {
			cure = "sq(v), which is a product"
		}
		p.warn(begin, "pow with the integer %s takes logarithms. Write %s", p.source(args[1].first, args[1].last), cure)
	}
}

// literalReal reads the argument of R, which must be a literal.
func (p *parser) literalReal(begin int) value {
	first := p.at
	v := p.expression(assignLevel)
	said := len(p.found)
	p.decimalComma()
	if p.close(); len(p.found) > said {
		return value{kind: kind{class: floating}, first: begin, last: p.at - 1}
	}
	sign := p.word(first) == "-" || p.word(first) == "+"
	number := first
	if sign {
		number++
	}
	switch {
	case v.last != number || number >= len(p.tokens) || p.tokens[number].Kind != Number:
		p.warn(begin, "R is for literals such as R(0.5), and joins an f to them in fp32. Write (real)(%s)",
			p.source(first, p.at-2))
	case v.integer():
		p.warn(begin, "R(%s) is an integer in fp64, and an error in fp32. Write R(%s.0)", p.source(first, v.last),
			p.source(first, v.last))
	}
	v = value{kind: kind{class: floating, plain: v.plain}, number: v.number, first: begin, last: p.at - 1}
	return v
}

// postfix reads what follows an operand: an index, a member, a call, ++ or --.
func (p *parser) postfix(v value) value {
	for p.at < p.end && p.kindOf(0) == Sign {
		begin := p.at
		switch p.peek(0) {
		case "[":
			p.at++
			i := p.expression(commaLevel)
			if p.is("]") {
				p.at++
			} else {
				p.skipTo("]")
			}
			p.index(v, i)
			k := v.kind
			if k.array--; k.array < 0 {
				k = kind{}
			}
			v = value{kind: k, first: v.first, last: p.at - 1, names: both(v.names, i.names)}
		case ".", "->":
			member := p.peek(1)
			p.at += 2
			v = value{first: v.first, last: p.at - 1, names: v.names}
			if strings.HasSuffix(member, "_rows") || strings.HasSuffix(member, "_len") ||
				strings.HasSuffix(member, "_cols") { // a size of a table
				v.class, v.names = unsigned, []string{member}
			}
		case "(":
			p.at++
			p.expression(commaLevel)
			p.close()
			v = value{first: v.first, last: p.at - 1}
		case "++", "--":
			p.at++
			v.last, v.small = begin, false
		default:
			return v
		}
	}
	return v
}

// index looks at an index of an array.
func (p *parser) index(array, i value) {
	if array.name == "" || array.name != p.within.sums {
		return
	}
	length, directive := p.sizes.Sums, "sums"
	switch p.within.name {
	case "component_inner":
		length, directive = p.sizes.Inner, "inner"
	case "residuals":
		length, directive = p.sizes.Squares, "squares"
	}
	switch {
	case i.known && i.number >= float64(length) && length > 0:
		p.warn(array.first, "%s has the elements 0 to %d. Write //@ %s %d, or another index", array.name, length-1,
			directive, int64(i.number)+1)
	case i.name != "" && i.name == p.within.number:
		p.warn(array.first, "%s[%s]: %s is the number of the component, and %s has the elements 0 to %d. Write %s[0]",
			array.name, i.name, i.name, array.name, length-1, array.name)
	}
}
