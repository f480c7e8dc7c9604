// Package squares finds from its tree whether an objective is a sum of squares, and makes the function of the numbers
// that are squared.
//
// It looks at each term of a sum, also where variables add terms up first. A term must be a square, such as sq(e), e*e,
// pown(e, 2) or pow(e, 2.0), or a square times weights. Weights do not depend on the point, and their sign is known. No
// point is evaluated.
//
// Files, each after those it needs: squares.go, sites.go, weights.go, terms.go, flows.go, rewrite.go, find.go.
package squares

import (
	"fmt"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
)

// Text is an objective that may be a sum of squares.
type Text struct {
	Trees      *clc.Trees
	Data       host.Data
	Components int
	Weights    []float64 // of the sums in the value, one each; nil: the value is no weighted sum of them
}

// Found is what was found.
type Found struct {
	// Residuals adds the numbers that are squared to its results, which are 0 before: each to one of its own, those of
	// a component from the first one on. It has as many results as the component with most of them. It is nil where the
	// objective is no sum of squares, and Why says why.
	Residuals *clc.Tree
	Counts    []int   // of numbers of component k at k mod len(Counts)
	At        clc.Pos // of the first square; 0: the text declares them
	Why       *Reason
}

// Reason is why a text is not known to be a sum of squares.
type Reason struct {
	Pos  clc.Pos
	Text string // such as "adds r * s"
}

// fail is the panic of what is no sum of squares.
type fail struct{ Reason }

// refuse ends the search.
func refuse(pos clc.Pos, format string, args ...any) {
	panic(fail{Reason{pos, fmt.Sprintf(format, args...)}})
}

// written returns an expression as a person reads it, cut if it is long.
func written(e clc.Expr) string {
	var w clc.Writer
	const most = 40
	text := w.Expr(e)
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}
