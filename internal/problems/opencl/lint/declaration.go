package lint

// qualifiers may stand before a type.
var qualifiers = map[string]bool{"const": true, "static": true, "inline": true, "constant": true, "global": true,
	"local": true, "private": true, "volatile": true, "restrict": true, "__constant": true, "__global": true,
	"__local": true, "__private": true, "kernel": true, "__kernel": true, "extern": true, "register": true,
	"auto": true}

// types are those of numbers.
var types = map[string]kind{"real": {class: floating}, "float": {class: floating}, "double": {class: floating},
	"half": {class: floating}, "int": {class: signed}, "short": {class: signed}, "char": {class: signed},
	"bool": {class: signed}, "long": {class: signed, long: true}, "uint": {class: unsigned},
	"ushort": {class: signed}, "uchar": {class: signed}, // they become int in an expression
	"ulong": {class: unsigned, long: true}, "size_t": {class: unsigned, long: true},
	"unsigned": {class: unsigned}, "signed": {class: signed}, "ptrdiff_t": {class: signed, long: true}}

// otherTypes are names of types of which no more is known.
var otherTypes = map[string]bool{"void": true, "point": true, "data": true, "sum": true, "struct": true, "union": true,
	"enum": true}

// typeAhead reads a type, if one stands here, and goes on after it.
func (p *parser) typeAhead() (k kind, ok bool) {
	begin := p.at
	for p.at < p.end {
		word := p.peek(0)
		t, number := types[word]
		switch {
		case p.kindOf(0) != Word:
			return k, ok
		case qualifiers[word]:
		case number && !ok:
			k, ok = t, true
			p.single(word)
		case number: // unsigned int, long long
			if p.single(word); k.class != unsigned || t.class == floating {
				k.class = t.class
			}
			k.long = k.long || t.long
		case !ok && (word == "struct" || word == "union" || word == "enum"):
			ok = true
			if p.kindOf(1) == Word {
				p.at++
			}
		case !ok && otherTypes[word]:
			ok = true
		case !ok && p.kindOf(1) == Word && p.macros[word] == nil && !statements[word] && p.find(word) == nil,
			!ok && p.peek(1) == "*" && p.kindOf(2) == Word && p.find(word) == nil && p.macros[word] == nil &&
				(p.peek(3) == "=" || p.peek(3) == ";" || p.peek(3) == "," || p.peek(3) == ")"):
			ok = true // the name of a type that is not known
		default:
			if !ok {
				p.at = begin
			}
			return k, ok
		}
		p.at++
	}
	if !ok {
		p.at = begin
	}
	return k, ok
}

// statements are words that begin a statement.
var statements = map[string]bool{"return": true, "if": true, "else": true, "for": true, "while": true, "do": true,
	"switch": true, "case": true, "default": true, "break": true, "continue": true, "goto": true, "typedef": true,
	"sizeof": true}

// outside reads what stands outside of functions.
func (p *parser) outside() {
	switch {
	case p.take("typedef"):
		p.skipTo(";")
		return
	case p.take(";"), p.take("}"):
		return
	}
	k, ok := p.typeAhead()
	if !ok {
		p.skipTo(";")
		return
	}
	if p.is("{") { // a struct
		p.skipTo(";")
		return
	}
	at := p.at
	for p.take("*") {
		at = p.at
		k.array++
	}
	if p.kindOf(0) == Word && p.peek(1) == "(" {
		name := p.peek(0)
		p.at += 2
		p.function(name, k)
		return
	}
	p.at = at
	p.declarators(k)
}

// function reads a function from its parameters on.
func (p *parser) function(name string, result kind) {
	p.push()
	defer p.pop()
	f, outer := function{result: result}, p.within
	p.within = scope{name: name}
	defer func() { p.within = outer }()
	for p.at < p.end && !p.is(")") {
		k, ok := p.typeAhead()
		for p.take("*") || p.take("restrict") || p.take("const") {
			if p.word(p.at-1) == "*" {
				k.array++
			}
		}
		if ok && p.kindOf(0) == Word {
			p.scopes[len(p.scopes)-1][p.peek(0)] = &variable{kind: k, set: true, zero: true}
			p.role(p.peek(0), k, len(f.params))
			p.at++
		}
		for p.take("[") {
			k.array++
			p.skipTo("]")
		}
		f.params = append(f.params, k)
		if !p.take(",") && !p.is(")") {
			p.at++
		}
	}
	p.take(")")
	p.functions[name] = f
	if !p.is("{") {
		p.skipTo(";")
		return
	}
	p.statement()
	p.reportWraps()
}

// role notes what a parameter of the functions of an objective is for.
func (p *parser) role(name string, k kind, number int) {
	switch p.within.name {
	case "component", "component_inner", "residuals":
		if number == 0 && k.integer() {
			p.within.number = name
		}
		if number == 3 && k.array == 1 {
			p.within.sums = name
		}
	}
}

// declaration reads a declaration of variables, if one stands here.
func (p *parser) declaration() bool {
	begin := p.at
	k, ok := p.typeAhead()
	if !ok || p.kindOf(0) != Word && !p.is("*") {
		p.at = begin
		return false
	}
	p.declarators(k)
	return true
}

// declarators reads the variables of a declaration, and its end.
func (p *parser) declarators(base kind) {
	for p.at < p.end {
		k := base
		for p.take("*") || p.take("const") || p.take("restrict") {
			if p.word(p.at-1) == "*" {
				k.array++
			}
		}
		if p.kindOf(0) != Word {
			p.skipTo(";")
			return
		}
		name := p.peek(0)
		p.at++
		pointer := k.array > 0
		for p.take("[") {
			k.array++
			if !p.is("]") {
				p.expression(0)
			}
			p.take("]")
		}
		v := &variable{kind: k, set: pointer || k.class == unknown}
		if p.take("=") {
			v.set = true
			if p.is("{") {
				p.braces(k)
			} else {
				given := p.expression(1)
				p.given(k, given)
				v.from, v.first = given.names, given.known
				v.least, v.zero = given.number, given.small
			}
		}
		p.scopes[len(p.scopes)-1][name] = v
		p.decimalComma()
		if !p.take(",") {
			break
		}
	}
	if !p.take(";") {
		p.skipTo(";")
	}
}

// braces reads the values of an array.
func (p *parser) braces(k kind) {
	p.take("{")
	k.array = 0
	for p.at < p.end && !p.is("}") {
		begin := p.at
		if p.is("{") {
			p.braces(k)
		} else {
			p.given(k, p.expression(1))
		}
		if !p.take(",") && !p.is("}") && p.at == begin {
			p.at++
		}
	}
	p.take("}")
}
