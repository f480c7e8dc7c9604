package opencl

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// numbered is a function of components.
type numbered struct {
	name   lint.Token
	number string       // its first parameter
	body   []lint.Token // with the braces, but the last
	begin  int          // the index of its name
}

// numberedFunctions returns the functions of components that have a body.
func numberedFunctions(tokens []lint.Token) (all []numbered) {
	names := []string{"component", "residuals", "component_inner"}
	for i, t := range tokens {
		if t.Kind != lint.Word || !slices.Contains(names, t.Text) || i+1 >= len(tokens) || tokens[i+1].Text != "(" {
			continue
		}
		end := closing(tokens, i+1)
		if end+1 >= len(tokens) || tokens[end+1].Text != "{" { // a call, or no body
			continue
		}
		first := i + 2 // the last token of the first parameter
		for first < end && tokens[first+1].Text != "," && first+1 < end {
			first++
		}
		all = append(all, numbered{t, tokens[first].Text, tokens[end+1 : closing(tokens, end+1)], i})
	}
	return all
}

// sameForAll returns a warning if the function of components does not use their number, so that all of them add the
// same, as where one text has the whole function. It is silent where a macro may hide the number.
func sameForAll(tokens []lint.Token) (all []lint.Warning) {
	for _, f := range numberedFunctions(tokens) {
		used := func(t lint.Token) bool { return t.Kind == lint.Word && t.Text == f.number }
		macro := slices.ContainsFunc(tokens, func(t lint.Token) bool { return t.Kind == lint.Macro })
		if slices.ContainsFunc(f.body, used) || macro && slices.ContainsFunc(tokens[:f.begin], used) {
			continue
		}
		all = append(all, lint.Warning{File: f.name.File, Line: f.name.Line, Col: f.name.Col, Text: fmt.Sprintf("%s "+
			"does not use its number %s, so every component adds the same, and the value is that of one times their "+
			"number. If it has the whole function, write //@ components 1", f.name.Text, f.number)})
	}
	return all
}

// closing returns the index of the bracket that closes the one at an index, or the last index.
func closing(tokens []lint.Token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		switch tokens[i].Text {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}
