package meta

import (
	"bytes"
	"fmt"
	"math/big"
	"regexp"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// Around is what the comments of a file say of its value beside the terms. bqpjson and QUBOTools write
// "c offset : 5" and "c scale : 2" into .qubo files, and the value is scale·(offset + Σ terms). QOBLIB writes
// "# ObjectiveOffset 5", and lists of terms have "# offset=5".
type Around struct {
	Unread string // the first comment on these in another form, which is not read; else ""

	offset, scale *big.Rat // nil: not given
}

// Part says what of the comments is read.
type Part int

// The parts.
const (
	None   Part = iota // nothing; Unread has what is said
	Offset             // the offset
	Both               // the offset and the scale
)

var (
	aroundForm  = regexp.MustCompile(`^(?:(offset|scale)\s*[:=]|Objective(Offset)\s)\s*([-+.0-9]\S*)$`)
	offsetWords = regexp.MustCompile(`(?i)\b((objective)?[ _]?offset|constant)\b.*[0-9]`)
	scaleWords  = regexp.MustCompile(`(?i)\b(scale|scaling)\b.*[0-9]`)
)

// Comment reads a comment. The error is a sentence without its point.
func (a *Around) Comment(text []byte, part Part) error {
	m := aroundForm.FindSubmatch(bytes.TrimSpace(text))
	if m == nil || part == None || part == Offset && string(m[1]) == "scale" {
		if a.Unread == "" && (offsetWords.Match(text) || part != None && scaleWords.Match(text)) {
			a.Unread = string(text)
		}
		return nil
	}
	v, err := input.Rational(m[3])
	into := &a.offset
	what := "offset"
	if string(m[1]) == "scale" {
		what = "scale"
		into = &a.scale
	}
	switch {
	case err != nil:
		return fmt.Errorf("the %s %s %w. Write a number like -0.5", what, input.Shown(m[3]), err)
	case into == &a.scale && v.Sign() <= 0:
		return fmt.Errorf("the scale %s is not positive. Change the signs of the terms instead", input.Shown(m[3]))
	case *into != nil:
		return fmt.Errorf("a second %s. Remove one", what)
	}
	*into = v
	return nil
}

// Apply gives a model, whose value is the sum of its terms, the offset and the scale.
func (a *Around) Apply(to *graph.Model) {
	if a.offset != nil {
		to.Offset.Set(a.offset)
	}
	if a.scale != nil {
		to.Offset.Mul(to.Offset, a.scale)
		to.Scale.Mul(to.Scale, a.scale)
		to.Rest.Times(a.scale)
	}
}
