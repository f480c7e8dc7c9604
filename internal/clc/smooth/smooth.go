// Package smooth finds from its tree whether a function is smooth, has kinks, or has steps, and its degree.
//
// What depends on the point is followed through all statements, forwards; of a value no more is known than its degree.
// What may be a kink or a step, such as fabs or a branch, is tried: the statements around it are evaluated at points on
// both sides of its border, which bisection finds, and their values and slopes are compared. So sq(fmax(v, 0)) is
// smooth, and r < 1 ? r*r : 2*r - 1, too.
//
// What has kinks may be rounded: a tree in which calls of functions that round take their places.
//
// Files, each after those it needs: smooth.go, bench.go, border.go, expression.go, flow.go, round.go.
package smooth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/clc"
)

// Kind says how smooth a function is.
type Kind uint8

// The kinds of functions.
const (
	Smooth  Kind = iota + 1 // it has derivatives wherever it has values
	Kinked                  // it is continuous, but may have no derivative at some points
	Stepped                 // it may jump
)

// String returns the word for it.
func (k Kind) String() string { return [...]string{"", "smooth", "kinked", "stepped"}[k] }

// Cause is a place of a text where a function has kinks or steps.
type Cause struct {
	Word string // such as fabs, "a branch" or "an index"
	Pos  clc.Pos
}

// InWords says where kinks or steps are, those of a line each once. files are those of the objective, the main one
// first.
func InWords(causes []Cause, files []string) (words []string) {
	for _, c := range causes {
		text := fmt.Sprintf("%s in line %d", c.Word, c.Pos.Line)
		if len(files) > 0 && c.Pos.File != files[0] {
			text += " of " + c.Pos.File
		}
		if !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	return words
}

// The degrees of functions. Those of higher degrees, and those that are no polynomials, are Other.
const (
	Constant = iota
	Linear
	Quadratic
	Other
)

// Class is what is known of a function of the variables of an objective.
type Class struct {
	Kinks, Steps []Cause // in the order of the text, each once
	Degree       int     // Other if it has kinks or steps
}

// Kind returns the kind of the function.
func (c Class) Kind() Kind {
	switch {
	case len(c.Steps) > 0:
		return Stepped
	case len(c.Kinks) > 0:
		return Kinked
	}
	return Smooth
}

// Of returns the class of an objective. g is its function of the sums as a tree of component_value, whose inner sums
// are the sums; nil: the only sum is the value.
func Of(t *clc.Trees, g *clc.Tree) Class {
	var found Class
	follow := func(tree *clc.Tree, in int) int { return newFollower(tree, in, &found).follow() }
	degree := Constant
	switch {
	case t.Residuals != nil:
		degree = power(follow(t.Residuals, Constant), 2)
	case t.Inner != nil:
		degree = follow(t.Value, follow(t.Inner, Constant))
	default:
		degree = follow(t.Component, Constant)
	}
	if g != nil {
		degree = follow(g, degree)
	}
	found.Kinks, found.Steps = ordered(found.Kinks), ordered(found.Steps)
	found.Degree = degree
	if found.Kind() != Smooth {
		found.Degree = Other
	}
	return found
}

// ordered returns causes in the order of the text, each once.
func ordered(all []Cause) []Cause {
	slices.SortFunc(all, func(a, b Cause) int {
		return cmp.Or(strings.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col,
			strings.Compare(a.Word, b.Word))
	})
	return slices.Compact(all)
}

// power returns the degree of a power of a value of some degree.
func power(degree, exponent int) int { return min(degree*exponent, Other) }
