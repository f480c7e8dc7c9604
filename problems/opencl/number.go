package opencl

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// sameForAll returns a warning if the function of components does not use their number, so that all of them add the
// same, as where one text has the whole function. It is silent where a macro may hide the number.
func sameForAll(tokens []lint.Token) (all []lint.Warning) {
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
		number := tokens[first].Text
		used := func(t lint.Token) bool { return t.Kind == lint.Word && t.Text == number }
		body := tokens[end+1 : closing(tokens, end+1)]
		macro := slices.ContainsFunc(tokens, func(t lint.Token) bool { return t.Kind == lint.Macro })
		if slices.ContainsFunc(body, used) || macro && slices.ContainsFunc(tokens[:i], used) {
			continue
		}
		all = append(all, lint.Warning{File: t.File, Line: t.Line, Col: t.Col, Text: fmt.Sprintf("%s does not use "+
			"its number %s, so every component adds the same, and the value is that of one times their number. If "+
			"it has the whole function, write //@ components 1", t.Text, number)})
	}
	return all
}

// closing returns the index of the bracket that closes the one at an index, or the last index.
func closing(tokens []lint.Token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		switch tokens[i].Text {
		case "(", "{":
			depth++
		case ")", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(tokens) - 1
}
