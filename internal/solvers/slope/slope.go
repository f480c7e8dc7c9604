// Package slope says how near a point is to one without a slope.
package slope

import (
	"errors"
	"math"

	"github.com/clopt/clopt/internal/clc/diff"
	text "github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// Slope is the norm of a gradient, without the derivatives by variables that are at a bound and would leave the box.
// Near 0 a smooth function has a minimum, or another point without a slope. The zero value is one that is not known.
type Slope struct {
	Known bool
	Norm  float64 // Euclidean, in units of f for a change of 1 of a variable
	At    float64 // f at the point
	Exact bool    // the gradient follows from the text; else it is made of differences
	// Least says that a descent has ended with the value At, since no step of it makes the value fall by more than
	// rounding errors. Norm is that at this point, or at the one before it.
	Least bool
}

// Better returns the slope of the better point of the two, where t is the later one.
func (s Slope) Better(t Slope) Slope {
	if t.Known && (!s.Known || t.At < s.At || t.At == s.At && t.Least) {
		return s.Then(t)
	}
	return s
}

// same is the share of a value by which two values that count as the same one differ at most.
const same = 1e-9

// Then returns t, that of a point as good as that of s or better. It is the end of a descent, too, if that of s is,
// and its value is the same up to 1e-9 of it, or its norm is not larger: a kick may come back to a minimum, or a
// search that follows no gradient may lower its last digits.
func (s Slope) Then(t Slope) Slope {
	near := s.At-t.At <= same*math.Abs(s.At) || t.Norm <= s.Norm
	t.Least = t.Least || s.Least && s.Exact && t.At <= s.At+same*math.Abs(s.At) && near
	return t
}

// Within reports whether the norm is at most gtol, at a point as good as a value.
func (s Slope) Within(gtol, best float64) bool { return s.Known && s.Norm <= gtol && s.At <= best }

// OnHost returns the slope of p at x, where its sums are those given and its value is f, as the host computes it in
// float64. It is not known unless the text shows that p is smooth, and the host differentiates it in about a second.
func OnHost(p problems.Problem, x, sums []float64, f float64) Slope {
	if !Smooth(p) || len(sums) == 0 {
		return Slope{}
	}
	gradient, err := Gradient(p, x, host.Slopes(p, sums), text.PointWork)
	if err != nil {
		return Slope{}
	}
	s := Slope{Known: true, Norm: heldNorm(p.Domain(), x, gradient), At: f, Exact: true}
	if !host.Finite(s.Norm) {
		return Slope{}
	}
	return s
}

// Smooth reports whether the text of p shows that it is smooth.
func Smooth(p problems.Problem) bool {
	class, known := problems.ClassOf(p)
	return known && class.Kind() == smooth.Smooth
}

// Step returns the first place of the text of p at which it may jump, in words, or "".
func Step(p problems.Problem) string {
	class, known := problems.ClassOf(p)
	if !known || class.Kind() != smooth.Stepped {
		return ""
	}
	return smooth.InWords(class.Steps, p.Info().Files)[0]
}

// Gradient returns the gradient of the sums of p, each times its weight, at x, as the host computes it from the text in
// at most so many operations. The error says why it does not.
func Gradient(p problems.Problem, x, weights []float64, operations int64) ([]float64, error) {
	trees, opaque := problems.TreesOf(p, problems.FP64)
	if opaque != nil {
		return nil, errors.New(opaque.String())
	}
	ref, err := problems.OnHost(p, problems.FP64)
	if err != nil {
		return nil, err
	}
	adjoint, err := diff.Adjoint(diff.Component(trees), ref.Size)
	if err != nil {
		return nil, err
	}
	f, err := ref.Compile(adjoint)
	if err != nil {
		return nil, err
	}
	gradient, frame := make([]float64, len(x)), f.NewFrame()
	frame.Derive(func(i int64, v float64) { gradient[i] += v }, nil)
	for k := range p.Structure().Components() {
		copy(frame.In(), weights)
		took, err := frame.Run(k, 0, x, operations)
		if operations -= took; err != nil {
			return nil, err
		}
	}
	return gradient, nil
}

// heldNorm returns the norm of a gradient without the derivatives by variables that are at a bound and would leave the
// box.
func heldNorm(d problems.Domain, x, gradient []float64) float64 {
	sum := 0.0
	for i, g := range gradient {
		if lo, hi := d.Interval(i); x[i] <= lo && g > 0 || x[i] >= hi && g < 0 {
			continue
		}
		sum += g * g
	}
	return math.Sqrt(sum)
}
