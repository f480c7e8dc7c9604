// Package lbfgs descends with a quasi-Newton method from many start points, with gradients that follow from the text of
// an objective, or from differences of the components that read a variable.
package lbfgs

import (
	"cmp"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// LBFGS is the limited-memory BFGS method on the whole point (Liu and Nocedal 1989, doi:10.1007/BF01589116), projected
// on the box:
//
//	repeat until Patience descents in a row have found nothing better, Descents at most:
//	   x = a uniform point, or the current minimum after a kick        // a descent; its first step
//	   repeat:                                                         // a step
//	      g = the gradient at x
//	      d = -H g, where H follows from the last Pairs changes of x and g
//	      y = x + t·d in the box, for t = 1, 1/2, 1/4, … until f(y) <= f(x) + 1e-4 g·(y - x)
//	      x = y; without such a y the pairs are forgotten, and the steepest descent is tried
//	   until the steepest descent fails too, or f falls by less than 1e-13 of itself, also with finer differences
//	   x becomes the current minimum if it is lower, or by the rule of Metropolis
//
// Where the text of the objective is understood, gradients are exact: each component is differentiated backwards by its
// adjoint (package internal/clc/diff), for the work of three values. In the first descent one is compared with
// differences of values. If they do not agree, gradients are differences from then on. exact.go says how what
// components add to a variable is added, always in the same order.
//
// Kinks such as those of fabs are rounded less and less in the first stage of a descent, with multipliers (Bertsekas
// 1975, doi:10.1007/BFb0120696). rounds.go says how.
//
// Otherwise the derivative by variable i is a central difference of the components that read i, with the step
// eps^(1/3)·max(|x_i|, 1e-3 of its interval), and one-sided at a bound. At the end of a descent eps^(1/2) takes the
// place of eps^(1/3): where components vanish at the minimum, their differences are exact enough for that. If g(acc)
// is not linear, the chain rule takes its derivatives from differences on the host. So a gradient of a chain costs
// about as much as four values, and one of a problem whose components read everything as much as 2n.
//
// A descent from a uniform point begins with coarse differences, which see the slope through ripples and steps
// (implicit filtering, Gilmore and Kelley 1995, doi:10.1137/0805015). Their step is 1/32 of the interval, then 1/256,
// then 1/2048. Finer ones follow when the steepest descent fails, or when f falls by less than 1e-4 of itself. Where
// gradients are exact and the function has no steps, only the second descent and some later ones begin so.
//
// Basin hopping (Li and Scheraga 1987, doi:10.1073/pnas.84.19.6611; Wales and Doye 1997, doi:10.1021/jp970984n) makes
// chains of descents. A kick moves some variables of the current minimum, or draws one to three bodies anew: variables
// that the same components read, such as the coordinates of an atom, or up to three in a row where components may read
// everything. How many variables move, and how far, is drawn unless it is set. Half of the kicks repeat one of the last
// 16 that led to another minimum. After 16 descents without a better minimum the chain also accepts higher ones, at a
// temperature of a quarter of the median rise. After 32 the next chain begins, at a uniform point or at the best one,
// in turn. If Patience is more than 64, these numbers are a quarter and a half of it.
//
// Values in float32 have errors of 6e-8 of the terms, in which the fall of a good step is lost long before the minimum.
// There a step is also good if f rises by at most 1e-6 of itself and the slope along it has not grown to more than 0.8
// of that at its beginning, to the other side (the approximate Wolfe conditions of Hager and Zhang 2005,
// doi:10.1137/030601880). A descent then ends when for 20 steps neither f falls by 1e-7 of itself nor |g| by half.
//
// Gradients of a function of the host are differences of whole values (host.go).
//
// Variables at a bound stay there while their derivative leads out of the box. Directions are combined from inner
// products alone (Chen, Wang and Zhou 2014, Large-scale L-BFGS using MapReduce): the devices add them by tiles, so that
// a run has the same bits on any number of devices. The zero value of each field means its default.
type LBFGS struct {
	Pairs    int      // changes of x and g that are kept; 0: 10
	Kick     *float64 // share of the variables that a kick draws again, at least one; nil: drawn, up to 1/2
	Reach    *float64 // how far a kick moves a variable at most, as a share of its interval; nil: drawn, up to 1
	Patience int      // a run ends after this many descents that found nothing better; 0: 64, or half of all if more
	Descents int      // the most descents of a run; 0: any number
}

// Traits describe L-BFGS.
func (m *LBFGS) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "lbfgs",
		About: `limited-memory BFGS on the whole point, projected on the box, from uniform points and by basin
hopping. The gradient is exact where clopt understands the text, for the work of three evaluations. Otherwise it is made
of differences of the components that read a variable, and costs a few evaluations where components read few variables.
For smooth functions and those with kinks; in fp32 where gradients are exact.`,
		Settings: m.settings(),
		Suits:    m.suits, Limits: limits, Slopes: slopesOf, Calls: true,
	}
}

// slopesOf says that runs know slopes, but for functions of the host.
func slopesOf(p problems.Problem) bool { return problems.CallOf(p) == nil }

// settings returns a setting for each exported field.
func (m *LBFGS) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("pairs", "changes of the point and the gradient that are kept", &m.Pairs, 1, 100, defaultPairs),
		solvers.Real("kick", "share of the variables that a kick draws again, at least one; auto: drawn for each "+
			"kick, up to 1/2", &m.Kick, 0, 1, nil),
		solvers.Real("reach", "how far a kick moves a variable at most, as a share of its interval; auto: drawn for "+
			"each kick, from 1/1000 to 1", &m.Reach, 0, 1, nil),
		solvers.Int("patience", "a run ends after this many descents that found nothing better; auto: 64, or half of "+
			"all if that is more", &m.Patience, 1, 1<<30, 0),
		solvers.Int("descents", "the most descents of a run; auto: any number", &m.Descents, 1, 1<<30, 0),
	}
}

const (
	defaultPairs    = 10
	defaultPatience = 64
)

// rows returns the number of pairs that are stored: those of the direction, and the newest one, until it is known to be
// good.
func (m *LBFGS) rows() int { return cmp.Or(m.Pairs, defaultPairs) + 1 }

const (
	halvings = 20    // of a step along a direction
	armijo   = 1e-4  // share of the fall that the slope promises
	flat     = 1e-10 // a pair is good if the slope changes by more than this part of itself
	first    = 0.1   // length of the first try of a steepest descent, as a share of the widest interval
)

// suits refuses variables that are 0 or 1, and fp32.
func (m *LBFGS) suits(p problems.Problem, prec problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if prec == problems.FP32 && adjointOf(p, prec) == nil {
		return solvers.Settingf("solver lbfgs makes no exact gradient of %s, and differences in float32 are none; use "+
			"--precision fp64 or another solver", p.Spec())
	}
	if t := p.Tiling(); !t.Whole && max(before(p.Structure()), t.Halo) > t.TileVars {
		return solvers.Settingf("solver lbfgs: a component of %s reads variables of more than two tiles; use larger "+
			"tiles (--tile) or another solver", p.Spec())
	}
	return nil
}

// before returns how many variables before those of a tile are read by components that read one of the tile.
func before(s problems.Structure) int {
	if _, from, to, ok := s.Window(); ok {
		return to - from
	}
	return 0
}

// tries returns the largest work of the values of a step, which has two line searches, and of the gradients in them.
func tries(prec problems.Precision) int64 {
	if prec == problems.FP32 {
		return 2 * (halvings + exactWork*mostAhead)
	}
	return 2 * halvings
}

// limits allows any number of start points. The first two steps are a start point, and a gradient with its searches.
func limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	if problems.CallOf(p) != nil {
		return hostLimits(p.Domain().N)
	}
	return solvers.Limits{Starts: math.MaxInt, Step: 1 + int64(math.Ceil(gradientWork(p, prec))) + tries(prec)}
}
