// Package lm minimizes sums of squares with the method of Levenberg and Marquardt from many start points. Derivatives
// of the residuals are exact where the text of an objective is understood, and else differences.
package lm

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// LM is the method of Levenberg and Marquardt for sums of squares f = Σ r_i(x)² (Marquardt 1963, doi:10.1137/0111030;
// Moré 1978, doi:10.1007/BFb0067700), projected on the box:
//
//	repeat until the value is 0, or Patience descents in a row have found nothing better, Descents at most:
//	   x = a uniform point, or the best point after a kick, in turn    // a descent
//	   repeat:                                                         // a step
//	      J = the derivatives of r at x; g = Jᵀr
//	      for each part that has not ended its descent:
//	         for λ, 4λ, 16λ, … until a point is better than x:
//	            solve (JᵀJ + λ diag JᵀJ) d = -g
//	            y = the best of x + d, x + d/4 and x + d/16, in the box
//	         x = y; λ = λ/10
//	         if derivatives cost more than such attempts: again with this λ and the same J, as long as f falls
//	   until no y is better, or f falls by less than 1e-8 of itself, in the last of the stages below
//	   keep the best of each part
//
// A part is a set of variables that no component connects with others. Each has its own sum of squares and its own λ,
// and ends its own descent. Only parts that go on are evaluated. If the equations of all parts are more than 2^27
// numbers, the parts are dealt to waves, and a step moves those of one wave.
//
// The residuals are those that the structure of the problem declares: each component is a sum of squares, and the
// device computes the numbers that are squared. JᵀJ is an approximation of half the second derivatives of f that no
// step has to teach. It is always positive, even where f has ripples in every variable.
//
// Where the text is understood and has no steps, derivatives are its tangents or adjoints (exact.go), and the stages
// with finer differences are left out. Otherwise the derivatives by variable i are central differences of the
// components that read i, with the step 0.01·max(|x_i|, 1e-3 of its interval), and one-sided at a bound. Where the
// structure has slopes, the device text has such differences, which count as two values. Wide differences pass over
// ripples. When a step lowers the value of a part by less than a twentieth, the part goes on to its next stage. In the
// second stage, variables at a bound beyond which f falls are left out of the equations, so that the step is right for
// the others. In the five after it, 0.01 becomes smaller, down to eps^(1/2).
//
// The devices compute the residuals and JᵀJ of each component. They also solve the equations of parts that have one
// component: a work-group for each, or a work-item if it has few variables. The host solves those of other parts: it
// puts the variables in an order with few numbers between the diagonal and the first number of a row (Cuthill and McKee
// 1969), and factors what lies between (Cholesky), one part on each processor. So a chain costs O(n), and components
// that read everything cost O(n³).
//
// The zero value of each field means its default.
type LM struct {
	Patience int // a run ends after this many descents that found nothing better; 0: 64
	Descents int // the most descents of a run; 0: any number
}

// Traits describe the method of Levenberg and Marquardt.
func (m *LM) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "lm",
		About: `the method of Levenberg and Marquardt for sums of squares, projected on the box, from uniform points
and by basin hopping. The derivatives of the numbers that are squared are differences; their products stand for
second derivatives. For problems that declare their squares, in fp64.`,
		Settings: m.settings(),
		Suits:    m.suits, Limits: limits, HostPlan: hostPlan,
	}
}

// settings returns the settings.
func (m *LM) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("patience", "a run ends after this many descents that found nothing better", &m.Patience, 1, 1<<30,
			defaultPatience),
		solvers.Int("descents", "the most descents of a run; auto: any number", &m.Descents, 1, 1<<30, 0),
	}
}

const defaultPatience = 64

func (m *LM) patience() int { return cmp.Or(m.Patience, defaultPatience) }

const (
	attempts     = 12    // values of λ that a step tries
	points       = 3     // points along a direction
	least        = 1e-8  // a descent ends when f falls by less than this part of itself
	slow         = 0.05  // and a stage of it before the last one by less than this part
	leastDamping = 1e-13 // λ below which no further point is tried with the same derivatives
	nextDamping  = 1e-6  // the least λ with which the next step begins then
	maxVariables = 1 << 24
	maxCells     = 1 << 27 // numbers of the equations that are kept at a time, and of those of a part
)

// along are the points along a direction, as parts of the step. lm_steps makes the same points.
var along = [points]float64{1, 1. / 4, 1. / 16}

// differences are the steps of differences in each stage of a descent, relative to the variable: wide ones, which
// smooth a ripple, and finer ones for the end.
var differences = [...]float64{1e-2, 1e-2, 7e-4, 5e-5, 3e-6, 2e-7, 0x1p-26}

// suits refuses variables that are 0 or 1, fp32, problems that are no sums of squares, those of more than 2^24
// variables, and those with a part whose equations need more than 2^27 numbers.
func (m *LM) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if prec == problems.FP32 {
		return solvers.Settingf("solver lm needs differences in float64; use --precision fp64 or another solver")
	}
	s, c := p.Structure(), p.Linear()
	if s.Squares(0) == 0 || len(c) == 0 || slices.ContainsFunc(c, func(w float64) bool { return !(w >= 0) }) {
		return solvers.Settingf("method lm minimizes sums of squares, and %s declares none; use lbfgs", p.Spec())
	}
	if n := s.Variables(); n > maxVariables {
		return large("method lm takes at most %d variables, not the %d of %s; use graybox or lbfgs",
			maxVariables, n, p.Spec())
	}
	if tooLarge(p) {
		return large("method lm would solve equations of more than %d numbers for a part of %s; use lbfgs",
			maxCells, p.Spec())
	}
	return nil
}

// large returns an error of a problem that is too large.
func large(format string, args ...any) error {
	return &solvers.SettingError{Msg: fmt.Sprintf(format, args...), Large: true}
}

// tooLarge reports whether the variables that components read, the residuals of a component with their differences, or
// the equations of a part are too many numbers.
func tooLarge(p problems.Problem) bool {
	one, _ := p.Structure().Period()
	c, o := newComponents(one, jacobianOf(p, problems.FP64).by, 0), newOrder(one)
	for k := range one.Components() {
		if need := c.need(k, derivatives); need.residuals > 2*maxCells || need.answers > maxCells {
			return true
		}
	}
	return slices.ContainsFunc(o.parts, func(q part) bool { return o.cells(q) > maxCells })
}

// tries returns the largest number of values of a step besides derivatives: the start point, the residuals at the
// point, all attempts, and the best point.
func (j jacobian) tries() int64 {
	if j.costly() {
		return 3 + 2*attempts*points
	}
	return 3 + attempts*points
}

// costly reports whether derivatives cost more than all attempts of a step.
func (j jacobian) costly() bool { return j.work > attempts*points }

// limits allows any number of start points. A step is a Jacobian and the attempts.
func limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	j := jacobianOf(p, prec)
	return solvers.Limits{Starts: math.MaxInt, Step: int64(math.Ceil(j.work)) + j.tries()}
}
