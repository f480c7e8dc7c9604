package token

import (
	"fmt"
	"slices"
)

// Error says what of a text the preprocessor of this package does not do.
type Error struct {
	Token Token  // the place
	Text  string // such as "uses ##"
}

// Error returns the place and the text.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Token.File, e.Token.Line, e.Token.Col, e.Text)
}

// Defined returns what the text around an objective says of a macro: its value, and whether it is defined; unsure where
// that is not known.
type Defined func(name string) (value int64, defined, unsure bool)

// Expand returns the tokens of Scan after the preprocessor: without its lines and what they leave out, and with what
// macros stand for, which has the places of its words. Macros that only the text around defines stay. What needs more
// than most tokens, or is not done here, is an *Error.
func Expand(tokens []Token, defined Defined, most int) (expanded []Token, err error) {
	e := &expander{defined: defined, macros: map[string]*macro{}, most: most}
	defer func() {
		if r := recover(); r != nil {
			own, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			expanded, err = nil, own
		}
	}()
	e.text(tokens)
	return e.out, nil
}

// Names returns the names of all macros that a text defines anywhere.
func Names(tokens []Token) (names []string) {
	for _, t := range Texts(tokens) {
		if t.Kind == Macro {
			names = append(names, t.Text)
		}
	}
	return names
}

// macro is what a name stands for.
type macro struct {
	parens bool
	params []string
	body   []Token
}

// hidden are the macros that a token comes from, which are not expanded in it again.
type hidden struct {
	name string
	next *hidden
}

func (h *hidden) has(name string) bool {
	for ; h != nil; h = h.next {
		if h.name == name {
			return true
		}
	}
	return false
}

// with returns h and all of other.
func (h *hidden) with(other *hidden) *hidden {
	for ; other != nil; other = other.next {
		if !h.has(other.name) {
			h = &hidden{other.name, h}
		}
	}
	return h
}

// word is a token that may be expanded.
type word struct {
	Token
	hide *hidden
}

// group is a part of a text from #if to #endif.
type group struct {
	at    Token
	state state
	done  bool // one of its parts is there
}

// state says whether a part of a text is there.
type state uint8

const (
	there state = iota
	left        // it is left out
	unsure
)

type expander struct {
	defined Defined
	macros  map[string]*macro
	most    int // tokens
	steps   int
	groups  []group
	out     []Token
}

func fail(at Token, format string, args ...any) {
	panic(&Error{at, fmt.Sprintf(format, args...)})
}

// now returns whether what comes next is there.
func (e *expander) now() (s state, at Token) {
	for _, g := range e.groups {
		if g.state != there {
			s, at = g.state, g.at
			if s == left {
				return s, at
			}
		}
	}
	return s, at
}

// text expands a text.
func (e *expander) text(tokens []Token) {
	var run []Token // without lines of the preprocessor
	flush := func() {
		e.out = append(e.out, plain(e.expand(words(run), 0))...)
		run = run[:0]
	}
	for at := 0; at < len(tokens); {
		end := lineEnd(tokens, at)
		line := tokens[at:end]
		at = end
		for _, t := range line {
			if t.Joined {
				fail(t, "has a word over two lines")
			}
		}
		s, asks := e.now()
		switch {
		case line[0].Text == "#":
			flush()
			e.directive(line)
		case s == there:
			run = append(run, line...)
		case s == unsure:
			fail(asks, "asks what is known only where it is compiled")
		}
	}
	flush()
	if len(e.groups) > 0 {
		fail(e.groups[len(e.groups)-1].at, "has an #if without its #endif")
	}
}

// directive follows a line of the preprocessor.
func (e *expander) directive(line []Token) {
	if len(line) < 2 {
		return
	}
	at, rest := line[1], line[2:]
	s, asks := e.now()
	switch at.Text {
	case "if", "ifdef", "ifndef":
		g := group{at: at, state: left}
		if s == there {
			g.state = e.condition(at, rest)
		}
		g.done = g.state == there
		e.groups = append(e.groups, g)
		return
	case "elif", "else", "endif":
		if len(e.groups) == 0 {
			fail(at, "has an #%s without its #if", at.Text)
		}
		e.next(at, rest)
		return
	}
	switch {
	case s == left, at.Text == "pragma", at.Text == "warning":
	case s == unsure && at.Text == "error":
	case s == unsure:
		fail(asks, "asks what is known only where it is compiled")
	case at.Text == "define":
		e.define(at, rest)
	case at.Text == "undef" && len(rest) == 1:
		delete(e.macros, rest[0].Text)
	default:
		fail(at, "uses #%s", at.Text)
	}
}

// next goes on to the next part of a group, or to its end.
func (e *expander) next(at Token, rest []Token) {
	g := &e.groups[len(e.groups)-1]
	outer := e.groups[:len(e.groups)-1]
	if at.Text == "endif" {
		e.groups = outer
		return
	}
	around, _ := (&expander{groups: outer}).now()
	switch {
	case around != there || g.done:
		g.state = left
	case g.state == unsure:
	case at.Text == "else":
		g.state, g.done = there, true
	default:
		g.state = e.condition(at, rest)
		g.done = g.state == there
	}
}

// define adds a macro.
func (e *expander) define(at Token, rest []Token) {
	if len(rest) == 0 || rest[0].Kind != Word {
		fail(at, "defines a macro without a name")
	}
	m, body := &macro{}, rest[1:]
	if len(body) > 0 && body[0].Text == "(" && !body[0].Blank {
		m.parens = true
		end := slices.IndexFunc(body, func(t Token) bool { return t.Text == ")" })
		if end < 0 {
			fail(at, "defines a macro without )")
		}
		for i, t := range body[1:end] {
			if comma := t.Text == ","; comma != (i%2 == 1) || !comma && t.Kind != Word {
				fail(t, "defines a macro with %s among its parameters", t.Text)
			} else if !comma {
				m.params = append(m.params, t.Text)
			}
		}
		body = body[end+1:]
	}
	for _, t := range body {
		if t.Text == "#" || t.Text == "##" || t.Text == "__VA_ARGS__" {
			fail(t, "uses %s", t.Text)
		}
	}
	m.body = body
	e.macros[rest[0].Text] = m
}

func words(tokens []Token) []word {
	all := make([]word, len(tokens))
	for i, t := range tokens {
		all[i].Token = t
	}
	return all
}

func plain(all []word) []Token {
	tokens := make([]Token, len(all))
	for i, w := range all {
		tokens[i] = w.Token
	}
	return tokens
}

// maxNested bounds macros in arguments of macros.
const maxNested = 50

// expand returns words with what their macros stand for.
func (e *expander) expand(in []word, deep int) (out []word) {
	rest := slices.Clone(in)
	slices.Reverse(rest) // the next one is the last one
	for len(rest) > 0 {
		w := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if e.steps++; e.steps > e.most || deep > maxNested {
			fail(w.Token, "has macros that stand for too much")
		}
		m := e.macros[w.Text]
		if w.Kind != Word || m == nil || w.hide.has(w.Text) {
			out = append(out, w)
			continue
		}
		var args [][]word
		if m.parens {
			if len(rest) == 0 || rest[len(rest)-1].Text != "(" {
				out = append(out, w)
				continue
			}
			rest, args = e.arguments(w.Token, m, rest)
		}
		hide := (&hidden{w.Text, nil}).with(w.hide)
		text := e.replaced(m, args, hide, deep)
		for i := len(text) - 1; i >= 0; i-- {
			rest = append(rest, text[i])
		}
	}
	return out
}

// arguments reads the arguments of a macro, whose ( is the last word of rest, and returns the words after them.
func (e *expander) arguments(at Token, m *macro, rest []word) (after []word, args [][]word) {
	depth, arg := 0, []word(nil)
	for len(rest) > 0 {
		w := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		switch w.Text {
		case "(":
			if depth++; depth == 1 {
				continue
			}
		case ")":
			if depth--; depth == 0 {
				args = append(args, arg)
				if len(m.params) == 0 && len(args) == 1 && len(arg) == 0 {
					args = nil
				}
				if len(args) != len(m.params) {
					fail(at, "gives %s %d arguments", at.Text, len(args))
				}
				return rest, args
			}
		case ",":
			if depth == 1 {
				args, arg = append(args, arg), nil
				continue
			}
		}
		arg = append(arg, w)
	}
	fail(at, "has %s( without )", at.Text)
	return nil, nil
}

// replaced returns the text of a macro with its arguments.
func (e *expander) replaced(m *macro, args [][]word, hide *hidden, deep int) (text []word) {
	full := make([][]word, len(args))
	for _, t := range m.body {
		i := -1
		if t.Kind == Word {
			i = slices.Index(m.params, t.Text)
		}
		if i < 0 {
			text = append(text, word{t, hide})
			continue
		}
		if full[i] == nil {
			full[i] = e.expand(args[i], deep+1)
		}
		for _, w := range full[i] {
			text = append(text, word{w.Token, w.hide.with(hide)})
		}
	}
	for i := range text {
		text[i].First = false
	}
	if e.steps += len(text); e.steps > e.most {
		fail(m.body[0], "has macros that stand for too much")
	}
	return text
}
