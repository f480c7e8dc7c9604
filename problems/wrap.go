package problems

import (
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// Bounds is the interval of every variable.
type Bounds struct{ Lo, Hi float64 }

// Validate says what is wrong with bounds.
func (b Bounds) Validate() error {
	switch {
	case !(b.Lo < b.Hi):
		return input.Errorf("", 0, 0, "lower bound %g is not below upper bound %g", b.Lo, b.Hi)
	case math.IsInf(b.Hi-b.Lo, 0):
		return input.Errorf("", 0, 0, "bounds %g and %g are too far apart; keep their difference below 1.8e308", b.Lo, b.Hi)
	}
	return nil
}

// File is an objective in OpenCL C as it was asked for: a path, and what
// stands in place of the text's own directives.
type File struct {
	Path     string
	Bounds   *Bounds // nil: the text's own
	Maximize bool
}

// FileOf returns how a problem was made from a file, and false for one that
// was not.
func FileOf(p Problem) (File, bool) {
	switch p := p.(type) {
	case *Objective:
		return File{Path: p.path}, true
	case *reshaped:
		return p.file, true
	}
	return File{}, false
}

// reshaped is an objective with bounds in place of its own, or maximised. Its
// best known value is dropped: it belongs to the text as it is.
type reshaped struct {
	Partial // the objective; without its other methods
	text    *Objective
	file    File
}

// reshape returns o, or o with the bounds and the sense of f.
func reshape(o *Objective, f File) (Problem, error) {
	if f.Bounds == nil && !f.Maximize {
		return o, nil
	}
	if f.Bounds != nil {
		if err := f.Bounds.Validate(); err != nil {
			return nil, err
		}
	}
	return &reshaped{o, o, f}, nil
}

// Spec is that of the file with the keys lo, hi and maximize.
func (r *reshaped) Spec() string {
	var b strings.Builder
	b.WriteString(r.Partial.Spec())
	if f := r.file.Bounds; f != nil {
		fmt.Fprintf(&b, ",lo=%g,hi=%g", f.Lo, f.Hi)
	}
	if r.file.Maximize {
		b.WriteString(",maximize=true")
	}
	return b.String()
}

func (r *reshaped) Box() (lo, hi float64) {
	if f := r.file.Bounds; f != nil {
		return f.Lo, f.Hi
	}
	return r.Partial.Box()
}

// Sign is -1 where the file is maximised.
func (r *reshaped) Sign() float64 {
	if r.file.Maximize {
		return -1
	}
	return 1
}

func (r *reshaped) Objective(acc []float64) float64 { return r.Sign() * r.Partial.Objective(acc) }

// PartialText is that of the text, with the sense of the file.
func (r *reshaped) PartialText(p Precision) (Text, error) {
	return r.text.partialText(p, int(r.Sign()))
}
