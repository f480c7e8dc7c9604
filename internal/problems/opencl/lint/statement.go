package lint

// scope is the function that is being read.
type scope struct {
	name   string
	number string // the parameter that is the number of the component; "": none
	sums   string // the array that a component writes to; "": none
	guards []guard
	wraps  []*wrap // that become real numbers
	header bool    // the condition of a for is being read
}

// guard is a comparison. The text may do something only where a variable is large enough, or small enough.
type guard struct {
	lower, upper []string // variables that it may keep from being small, or large
	all          []string // variables in it
}

func (p *parser) push() { p.scopes = append(p.scopes, map[string]*variable{}) }
func (p *parser) pop()  { p.scopes = p.scopes[:len(p.scopes)-1] }

// find returns a variable by name, or nil.
func (p *parser) find(name string) *variable {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if v := p.scopes[i][name]; v != nil {
			return v
		}
	}
	return nil
}

// skipTo goes on after the next token with a text that is in no brackets.
func (p *parser) skipTo(text string) {
	depth := 0
	for ; p.at < p.end; p.at++ {
		switch t := p.tokens[p.at]; {
		case depth == 0 && t.Text == text:
			p.at++
			return
		case t.Text == "(" || t.Text == "[" || t.Text == "{":
			depth++
		case t.Text == ")" || t.Text == "]" || t.Text == "}":
			if depth--; depth < 0 {
				if t.Text != "}" {
					p.at++
				}
				return
			}
			if depth == 0 && t.Text == "}" && text == ";" && p.peek(1) != ";" && p.peek(1) != "," {
				p.at++
				return
			}
		}
	}
}

// maxDeep bounds how deep statements and expressions nest.
const maxDeep = 200

// statement reads a statement.
func (p *parser) statement() {
	if p.deep++; p.deep > maxDeep {
		p.at = p.end
	}
	defer func() { p.deep-- }()
	begin := p.at
	switch {
	case p.at >= p.end:
		return
	case p.kindOf(0) == Macro:
		p.macroText()
		return
	case p.take("{"):
		p.push()
		for p.at < p.end && !p.is("}") {
			p.statement()
		}
		p.take("}")
		p.pop()
	case p.is("if"):
		p.condition()
		p.body(begin)
		if p.take("else") {
			p.body(begin)
		}
	case p.is("while"), p.is("switch"):
		p.condition()
		p.body(begin)
	case p.take("do"):
		p.statement()
		if p.is("while") {
			p.condition()
		}
		p.take(";")
	case p.is("for"):
		p.loop()
	case p.is("return"), p.is("case"), p.is("goto"), p.is("break"), p.is("continue"), p.is("default"):
		p.at++
		p.take(":")
		if p.at < p.end && !p.is(";") && !p.is("}") {
			p.given(p.resultOf(begin), p.expression(0))
		}
		if !p.take(":") {
			p.endOf()
		}
	case p.take(";"):
	default:
		if p.declaration() {
			return
		}
		p.expression(0)
		p.endOf()
	}
	if p.at == begin {
		p.at++
	}
}

// resultOf returns the type of what the statement at a token returns.
func (p *parser) resultOf(begin int) kind {
	if p.word(begin) == "return" {
		return p.functions[p.within.name].result
	}
	return kind{}
}

// endOf goes on after the end of a statement.
func (p *parser) endOf() {
	if p.take(";") {
		return
	}
	p.decimalComma()
	p.skipTo(";")
}

// condition reads a word and a condition in parentheses.
func (p *parser) condition() {
	p.at++
	if !p.take("(") {
		return
	}
	p.test(p.expression(0))
	p.close()
}

// close goes on after the parenthesis that ends what is being read.
func (p *parser) close() {
	if !p.take(")") {
		p.skipTo(")")
	}
}

// body reads the statement after a condition.
func (p *parser) body(begin int) {
	if p.is(";") && p.word(begin) == "if" {
		p.warn(p.at, "the if ends here, and does nothing. Remove the semicolon")
	}
	first := p.at
	p.statement()
	p.indented(begin, first)
}

// indented finds a second statement that looks as if it belonged to the one before.
func (p *parser) indented(begin, first int) {
	if first >= p.at || p.at >= p.end || p.word(first) == "{" || p.is("}") || p.is("else") {
		return
	}
	head := p.tokens[begin]
	one := p.tokens[first]
	two := p.tokens[p.at]
	if head.File == one.File && one.File == two.File && head.Line < one.Line && one.Line < two.Line &&
		head.Col < one.Col && one.Col == two.Col && two.Kind != Macro && p.firstOfLine(begin) && p.firstOfLine(first) {
		p.warn(p.at, "only one statement belongs to the %s of line %d, and this is the next. Put both in { }",
			head.Text, head.Line)
	}
}

// firstOfLine reports whether no other token stands before a token in its line.
func (p *parser) firstOfLine(i int) bool {
	return i == 0 || p.tokens[i-1].Line != p.tokens[i].Line || p.tokens[i-1].File != p.tokens[i].File
}

// loop reads a for.
func (p *parser) loop() {
	begin := p.at
	p.at++
	if !p.take("(") {
		return
	}
	p.push()
	defer p.pop()
	if !p.declaration() {
		name, v := p.peek(0), value{}
		if p.kindOf(0) == Word && p.peek(1) == "=" {
			at := p.at
			p.at += 2
			v = p.expression(1)
			p.at = at
			if o := p.find(name); o != nil {
				o.from = v.names
				o.first = v.known
				o.least = v.number
				o.zero = v.small
			}
		}
		if !p.is(";") {
			p.expression(0)
		}
		p.take(";")
	}
	p.within.header = true
	if !p.is(";") {
		v := p.expression(0)
		p.test(v)
		p.endless(v)
	}
	p.within.header = false
	p.take(";")
	if !p.is(")") {
		p.expression(0)
	}
	p.close()
	if p.is(";") && p.peek(1) == "{" {
		p.warn(p.at, "the for ends here, and does nothing. Remove the semicolon")
	}
	first := p.at
	p.statement()
	p.indented(begin, first)
}
