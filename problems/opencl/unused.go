package opencl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// Names of sums, and names that may be those of tables, in expressions.
var (
	sumName   = regexp.MustCompile(`\bs[0-9]+\b`)
	tableWord = regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9_]*\b`)
)

// unusedSums returns a warning for each sum that the directive f, or f = s0 without it, leaves out.
func (o *Objective) unusedSums(all []directive) (found []lint.Warning) {
	at, f := find(all, "f"), "s0"
	if at != nil {
		f = strings.TrimSpace(at.rest(0))
	} else {
		at = find(all, "sums")
	}
	used := sumName.FindAllString(f, -1)
	for j := range o.sums {
		if name := fmt.Sprintf("s%d", j); !slices.Contains(used, name) {
			found = append(found, at.warning("f does not use the sum %s, which is acc[%d]. Write //@ f %s + %s, "+
				"or %s + 0*%s if it is only shown", name, j, f, name, f, name))
		}
	}
	return found
}

// unusedTables returns a warning for each table of the directives data that neither the text nor a directive names.
func unusedTables(all []directive, tokens []lint.Token) (found []lint.Warning) {
	if len(tokens) >= maxTokens || slices.ContainsFunc(tokens, func(t lint.Token) bool { return t.Text == "##" }) {
		return nil // there are more names
	}
	for _, d := range all {
		name := d.first()
		named := func(t lint.Token) bool { return isTable(t.Text, name) }
		measured := func(o directive) bool { return slices.Contains(tableWord.FindAllString(o.value, -1), name) }
		if d.word == "data" && !slices.ContainsFunc(tokens, named) &&
			!slices.ContainsFunc(all, func(o directive) bool { return o.word != "data" && measured(o) }) {
			found = append(found, d.warning("the text does not read the table %s. Read it as d.%s[i], or remove this "+
				"line", name, name))
		}
	}
	return found
}

// unknownTables returns a warning for each member of a parameter of type data that no directive data declares, and for
// each table that is used as if it had rows or columns of their own.
func unknownTables(all []directive, tokens []lint.Token) (found []lint.Warning) {
	data := map[string]bool{} // whether a name is always that of such a parameter
	for i, t := range tokens[:max(0, len(tokens)-1)] {
		if after := tokens[i+1]; t.Kind == lint.Word && t.Text != "return" && after.Kind == lint.Word {
			before, known := data[after.Text]
			data[after.Text] = t.Text == "data" && (before || !known)
		}
	}
	declared := func(member string) bool {
		return slices.Contains(reserved, member) || slices.ContainsFunc(all, func(d directive) bool {
			return d.word == "data" && isTable(member, d.first())
		})
	}
	var tables []string
	for _, d := range all {
		if d.word == "data" {
			tables = append(tables, d.first())
		}
	}
	said := map[string]bool{}
	warn := func(t lint.Token, format string, args ...any) {
		if !said[t.Text] {
			said[t.Text] = true
			found = append(found, lint.Warning{File: t.File, Line: t.Line, Col: t.Col,
				Text: fmt.Sprintf(format, args...)})
		}
	}
	for i := 0; i+2 < len(tokens); i++ {
		t := tokens[i+2]
		switch after := i + 3; {
		case !data[tokens[i].Text] || tokens[i+1].Text != "." || t.Kind != lint.Word:
		case !declared(t.Text) && len(tables) > 0:
			warn(t, "no table %s is declared; there is %s. Add a line //@ data %s FILE, or correct the name", t.Text,
				strings.Join(tables, ", "), t.Text)
		case !declared(t.Text):
			warn(t, "no table %s is declared. Add a line //@ data %s FILE", t.Text, t.Text)
		case slices.Contains(tables, t.Text) && after+1 < len(tokens) && (tokens[after].Text == "." ||
			tokens[after].Text == "[" && tokens[min(closing(tokens, after)+1, len(tokens)-1)].Text == "["):
			warn(t, "a table is one array of numbers, row after row. Write d.%[1]s[k*d.%[1]s_cols + j] for column j, "+
				"from 0, of row k", t.Text)
		}
	}
	return found
}

// isTable reports whether a member of the data is a table, or one of its sizes or parts.
func isTable(member, table string) bool {
	rest, ok := strings.CutPrefix(member, table)
	return ok && slices.Contains([]string{"", "_len", "_rows", "_cols", "_val", "_col", "_row_start"}, rest)
}

// warning returns a warning about the directive.
func (d directive) warning(format string, args ...any) lint.Warning {
	return lint.Warning{File: d.file, Line: d.line, Col: d.col, Text: fmt.Sprintf(format, args...)}
}
