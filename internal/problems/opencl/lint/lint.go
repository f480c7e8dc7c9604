// Package lint finds what the text of an objective most likely does not mean, though a compiler takes it without a
// word: integers where real numbers are meant, precision that is lost, and signs that mean something else in other
// languages. It looks at the tokens of OpenCL C and at the types that the text itself shows. Where it knows too
// little, it is silent.
package lint

import (
	"cmp"
	"fmt"
	"slices"
)

// Warning is a place of a text that most likely means something else.
type Warning struct {
	File      string
	Line, Col int
	Text      string // what it means, and what to write
}

// String returns "FILE:LINE:COL: warning: TEXT".
func (w Warning) String() string {
	return fmt.Sprintf("%s:%d:%d: warning: %s", w.File, w.Line, w.Col, w.Text)
}

// Sizes are the lengths of the arrays that components write to, as far as a text has them.
type Sizes struct{ Sums, Inner, Squares int }

// most bounds the warnings of a text.
const most = 20

// Check returns what is to be said about the tokens of a text, in the order of the text.
func Check(tokens []Token, sizes Sizes) []Warning {
	p := &parser{tokens: tokens, sizes: sizes, macros: map[string]*macro{}, functions: map[string]function{},
		said: map[int]bool{}}
	p.findMacros()
	p.text()
	slices.SortStableFunc(p.found, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	var all []Warning
	for _, f := range p.found[:min(len(p.found), most)] {
		t := tokens[f.at]
		all = append(all, Warning{t.File, t.Line, t.Col, f.text})
	}
	return all
}

// finding is a warning about a token.
type finding struct {
	at   int
	text string
}

// macro is a macro of the text.
type macro struct {
	parens     bool
	begin, end int // the tokens of its text
	value      value
	state      uint8 // 0: not read yet; 1: being read; 2: read
}

// function is what is known of a function.
type function struct {
	result kind
	params []kind
}

// parser reads a text. It goes on after what it does not understand.
type parser struct {
	tokens    []Token
	at        int
	end       int // of what is being read
	deep      int
	sizes     Sizes
	macros    map[string]*macro
	functions map[string]function // of the text
	scopes    []map[string]*variable
	within    scope // the function that is being read
	found     []finding
	said      map[int]bool
}

// variable is what is known of a variable.
type variable struct {
	kind
	set   bool     // it has a value
	first bool     // its first value is a number:
	least float64  // this one
	zero  bool     // it may be 0 at first: a parameter, or a part of one
	from  []string // the variables in its first value
}

// warn adds a warning about a token, at most one.
func (p *parser) warn(at int, format string, args ...any) {
	if at >= 0 && at < len(p.tokens) && !p.said[at] {
		p.said[at] = true
		p.found = append(p.found, finding{at, fmt.Sprintf(format, args...)})
	}
}

// word returns the text of a token, "" if there is none.
func (p *parser) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].Text
}

// peek returns the text of the token that is a number of tokens ahead, "" after the end.
func (p *parser) peek(ahead int) string {
	if i := p.at + ahead; i < p.end {
		return p.tokens[i].Text
	}
	return ""
}

func (p *parser) is(text string) bool { return p.peek(0) == text && p.kindOf(0) != Quote }

// kindOf returns the kind of the token that is a number of tokens ahead, 0 after the end.
func (p *parser) kindOf(ahead int) Kind {
	if i := p.at + ahead; i < p.end {
		return p.tokens[i].Kind
	}
	return 0
}

// take goes on after a token with a text, if it is the next.
func (p *parser) take(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

// source returns tokens as they stand in the text, but for blanks.
func (p *parser) source(first, last int) string {
	s := ""
	for i := first; i <= last && i < len(p.tokens) && len(s) < 60; i++ {
		if i > first && p.tokens[i].Blank {
			s += " "
		}
		s += p.tokens[i].Text
	}
	return s
}

// findMacros notes the macros of the text.
func (p *parser) findMacros() {
	for i := 0; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.Kind != Macro {
			continue
		}
		m := &macro{parens: t.Parens, begin: i + 1}
		for i++; i < len(p.tokens) && p.tokens[i].Kind != End; i++ {
		}
		m.end = i
		p.macros[t.Text] = m
	}
}

// macroValue returns the value of a macro without arguments.
func (p *parser) macroValue(name string) value {
	m := p.macros[name]
	if m == nil || m.parens || m.state == 1 {
		return value{}
	}
	if m.state == 0 {
		m.state = 1
		at, end := p.at, p.end
		p.at, p.end = m.begin, m.end
		v := p.expression(0)
		if p.at < p.end { // it is no expression
			v = value{}
		}
		m.value, m.state = v, 2
		p.at, p.end = at, end
	}
	v := m.value
	v.plain = false
	v.wraps = nil
	v.quotient = nil
	v.power = 0
	v.compares = 0
	return v
}

// text reads all of the text.
func (p *parser) text() {
	p.end = len(p.tokens)
	p.push()
	for p.at < p.end {
		if p.kindOf(0) == Macro {
			p.macroText()
			continue
		}
		begin := p.at
		p.outside()
		if p.at == begin {
			p.at++
		}
	}
}

// macroText reads the text of a macro as an expression, if it is one.
func (p *parser) macroText() {
	m := p.macros[p.peek(0)]
	p.at++
	for p.at < len(p.tokens) && p.tokens[p.at].Kind != End {
		p.at++
	}
	p.at++
	end := p.at
	if m != nil && m.state == 0 && m.end == end-1 {
		at, last := p.at, p.end
		p.at, p.end = m.begin, m.end
		v := p.expression(0)
		m.state = 2
		if p.at == p.end && !m.parens {
			m.value = v
		}
		p.at, p.end = at, last
	}
	p.at = end
}
