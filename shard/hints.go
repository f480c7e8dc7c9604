package shard

import (
	"errors"
	"regexp"

	"github.com/clopt/clopt/cl"
)

// A hint says what the text of an objective has in place of what it tried.
type hint struct{ message, source, say string }

// hints are for mistakes of those who know C but not the names of an objective file. The first two fields are regular
// expressions; the words are those of clang, of which the compilers of drivers are made.
var hints = []hint{
	{`undeclared identifier 'n'`, ``, "the number of variables is DIM"},
	{`undeclared identifier 'pi'`, ``, "pi is PI"},
	{`undeclared identifier 'e'`, ``, "e is exp(R(1.0))"},
	{`subscripted value`, `\bx\s*\[`, "variable i is at(x, i)"},
	{`abs' is ambiguous`, ``, "the absolute value of a real is fabs"},
}

// explained adds hints to the messages of a compiler that err has.
func explained(err error) error {
	build, ok := errors.AsType[*cl.BuildError](err)
	if !ok {
		return err
	}
	for i := range build.Messages {
		m := &build.Messages[i]
		for _, h := range hints {
			if regexp.MustCompile(h.message).MatchString(m.Text) && regexp.MustCompile(h.source).MatchString(m.Source) {
				m.Text += "; " + h.say
				break
			}
		}
	}
	return err
}
