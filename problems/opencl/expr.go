package opencl

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// An expr is a compiled arithmetic expression over float64:
//
//	sum     = term { ("+" | "-") term }
//	term    = unary { ("*" | "/") unary }
//	unary   = { "+" | "-" } power
//	power   = operand [ ("^" | "**") unary ]         right-associative, binds before unary minus
//	operand = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
//
// value takes the variables in the order given to compileExpr, allocates nothing and is safe for concurrent use. text
// is the same expression in OpenCL C over reals, with the names of the variables. form takes the forms of the variables
// in the same order.
type expr struct {
	value  func(v []float64) float64
	text   string
	linear *affine // nil where the expression is not linear
	form   func(v []curvature.Form) curvature.Form
	slopes slopes
	parts  []expr // its operands
	// never reports whether the exact value is not 0, for values of the operands; nil: nothing is known.
	never func(operands []float64) bool
}

// lost returns the text of the first part of which the exact value is beyond float64 or, though it is not 0, below it;
// "" if there is none.
func (e expr) lost(v []float64) string {
	at, finite := make([]float64, len(e.parts)), true
	for i, part := range e.parts {
		if text := part.lost(v); text != "" {
			return text
		}
		at[i] = part.value(v)
		finite = finite && !math.IsInf(at[i], 0) && !math.IsNaN(at[i])
	}
	value := e.value(v)
	if finite && (math.IsInf(value, 0) && e.parts != nil || value == 0 && e.never != nil && e.never(at)) {
		return e.text
	}
	return ""
}

// notZero holds of products, quotients and powers that are never 0: the first operand is not 0, and of products the
// second.
func notZero(op byte) func(at []float64) bool {
	return func(at []float64) bool { return at[0] != 0 && (op != '*' || at[1] != 0) }
}

// exprText has the functions that OpenCL C calls by another name.
var exprText = map[string]string{"abs": "fabs", "max": "fmax", "min": "fmin"}

func (p *exprParser) constant(c float64) expr {
	n := len(p.vars)
	return expr{value: func([]float64) float64 { return c }, text: realText(c), linear: &affine{c, make([]float64, n)},
		slopes: func([]float64, float64, []float64) {},
		form:   func([]curvature.Form) curvature.Form { return curvature.Constant(c, n) }}
}

// combined returns a op b.
func combined(a expr, op byte, b expr) expr {
	o := operators[op]
	e := expr{value: func(v []float64) float64 { return o.value(a.value(v), b.value(v)) },
		text: "(" + a.text + " " + string(op) + " " + b.text + ")", linear: a.linear.combined(op, b.linear),
		form: func(v []curvature.Form) curvature.Form {
			if op == '*' && a.text == b.text {
				return curvature.Power(a.form(v), curvature.Constant(2, len(v)))
			}
			return o.form(a.form(v), b.form(v))
		}, slopes: through2(o.slope, a, b), parts: []expr{a, b}}
	if op == '*' || op == '/' {
		e.never = notZero(op)
	}
	return e
}

// operators are those with two operands, but the power.
var operators = map[byte]struct {
	value func(a, b float64) float64
	form  func(a, b curvature.Form) curvature.Form
	slope slope2
}{
	'+': {func(a, b float64) float64 { return a + b }, curvature.Sum,
		func(a, b float64) (float64, float64) { return 1, 1 }},
	'-': {func(a, b float64) float64 { return a - b }, curvature.Difference,
		func(a, b float64) (float64, float64) { return 1, -1 }},
	'*': {func(a, b float64) float64 { return a * b }, curvature.Product,
		func(a, b float64) (float64, float64) { return b, a }},
	'/': {func(a, b float64) float64 { return a / b }, curvature.Quotient,
		func(a, b float64) (float64, float64) { return 1 / b, -a / b / b }},
}

// realText writes a number as OpenCL C of type real.
func realText(c float64) string {
	switch {
	case math.IsNaN(c):
		return "(real)NAN"
	case math.IsInf(c, 0):
		return map[bool]string{true: "(real)INFINITY", false: "(real)-INFINITY"}[c > 0]
	}
	return problems.Literal(c)
}

const (
	maxExpr      = 4096 // bytes of one expression
	maxExprDepth = 100  // nested brackets, signs and powers
)

var exprConsts = map[string]float64{"e": math.E, "pi": math.Pi}

var exprFuncs1 = map[string]func(float64) float64{
	"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "cbrt": math.Cbrt,
	"ceil": math.Ceil, "cos": math.Cos, "cosh": math.Cosh, "exp": math.Exp, "expm1": math.Expm1,
	"floor": math.Floor, "log": math.Log, "log10": math.Log10, "log1p": math.Log1p, "log2": math.Log2,
	"round": math.Round, "sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
}

var exprFuncs2 = map[string]func(a, b float64) float64{
	"atan2": math.Atan2, "hypot": math.Hypot, "max": math.Max, "min": math.Min, "pow": math.Pow,
}

// exprSizes are functions of the name of a table. Their values are consts, such as "rows(A)".
var exprSizes = []string{"rows", "cols", "len"}

// compileExpr compiles text. Its names are vars, the keys of consts, e, pi and the functions above. After a complete
// expression "//" begins a comment, and so do two blanks before a word that is none of these names. The error is an
// *input.Error without File, whose Col counts from 1 in text.
func compileExpr(text string, vars []string, consts map[string]float64) (expr, *input.Error) {
	if len(text) > maxExpr {
		return expr{}, input.Errorf("", 0, 1, "an expression of %d characters. Use at most %d.", len(text), maxExpr)
	}
	p := &exprParser{text: text, vars: vars, consts: consts}
	p.next()
	f := p.sum()
	if p.err == nil && p.kind != exprEnd && !p.comment() {
		p.fail(p.at, "unexpected %s. An operator such as + is expected here; a comment begins with //.", p.shown())
	}
	if p.err != nil {
		return expr{}, p.err
	}
	return f, nil
}

type exprKind int

const (
	exprEnd exprKind = iota
	exprNumber
	exprName
	exprOp // one of + - * / ^ ( ) , with ** read as ^
	exprBad
)

type exprParser struct {
	text   string
	vars   []string
	consts map[string]float64
	err    *input.Error // the first one
	depth  int

	// The current token, text[at:end], and the blanks before it.
	kind    exprKind
	at, end int
	gap     int
	op      byte
}

func (p *exprParser) fail(at int, format string, args ...any) expr {
	if p.err == nil {
		p.err = input.Errorf("", 0, at+1, format, args...)
	}
	p.kind = exprEnd
	return p.constant(math.NaN())
}

func (p *exprParser) shown() string {
	if p.kind == exprEnd {
		return "end of the expression"
	}
	return strconv.Quote(p.text[p.at:p.end])
}

func (p *exprParser) next() {
	if p.err != nil {
		return
	}
	s, i := p.text, p.end
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	p.gap = i - p.end + strings.Count(s[p.end:i], "\t") // a tab counts as two
	p.at = i
	switch {
	case i == len(s) || strings.HasPrefix(s[i:], "//"):
		p.kind, p.end = exprEnd, i
		return
	case isDigit(s[i]) || s[i] == '.' && i+1 < len(s) && isDigit(s[i+1]):
		p.kind, p.end = exprNumber, scanNumber(s, i)
	case isLetter(s[i]):
		p.kind, p.end = exprName, i+1
		for p.end < len(s) && (isLetter(s[p.end]) || isDigit(s[p.end])) {
			p.end++
		}
	case strings.IndexByte("+-*/^(),", s[i]) >= 0:
		p.kind = exprOp
		p.op = s[i]
		p.end = i + 1
		if strings.HasPrefix(s[i:], "**") {
			p.op, p.end = '^', i+2
		}
	default:
		p.kind, p.end = exprBad, i+1
		for p.end < len(s) && s[p.end] >= 0x80 {
			p.end++
		}
	}
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// scanNumber returns the end of the decimal number that starts at s[i].
func scanNumber(s string, i int) int {
	digits := func() {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			i = j
			digits()
		}
	}
	return i
}

// comment reports whether the current token, after a complete expression, is the first word of a comment.
func (p *exprParser) comment() bool {
	word := p.text[p.at:p.end]
	_, known := p.consts[word]
	_, constant := exprConsts[word]
	known = known || slices.Contains(exprSizes, word)
	return p.kind == exprName && p.gap >= 2 && !known && !constant &&
		!slices.Contains(p.vars, word) && exprFuncs1[word] == nil && exprFuncs2[word] == nil
}

// is reports whether the current token is one of the operators ops.
func (p *exprParser) is(ops string) bool {
	return p.kind == exprOp && strings.IndexByte(ops, p.op) >= 0
}

func (p *exprParser) sum() expr {
	a := p.term()
	for p.is("+-") {
		op := p.op
		p.next()
		a = combined(a, op, p.term())
	}
	return a
}

func (p *exprParser) term() expr {
	a := p.unary()
	for p.is("*/") {
		op := p.op
		p.next()
		a = combined(a, op, p.unary())
	}
	return a
}

func (p *exprParser) unary() expr {
	if p.depth++; p.depth > maxExprDepth {
		return p.fail(p.at, "nested more than %d deep. Simplify the expression.", maxExprDepth)
	}
	defer func() { p.depth-- }()
	if p.is("+-") {
		minus := p.op == '-'
		p.next()
		a := p.unary()
		if !minus {
			return a
		}
		return expr{value: func(v []float64) float64 { return -a.value(v) }, text: "(-" + a.text + ")",
			linear: a.linear.combined('*', p.constant(-1).linear), parts: []expr{a},
			slopes: through(func(float64) float64 { return -1 }, a),
			form:   func(v []curvature.Form) curvature.Form { return curvature.Negative(a.form(v)) }}
	}
	a := p.operand()
	if p.is("^") {
		p.next()
		b := p.unary()
		return expr{value: func(v []float64) float64 { return math.Pow(a.value(v), b.value(v)) },
			text: "pow(" + a.text + ", " + b.text + ")", parts: []expr{a, b}, never: notZero('^'),
			slopes: through2(slopes2["pow"], a, b),
			form:   func(v []curvature.Form) curvature.Form { return curvature.Power(a.form(v), b.form(v)) }}
	}
	return a
}

func (p *exprParser) operand() expr {
	at, token := p.at, p.text[p.at:p.end]
	switch {
	case p.kind == exprNumber:
		c, err := strconv.ParseFloat(token, 64)
		if err != nil {
			return p.fail(at, "number %s does not fit a float64. Use one below 1.8e308.", token)
		}
		p.next()
		return p.constant(c)
	case p.kind == exprName:
		p.next()
		if p.is("(") {
			return p.call(at, token)
		}
		return p.name(at, token)
	case p.is("("):
		p.next()
		a := p.sum()
		p.expect(")", at)
		return a
	}
	return p.fail(at, "unexpected %s. A number, a name or ( is expected here.", p.shown())
}

func (p *exprParser) expect(op string, open int) {
	if p.err == nil && !p.is(op) {
		p.fail(p.at, "unexpected %s. A %s is expected for the ( in column %d.", p.shown(), op, open+1)
	}
	p.next()
}

func (p *exprParser) name(at int, name string) expr {
	if i := slices.Index(p.vars, name); i >= 0 {
		form := &affine{c: make([]float64, len(p.vars))}
		form.c[i] = 1
		return expr{value: func(v []float64) float64 { return v[i] }, text: name, linear: form,
			form:   func(v []curvature.Form) curvature.Form { return v[i] },
			slopes: func(_ []float64, by float64, sum []float64) { sum[i] += by }}
	}
	c, ok := p.consts[name]
	if !ok {
		c, ok = exprConsts[name]
	}
	if ok {
		return p.constant(c)
	}
	if exprFuncs1[name] != nil || exprFuncs2[name] != nil {
		return p.fail(at, "function %q without arguments. Write %s(...).", name, name)
	}
	known := slices.Concat(p.vars, sortedKeys(p.consts), sortedKeys(exprConsts))
	return p.fail(at, "unknown name %q. Known are %s.", name, strings.Join(known, ", "))
}

func (p *exprParser) call(at int, name string) expr {
	open := p.at
	if slices.Contains(exprSizes, name) {
		return p.size(name)
	}
	f1, f2 := exprFuncs1[name], exprFuncs2[name]
	if f1 == nil && f2 == nil {
		known := slices.Concat(sortedKeys(exprFuncs1), sortedKeys(exprFuncs2))
		return p.fail(at, "unknown function %q. Did you mean %q? Known are %s.",
			name, input.Nearest(name, known), strings.Join(known, ", "))
	}
	p.next()
	a := p.sum()
	word := name
	if other, ok := exprText[name]; ok {
		word = other
	}
	if f1 != nil {
		p.expect(")", open)
		e := expr{value: func(v []float64) float64 { return f1(a.value(v)) }, text: word + "(" + a.text + ")",
			form:   func(v []curvature.Form) curvature.Form { return curvature.Function(name, a.form(v)) },
			slopes: through(slopes1[name], a), parts: []expr{a}}
		if name == "exp" {
			e.never = func([]float64) bool { return true }
		}
		return e
	}
	if p.err == nil && !p.is(",") {
		return p.fail(p.at, "unexpected %s. %s takes two arguments.", p.shown(), name)
	}
	p.next()
	b := p.sum()
	p.expect(")", open)
	e := expr{value: func(v []float64) float64 { return f2(a.value(v), b.value(v)) },
		text: word + "(" + a.text + ", " + b.text + ")", parts: []expr{a, b}, slopes: through2(slopes2[name], a, b),
		form: func(v []curvature.Form) curvature.Form { return curvature.Function2(name, a.form(v), b.form(v)) }}
	if name == "pow" {
		e.never = notZero('^')
	}
	return e
}

// size reads the rest of "rows(A)".
func (p *exprParser) size(name string) expr {
	open := p.at
	p.next()
	at, table := p.at, p.text[p.at:p.end]
	c, ok := p.consts[name+"("+table+")"]
	if !ok {
		return p.fail(at, "%q is not the name of a table. Add a line %s", table, directiveUse["data"])
	}
	p.next()
	p.expect(")", open)
	return p.constant(c)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
