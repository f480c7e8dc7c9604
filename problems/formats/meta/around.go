package meta

import (
	"fmt"
	"math/big"
	"regexp"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// Around is what the comments of a .qubo file say of its value beside the terms. bqpjson and QUBOTools write
// "c offset : 5" and "c scale : 2", and the value is scale·(offset + Σ terms).
type Around struct {
	Unread string // the first comment on these in another form, which is not read; else ""
	Near   int    // numbers with too many decimals, read as the nearest float64

	offset, scale *big.Rat // nil: not given
}

var (
	aroundForm  = regexp.MustCompile(`^(offset|scale)\s*:\s*([-+.0-9]\S*)$`)
	aroundWords = regexp.MustCompile(`(?i)\b(offset|scale|scaling|constant)\b.*[0-9]`)
)

// Comment reads a comment. The error is a sentence without its point.
func (a *Around) Comment(text []byte) error {
	m := aroundForm.FindSubmatch(text)
	if m == nil {
		if a.Unread == "" && aroundWords.Match(text) {
			a.Unread = string(text)
		}
		return nil
	}
	near := false
	v, digits, err := input.Exact(m[2])
	if err != nil {
		v, digits, near, err = input.Printed(m[2])
	}
	into := &a.offset
	if string(m[1]) == "scale" {
		into = &a.scale
	}
	switch {
	case err != nil:
		return fmt.Errorf("the %s %s %w. Write a number like -0.5", m[1], input.Shown(m[2]), err)
	case into == &a.scale && v <= 0:
		return fmt.Errorf("the scale %s is not positive. Change the signs of the terms instead", input.Shown(m[2]))
	case *into != nil:
		return fmt.Errorf("a second %s. Remove one", m[1])
	case near:
		a.Near++
	}
	*into = big.NewRat(v, input.Pow10[digits])
	return nil
}

// Apply gives a model, whose value is the sum of its terms, the offset and the scale.
func (a *Around) Apply(to *graph.Model) {
	if a.offset != nil {
		to.Offset.Set(a.offset)
	}
	if a.scale != nil {
		to.Offset.Mul(to.Offset, a.scale)
		to.Scale.Set(a.scale)
	}
}
