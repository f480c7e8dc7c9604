package opencl

import (
	"regexp"
	"sync"

	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/clc/squares"
	"github.com/clopt/clopt/problems"
)

// foundSquares is whether the text is a sum of squares, found when it is asked for.
type foundSquares struct {
	once sync.Once
	squares.Found
}

// macros returns the names of macros of the text that may be those of variables in a text after it.
func (o *Objective) macros() (names []string) {
	for _, s := range o.sources {
		for _, m := range macro.FindAllStringSubmatch(s.Text, -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// macro matches the definition of a macro whose name begins with a small letter.
var macro = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([a-z]\w*)`)

// Squares returns whether the value is a weighted sum of squares, for runs in a precision. The result is empty where
// the text has no trees. Its tree belongs to the objective, and must not be changed.
func (o *Objective) Squares(p problems.Precision) squares.Found {
	f := &o.found[problems.Flag(p == problems.FP32)]
	f.once.Do(func() {
		trees, opaque := o.Trees(p)
		if opaque != nil {
			return
		}
		t := squares.Text{Trees: trees, Data: o.hostData(p), Components: o.tiling.M, Weights: o.Linear()}
		if len(t.Weights) == 1 && t.Weights[0] > 0 { // that of the only sum is no part of the sum
			t.Weights = []float64{1}
		}
		f.Found = squares.Find(t)
		c, known := o.Class()
		if o.squares > 0 || f.Residuals == nil || !known || c.Kind() != smooth.Stepped {
			return
		}
		step := c.Steps[0] // residuals with steps have no derivatives
		f.Found = squares.Found{Why: &squares.Reason{Pos: step.Pos, Text: "has steps: " + step.Word}}
	})
	return f.Found
}
