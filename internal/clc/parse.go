package clc

import (
	"errors"
	"fmt"

	"github.com/clopt/clopt/internal/clc/token"
)

// Text is the text of an objective, with what is known of the text around it.
type Text struct {
	Tokens []token.Token // with all files that it includes
	// Tables are the arrays of the objective, without d., with their types, Real or UInt.
	Tables map[string]Type
	// Symbols are the numbers that a Symbol may name. Their values are used where the language wants a constant.
	Symbols map[string]uint32
	// The lengths of the arrays that functions write to; 0: the text has no such function.
	Sums, Residuals, Inner int
	RealBits               int // 64 or 32
}

// Trees are the functions of an objective: Component, or Residuals, or Inner and Value.
type Trees struct{ Component, Residuals, Inner, Value *Tree }

// All returns the trees that there are.
func (t *Trees) All() (all []*Tree) {
	for _, tree := range []*Tree{t.Component, t.Residuals, t.Inner, t.Value} {
		if tree != nil {
			all = append(all, tree)
		}
	}
	return all
}

// Opaque says why a text has no tree.
type Opaque struct {
	Pos    Pos
	Reason string // such as "uses as_ulong"
}

// String returns "FILE:LINE:COL REASON".
func (o *Opaque) String() string {
	return fmt.Sprintf("%s:%d:%d %s", o.Pos.File, o.Pos.Line, o.Pos.Col, o.Reason)
}

// The limits of a tree. What is beyond them is opaque.
const (
	maxTokens = 200_000 // after the preprocessor
	maxSteps  = 400_000 // tokens read, those of a function as often as it is called
	maxNodes  = 100_000
	maxDeep   = 200     // nested statements, expressions and calls
	maxArray  = 1 << 16 // elements of an array
)

// Parse reads the trees of a text. It returns an Opaque where the text is outside of the subset, wrong texts included.
func Parse(t Text) (trees *Trees, opaque *Opaque) {
	p := &parser{text: t, scope: &scope{}}
	defer func() {
		if r := recover(); r != nil {
			own, ok := r.(*Opaque)
			if !ok {
				panic(r)
			}
			trees, opaque = nil, own
		}
	}()
	tokens, err := token.Expand(t.Tokens, t.defined, maxTokens)
	if e := (*token.Error)(nil); errors.As(err, &e) {
		return nil, &Opaque{posOf(e.Token), e.Text}
	}
	end := token.Token{}
	if len(tokens) > 0 {
		end = tokens[len(tokens)-1]
		end.Kind, end.Text = token.End, ""
	}
	p.tokens = append(tokens, end, end, end, end)
	p.end = len(tokens)
	p.file()
	return p.trees(), nil
}

func posOf(t token.Token) Pos { return Pos{t.File, t.Line, t.Col} }

// defined says which macros the text around an objective defines.
func (t Text) defined(name string) (value int64, defined, unsure bool) {
	if v, ok := t.Symbols[name]; ok {
		return int64(v), true, false
	}
	if v, ok := t.counts()[name]; ok {
		return int64(v), true, false
	}
	switch {
	case name == "R", name == "PI", name == "BOX_LO", name == "BOX_HI":
		return 0, true, false
	case constants[name].text != "":
		_, double := doubles[name]
		return 0, true, double && t.RealBits != 64
	case len(name) > 1 && name[:2] == "__", len(name) > 2 && name[:3] == "cl_", len(name) > 2 && name[:3] == "CL_",
		around[name]:
		return 0, false, true
	}
	return 0, false, false
}

// around are other macros of the text around an objective, which differ between devices and methods.
var around = map[string]bool{"GROUP": true, "WIDE": true, "SUM_FP64": true, "ALIGNED": true, "TILES": true,
	"SUPERS": true, "CLOSED": true, "ONE_ROUND": true, "ROOT_BY_FP64": true, "POINTS": true, "SCRATCH": true,
	"FP_FAST_FMA": true, "FP_FAST_FMAF": true}

// counts are macros that are plain numbers.
func (t Text) counts() map[string]int {
	c := map[string]int{"REAL_BITS": t.RealBits, "ACCS": max(t.Sums, 1), "INNER": t.Inner}
	if t.Residuals > 0 {
		c["RESIDUALS"] = t.Residuals
	}
	return c
}

// trees lowers the functions that the objective has.
func (p *parser) trees() *Trees {
	t := p.text
	switch {
	case t.Residuals > 0:
		return &Trees{Residuals: p.lower("residuals", t.Residuals, 0)}
	case t.Inner > 0:
		return &Trees{Inner: p.lower("component_inner", t.Inner, 0), Value: p.lower("component_value", 1, t.Inner)}
	}
	return &Trees{Component: p.lower("component", max(t.Sums, 1), 0)}
}

// parser reads a text and makes its trees. A function is read anew where it is called, so that all that is known of
// its arguments is known in it.
type parser struct {
	text   Text
	tokens []token.Token
	at     int
	end    int // of the tokens
	scope  *scope
	within *call // the function that is being read
	deep   int
	steps  int
	out    []Stmt          // the statements so far
	taken  map[string]bool // the names of the tree
	last   map[string]int  // the number that a name had last
	consts map[*Var]*Number
	tree   *Tree
}

// call is a function that is being read.
type call struct {
	function *function
	outer    *call
	result   *place // of what it returns
	value    *value // of a return that is its last statement
	block    *Block // of all it does
	left     bool   // by a return before its end
	loops    []loop
	nested   int    // statements in each other, at this place
	body     [2]int // its tokens
}

// loop has what break and continue leave.
type loop struct{ end, next *Block }

// lower makes the tree of a function of the objective.
func (p *parser) lower(name string, results, inner int) *Tree {
	s := p.scope.find(name)
	if s == nil || s.function == nil {
		p.at = max(0, p.end-1)
		p.fail("has no function %s", name)
	}
	f := s.function
	p.at = f.at
	p.deep, p.out, p.within = 0, nil, nil
	t := &Tree{Name: name}
	p.tree, p.consts = t, map[*Var]*Number{}
	p.reserve()
	t.K = &Var{Name: p.name("k"), Type: UInt, Pos: f.pos}
	t.Out = &Var{Name: p.name(outNames[name]), Type: Real, Len: results, Pos: f.pos}
	args := []value{{typ: ctype{base: UInt}, expr: &Use{Var: t.K, Pos: f.pos}}}
	handle := func(h handle) value { return value{typ: ctype{handle: h}} }
	array := func(v *Var) value {
		return value{typ: ctype{base: Real, pointer: true}, place: &place{vars: []*Var{v}}}
	}
	if inner > 0 {
		t.In = &Var{Name: p.name("inner"), Type: Real, Len: inner, Pos: f.pos}
		args = append(args, array(t.In), handle(data))
	} else {
		args = append(args, handle(point), handle(data), array(t.Out))
	}
	v := p.call(f, args, f.pos)
	if inner > 0 {
		p.emit(&Assign{To: t.Out, Element: p.integer(0, f.pos), Value: p.convert(v, Real), Pos: f.pos})
	}
	t.Body = tidy(p.out)
	t.Nodes = count(t.Body)
	if t.Nodes > maxNodes {
		p.fail("makes a tree of %d nodes", t.Nodes)
	}
	t.Vars = used(t.Vars, t.Body)
	return t
}

// outNames are the names of the arrays that functions write to.
var outNames = map[string]string{"component": "acc", "residuals": "r", "component_inner": "inner",
	"component_value": "value"}

// reserve keeps variables from names that mean something else in a text.
func (p *parser) reserve() {
	p.taken, p.last = map[string]bool{"x": true, "d": true, "at": true}, map[string]int{}
	for word := range Functions {
		p.taken[word] = true
	}
	for _, word := range token.Names(p.text.Tokens) {
		p.taken[word] = true
	}
	for _, word := range otherNames {
		p.taken[word] = true
	}
}

// fail ends the parser with the place of the next token.
func (p *parser) fail(format string, args ...any) {
	p.failAt(p.pos(), format, args...)
}

func (p *parser) failAt(pos Pos, format string, args ...any) {
	panic(&Opaque{pos, fmt.Sprintf(format, args...)})
}

// pos is the place of the next token.
func (p *parser) pos() Pos { return posOf(p.tokens[min(p.at, p.end)]) }

// peek returns the text of the token that is a number of tokens ahead, "" after the end.
func (p *parser) peek(ahead int) string { return p.tokens[min(p.at+ahead, p.end)].Text }

func (p *parser) kind(ahead int) token.Kind { return p.tokens[min(p.at+ahead, p.end)].Kind }

func (p *parser) is(text string) bool { return p.peek(0) == text && p.kind(0) != token.Quote }

// step goes on by one token.
func (p *parser) step() {
	if p.steps++; p.steps > maxSteps {
		p.fail("stands in more text than is read, %d tokens, that of a function at each of its calls", maxSteps)
	}
	if p.at < p.end {
		p.at++
	}
}

// take goes on after a token if it is the next one.
func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.step()
	return true
}

// expect goes on after a token that must come.
func (p *parser) expect(text string) {
	if !p.take(text) {
		p.fail("has %q where %q is expected", p.peek(0), text)
	}
}

// deeper counts how deep statements, expressions and calls nest.
func (p *parser) deeper() func() {
	if p.deep++; p.deep > maxDeep {
		p.fail("is nested more than %d deep", maxDeep)
	}
	return func() { p.deep-- }
}

// skip goes on after the token that closes the one that comes next.
func (p *parser) skip(open, shut string) {
	p.expect(open)
	for depth := 1; depth > 0; p.step() {
		switch {
		case p.at >= p.end:
			p.fail("has %q without %q", open, shut)
		case p.is(open):
			depth++
		case p.is(shut):
			depth--
		}
	}
}

// emit adds statements.
func (p *parser) emit(s ...Stmt) { p.out = append(p.out, s...) }

// capture returns the statements that do adds.
func (p *parser) capture(do func()) []Stmt {
	before := p.out
	p.out = nil
	do()
	added := p.out
	p.out = before
	return added
}
