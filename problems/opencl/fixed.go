package opencl

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/clc/token"
)

// sizeNames are the names of the sizes of a problem, which are members of the data d unless a text is fixed.
var sizeNames = []string{"DIM", "COMPS", "TILES", "SUPERS"}

// fixed returns where a text needs the sizes as constants, "" if nowhere: in lines of the preprocessor, in the sizes of
// arrays, after case, and in functions without a parameter data d, or with another d. A remainder by a number that is
// no constant takes as long as some components, so that one is fixed, too.
func fixed(tokens []token.Token) string {
	if len(tokens) >= maxTokens {
		return "the text is too long to tell"
	}
	f := fixing{tokens: tokens}
	for f.at < len(tokens) && f.found == "" {
		if tokens[f.at].Text == "#" && tokens[f.at].First {
			f.directive()
			continue
		}
		f.code()
	}
	return f.found
}

// fixing goes through the tokens of a text.
type fixing struct {
	tokens    []token.Token
	at        int
	depth     int    // of braces
	open      []int  // the parentheses and brackets that are not closed, and the brace of the function
	statement int    // the first token of the statement
	data      bool   // the function, or the last list of parameters, has a parameter data d
	other     bool   // the function uses d as something else
	sizes     []int  // that the function uses
	found     string // the place, and what is there
}

// fix notes the place of a size.
func (f *fixing) fix(at int, where string) {
	if t := f.tokens[at]; f.found == "" {
		f.found = fmt.Sprintf("%s:%d:%d: %s stands %s", t.File, t.Line, t.Col, t.Text, where)
	}
}

func (f *fixing) text(at int) string {
	if at < 0 || at >= len(f.tokens) {
		return ""
	}
	return f.tokens[at].Text
}

// directive passes a line of the preprocessor.
func (f *fixing) directive() {
	for begin := f.at; f.at == begin || f.at < len(f.tokens) && !f.tokens[f.at].First; f.at++ {
		switch t := f.text(f.at); {
		case slices.Contains(sizeNames, t):
			f.fix(f.at, "in a line of the preprocessor")
		case t == "d" && f.text(f.at-1) == "define":
			f.other = true
		}
	}
}

// code passes a token that is not in a line of the preprocessor.
func (f *fixing) code() {
	at := f.at
	f.at++
	switch t := f.text(at); t {
	case "(":
		if f.depth == 0 && len(f.open) == 0 {
			f.data = false // parameters begin
		}
		f.open = append(f.open, at)
	case "[":
		f.open = append(f.open, at)
	case ")", "]":
		f.open = f.open[:max(0, len(f.open)-1)]
	case "{":
		f.depth++
		f.open, f.statement = nil, f.at
	case "}":
		if f.depth--; f.depth == 0 {
			f.end()
		}
		f.open, f.statement = nil, f.at
	case ";":
		if len(f.open) == 0 {
			f.statement = f.at
		}
	case "d":
		f.name(at)
	default:
		if slices.Contains(sizeNames, t) {
			f.size(at)
		}
	}
}

// end ends a function, or another text in braces.
func (f *fixing) end() {
	for _, at := range f.sizes {
		if !f.data || f.other {
			f.fix(at, "in a function without a parameter data d, or with another d")
		}
	}
	f.data, f.other, f.sizes = false, false, nil
}

// name looks at a word d: a parameter of type data, or a part of an expression that it can be.
func (f *fixing) name(at int) {
	before, after := f.text(at-1), f.text(at+1)
	switch {
	case before == "." || before == "->": // a member of something
	case f.depth == 0 && before == "data":
		f.data = true
	case f.depth > 0 && (!slices.Contains([]string{".", ",", ")"}, after) || f.tokens[at-1].Kind == token.Word &&
		before != "return" || before == "*"):
		f.other = true
	}
}

// size looks at a size.
func (f *fixing) size(at int) {
	if f.depth == 0 {
		f.fix(at, "outside of functions")
		return
	}
	f.sizes = append(f.sizes, at)
	if slices.ContainsFunc(f.tokens[f.statement:at], func(t token.Token) bool { return t.Text == "case" }) {
		f.fix(at, "after case")
	}
	if before := f.text(at - 1); before == "%" || before == "(" && f.text(at-2) == "%" {
		f.fix(at, "after %, which is faster with a constant")
	}
	for k, open := range f.open {
		if f.text(open) == "[" && f.declares(open, k) {
			f.fix(at, "in the size of an array")
		}
	}
}

// declares reports whether a bracket, inside of k others, is that of an array which is declared: its name follows a
// type, or a comma that stands in no parentheses.
func (f *fixing) declares(bracket, k int) bool {
	name := bracket - 1
	for f.text(name) == "]" { // of another size
		for name--; name > 0 && f.text(name) != "["; name-- {
		}
		name--
	}
	before := name - 1
	if before < 0 {
		return false
	}
	switch t := f.tokens[before]; {
	case t.Text == "return" || t.Text == "else":
		return false
	case t.Text == ",":
		return k == 0
	default:
		return t.Kind == token.Word
	}
}
