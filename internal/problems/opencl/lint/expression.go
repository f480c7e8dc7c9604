package lint

import (
	"slices"
	"strings"
)

// Precedences of operators, as in C.
const (
	commaLevel = iota
	assignLevel
	chooseLevel
	_
	_
	_
	_
	_
	equalLevel
	_
	_
	_
	_
	unaryLevel
)

var levels = map[string]int{",": commaLevel, "=": assignLevel, "+=": assignLevel, "-=": assignLevel, "*=": assignLevel,
	"/=": assignLevel, "%=": assignLevel, "&=": assignLevel, "|=": assignLevel, "^=": assignLevel, "<<=": assignLevel,
	">>=": assignLevel, "?": chooseLevel, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": equalLevel, "!=": equalLevel,
	"<": 9, ">": 9, "<=": 9, ">=": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12}

// expression reads an expression of operators of a level at least.
func (p *parser) expression(level int) value {
	if p.deep++; p.deep > maxDeep {
		p.at = p.end
	}
	defer func() { p.deep-- }()
	left := p.unary()
	for p.at < p.end && p.kindOf(0) == Sign {
		op := p.peek(0)
		l, ok := levels[op]
		if !ok || l < level {
			break
		}
		at := p.at
		switch {
		case l == commaLevel:
			p.decimalComma()
			p.at++
			left = p.expression(assignLevel)
		case l == assignLevel:
			p.at++
			left = p.assigned(left, op, at, p.expression(assignLevel))
		case op == "?":
			p.at++
			p.test(left)
			yes := p.expression(assignLevel)
			if !p.take(":") {
				return value{first: left.first, last: p.at - 1}
			}
			left = p.chosen(left, yes, p.expression(chooseLevel))
		default:
			p.at++
			left = p.binary(left, op, at, p.expression(l+1))
		}
	}
	return left
}

// decimalComma finds 1,5 where a number is meant.
func (p *parser) decimalComma() {
	if !p.is(",") || p.at == 0 || p.kindOf(1) != Number || p.tokens[p.at].Blank || p.tokens[p.at+1].Blank {
		return
	}
	before, after := p.tokens[p.at-1], p.tokens[p.at+1]
	if before.Kind == Number && literal(before.Text).known && strings.Trim(after.Text, "0123456789") == "" {
		p.warn(p.at-1, "%s,%s is two numbers. Write %s.%s, with a point", before.Text, after.Text, before.Text,
			after.Text)
	}
}

// chosen returns the value of of ? yes : no.
func (p *parser) chosen(of, yes, no value) value {
	v := value{kind: joined(yes.kind, no.kind), first: of.first, last: no.last, names: both(yes.names, no.names)}
	v.plain = false
	p.meet(yes, no)
	if !v.real() {
		v.wraps = yes.wraps
		if v.wraps == nil {
			v.wraps = no.wraps
		}
		v.quotient = yes.quotient
		if v.quotient == nil {
			v.quotient = no.quotient
		}
	}
	return v
}

// meet notes that one of two values becomes real if the other is.
func (p *parser) meet(a, b value) {
	if a.real() && b.integer() {
		p.becomesReal(b)
	}
	if b.real() && a.integer() {
		p.becomesReal(a)
	}
}

// becomesReal notes that an integer is used as a real number.
func (p *parser) becomesReal(v value) {
	if v.wraps != nil && len(p.within.wraps) < most {
		p.within.wraps = append(p.within.wraps, v.wraps)
	}
	if q := v.quotient; q != nil && q.large {
		what := p.source(q.left.first, q.right.last)
		p.warn(q.left.first, "%s of two integers has no fraction. Write %s / %s, or (real)(%s) if it is to have none",
			what, p.asReal(q.left), p.source(q.right.first, q.right.last), what)
	} else if q != nil {
		p.warn(q.left.first, "%s of two integers has no fraction: it is 0 for most components. Write %s / %s",
			p.source(q.left.first, q.right.last), p.asReal(q.left), p.source(q.right.first, q.right.last))
	}
	if v.power > 0 {
		p.warn(v.power, "^ is the exclusive or of two integers. A power is sq(v), or pow(v, R(2.0))")
	}
}

// bare returns a value as it stands in the text, without the parentheses around it.
func (p *parser) bare(v value) string {
	for v.last > v.first+1 && p.word(v.first) == "(" && p.word(v.last) == ")" &&
		p.closes(v.first, v.last) {
		v.first, v.last = v.first+1, v.last-1
	}
	return p.source(v.first, v.last)
}

// closes reports whether the parenthesis at one token is closed by that at another.
func (p *parser) closes(first, last int) bool {
	depth := 0
	for i := first; i < last; i++ {
		switch p.word(i) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return false
			}
		}
	}
	return true
}

// given notes that a value is converted to a type, as in an assignment.
func (p *parser) given(k kind, v value) {
	switch {
	case k.real() && v.integer():
		p.becomesReal(v)
	case k.integer() && v.variable:
		p.warn(v.first, "%s loses its fraction here, and f is flat between integers. Declare the variable as real, or "+
			"write rint(%s)", p.source(v.first, v.last), p.source(v.first, v.last))
	case k.integer() && v.real() && v.plain && !whole(v.number):
		p.warn(v.first, "%s becomes %d in an integer. Declare the variable as real, or write the integer",
			p.source(v.first, v.last), int64(v.number))
	case k.integer() && v.real() && p.cut(v):
		p.warn(v.first, "%s loses its fraction here, and f is flat between integers. Declare the variable as real, or "+
			"write (int)(%s) if that is meant", p.source(v.first, v.last), p.source(v.first, v.last))
	}
}

// cut reports whether a value is made of variables that nothing rounds.
func (p *parser) cut(v value) bool {
	reads := false
	for i := v.first; i <= v.last; i++ {
		switch p.word(i) {
		case "floor", "ceil", "rint", "round", "trunc":
			return false
		case "at":
			reads = true
		}
	}
	return reads
}

// assigned returns the value of an assignment, whose sign is a token.
func (p *parser) assigned(left value, op string, at int, right value) value {
	switch {
	case left.kind.array > 0, op[:1] != "=" && !left.real():
	case op == "=", op == "+=", op == "-=", op == "*=", op == "/=":
		p.given(left.kind, right)
	}
	if sums := p.within.sums; op == "=" && p.within.name == "component" && sums != "" &&
		p.word(left.first) == sums && left.last > left.first {
		p.warn(at, "components share the sums, so they may only add to them. Write +=")
	}
	if (op == "+=" || op == "-=") && left.integer() && right.real() && left.name != "" {
		p.warn(left.first, "%s is an integer, and loses the fraction of what is added to it. Declare it as real",
			left.name)
	}
	v := value{kind: left.kind, first: left.first, last: right.last, names: both(left.names, right.names)}
	if op == "=" {
		v.sets = at
	}
	return v
}

// test looks at a condition.
func (p *parser) test(v value) {
	if v.sets > 0 {
		p.warn(v.sets, "= sets %s. A comparison is ==", p.source(v.first, v.sets-1))
	}
	if v.name != "" {
		p.within.guards = append(p.within.guards, guard{lower: v.names, upper: v.names})
	}
}

// endless finds a loop that goes down to 0 and on.
func (p *parser) endless(v value) {
	if v.compares > 0 && p.word(v.compares) == ">=" && v.compares == v.first+1 && v.last == v.first+2 &&
		p.word(v.last) == "0" {
		if o := p.find(p.word(v.first)); o != nil && o.integer() && o.class == unsigned {
			p.warn(v.first, "%s is unsigned, and never below 0: the loop has no end. Declare it as int",
				p.word(v.first))
		}
	}
}

// ofAll reports whether a value has the number of variables, components, or rows of a table in it.
func ofAll(v value) bool {
	return slices.ContainsFunc(v.names, func(n string) bool {
		return n == "DIM" || n == "COMPS" || strings.HasSuffix(n, "_rows") || strings.HasSuffix(n, "_len")
	})
}

// isAll reports whether a value is ofAll, or is made of a variable whose first value is.
func (p *parser) isAll(v value) bool {
	return ofAll(v) || slices.ContainsFunc(v.names, func(n string) bool {
		o := p.find(n)
		return o != nil && ofAll(value{names: o.from})
	})
}

// binary returns the value of two values with an operator, which is a token, between them.
func (p *parser) binary(a value, op string, at int, b value) value {
	v := value{first: a.first, last: b.last, names: both(a.names, b.names)}
	switch op {
	case "+", "-", "*", "/":
		v.kind = joined(a.kind, b.kind)
		p.meet(a, b)
		p.arithmetic(&v, a, op, at, b)
	case "%":
		v.kind = joined(a.kind, b.kind)
		if v.real() {
			v.kind = kind{}
		}
		v.small = a.small && v.integer()
	case "<", ">", "<=", ">=", "==", "!=":
		v.kind, v.compares = kind{class: signed}, at
		p.meet(a, b)
		p.compared(a, op, at, b)
	case "&&", "||":
		v.kind = kind{class: signed}
		p.test(a)
		p.test(b)
	case "^":
		v.kind = joined(a.kind, b.kind)
		switch {
		case !a.integer() || !b.integer():
		case a.plain && b.plain:
			p.warn(at, "^ is the exclusive or of two integers: %s is %d. Write the number, as in 1e6",
				p.source(a.first, b.last), int64(a.number)^int64(b.number))
		case b.plain && b.number >= 2, a.plain && (a.number == 2 || a.number == 10):
			v.power = at
		}
	default:
		v.kind = joined(a.kind, b.kind)
	}
	if v.real() {
		v.small = false
	}
	return v
}

// arithmetic fills in what is known of a sum, difference, product or quotient.
func (p *parser) arithmetic(v *value, a value, op string, at int, b value) {
	if v.real() || v.class == unknown {
		if a.plain && b.plain {
			v.number = result(a.number, op, b.number)
		}
		return
	}
	v.product = op == "*" || a.product && op != "*"
	v.small = op == "*" && (a.small && (b.small || b.known) || a.known && b.small)
	v.known = a.known && b.known && (op != "/" || b.number != 0)
	if v.known {
		v.number = result(a.number, op, b.number)
		if op == "/" {
			v.number = float64(int64(v.number))
		}
	}
	for _, o := range []value{a, b} {
		if o.wraps != nil {
			v.wraps = o.wraps
		}
		if q := o.quotient; q != nil && (!q.large || op == "+" || op == "-") { // k - k/2*2 is a remainder
			v.quotient = q
		}
		if o.power > 0 {
			v.power = o.power
		}
	}
	switch {
	case op == "-" && v.class == unsigned:
		if w := p.difference(a, at, b); w != nil {
			v.wraps = w
		}
	case op == "/" && a.known && b.known && b.number != 0:
		exact := result(a.number, op, b.number)
		if !whole(exact) && (a.plain && b.plain || int64(exact) == 0) {
			p.warn(a.first, "%s of two integers is %d. Write %s", p.source(a.first, b.last), int64(exact),
				p.pointed(a, b))
		}
	case op == "/" && a.plain && a.known && a.number == 1 && !b.known:
		p.warn(a.first, "%s of two integers is 0 where %s is above 1. Write %s", p.source(a.first, b.last), p.bare(b),
			p.pointed(a, b))
	case op == "/" && a.plain && a.known && !b.known, op == "/" && !a.known && !a.product && p.isAll(b) && !p.isAll(a):
		v.quotient = &quotient{left: a, right: b}
	case op == "/":
		v.small = a.small
		if len(a.names) > 0 && !onlyCounts(a) && b.known && b.number > 1 {
			v.quotient = &quotient{a, b, true}
		}
	}
}

// pointed returns a quotient of which the left side is a literal of a real number, if it is one token.
func (p *parser) pointed(a, b value) string {
	if a.first == a.last && p.tokens[a.first].Kind == Number {
		return "R(" + strings.TrimRight(p.word(a.first), "uUlL") + ".0) / " + p.source(b.first, b.last)
	}
	return p.asReal(a) + " / " + p.source(b.first, b.last)
}

func result(a float64, op string, b float64) float64 {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return a / b
}

// difference returns an unsigned difference that may be below 0, or nil.
func (p *parser) difference(a value, at int, b value) *wrap {
	least := func(v value) (float64, bool) { // the smallest value, if that is known
		o := p.find(v.name)
		switch {
		case o != nil && o.first:
			return o.least, true
		case o != nil && o.zero, v.name == "" && v.small:
			return 0, true
		}
		return 0, false
	}
	switch {
	case ofAll(a) || a.known && b.known:
		return nil
	case b.known:
		if lo, ok := least(a); ok && lo < b.number {
			return &wrap{at: at, left: a, right: b}
		}
	case onlyCounts(b):
		if _, ok := least(a); ok {
			return &wrap{at: at, left: a, right: b}
		}
	case a.plain && a.known:
		if _, ok := least(b); ok {
			return &wrap{at: at, left: a, right: b}
		}
	case a.name != "" && b.name != "" && a.name != b.name:
		one, other := p.find(a.name), p.find(b.name)
		if one == nil || other == nil || slices.Contains(one.from, b.name) || slices.Contains(other.from, a.name) {
			return nil
		}
		return &wrap{at: at, left: a, right: b}
	}
	return nil
}

// onlyCounts reports whether a value is made of numbers of variables, components or cells, and of literals.
func onlyCounts(v value) bool {
	return len(v.names) > 0 && !slices.ContainsFunc(v.names, func(n string) bool { return !slices.Contains(counts, n) })
}

// compared looks at a comparison, and notes what it guards.
func (p *parser) compared(a value, op string, at int, b value) {
	if c := a.compares; c > 0 {
		if order := strings.HasPrefix(op, "<") || strings.HasPrefix(op, ">"); order ==
			strings.ContainsAny(p.word(c), "<>") {
			p.warn(c, "%s compares 0 or 1 with %s. Write both comparisons, with && between them",
				p.source(a.first, b.last), p.source(b.first, b.last))
		}
	}
	if w := a.wraps; w != nil && w.right.known && a.first == w.left.first && a.last == w.right.last && b.known &&
		b.number == 0 && op != "==" && op != "!=" {
		p.warn(a.first, "%s is unsigned, and never below 0. Compare %s with %s", p.source(a.first, a.last), a.names[0],
			p.source(w.right.first, w.right.last))
	}
	g := guard{all: both(a.names, b.names)}
	switch op {
	case "==", "!=":
		g.lower, g.upper = g.all, g.all
	case ">", ">=":
		g.lower = a.names
		if !ofAll(a) {
			g.upper = b.names
		}
	default:
		g.lower = b.names
		if !ofAll(b) {
			g.upper = a.names
			if a.name != "" && !p.within.header {
				g.lower = g.all
			}
		}
	}
	p.within.guards = append(p.within.guards, g)
}
