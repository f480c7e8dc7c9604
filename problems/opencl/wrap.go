package opencl

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/problems"
)

// Linear is that of the text, negated where it is maximised.
func (r *reshaped) Linear() []float64 {
	var c []float64
	for _, v := range r.text.Linear() {
		c = append(c, r.Sign()*v)
	}
	return c
}

// Reads and Cost are those of the text.
func (r *reshaped) Reads(k int, dst []int) []int { return r.text.Reads(k, dst) }

func (r *reshaped) Cost(k int) int { return r.text.Cost(k) }

// File is an objective in OpenCL C as it was asked for: a path, and what
// stands in place of the text's own directives.
type File struct {
	Path     string
	Bounds   *problems.Bounds // nil: the text's own
	Maximize bool
}

// FileOf returns how a problem was made from a file, and false for one that
// was not.
func FileOf(p problems.Problem) (File, bool) {
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
	problems.Partial // the objective; without its other methods
	text             *Objective
	file             File
}

// Reshape returns o, or o with the bounds and the sense of f.
func Reshape(o *Objective, f File) (problems.Problem, error) {
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
func (r *reshaped) PartialText(p problems.Precision) (problems.Text, error) {
	return r.text.partialText(p, int(r.Sign()))
}
