// Package graybox searches in each part of a point by itself, again and again, for objectives that are sums over
// parts. It has these files, each of which needs only those before it: graybox.go, class.go, layout.go, memory.go,
// engine.go, run.go, sums.go, slope.go, step.go, state.go, blocks.go, blocks_state.go, start.go.
package graybox

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// Graybox lets several local searches work in each part of a point, one after the other and from many start points.
// A part is a set of variables with all components that read them. Where no component reads variables of two parts, the
// objective is a sum over the parts, so each part is a small problem of its own, and all of them are solved at the same
// time. Other objectives are searched along their slopes (slope.go), large problems in blocks (blocks.go), and parts
// that have components in common in turns (open.go). In each part:
//
//	repeat until the budget is used up:                          // a restart
//	   x = a uniform point of the box; with one variable, the best of eight or more
//	   repeat until no search has improved x since its last change:
//	      choose the one of those searches that has had the least of its share of the evaluations
//	      x = the search from x, to its end
//	   if x is better than the best point of the part, it is the best point
//
// A part rests after some restarts that found nothing better, at first one, so that the evaluations go to the parts
// that still improve. When all parts rest, they go on with twice the patience. A run ends by itself when all parts rest
// after mostPatience restarts.
//
// The share of a search grows with what it has gained per evaluation (probability matching, Thierens 2005,
// doi:10.1145/1068009.1068251). An evaluation is one candidate of every part. The zero value of each field means its
// default.
type Graybox struct {
	Search string // "auto", or one search alone: "mts", "solis-wets", "lbfgs", "cma" or "axes"; "": auto

	block int // variables of a block; 0: blockVars; for tests
}

// settings returns the only setting, the search.
func (m *Graybox) settings() []solvers.Setting {
	return []solvers.Setting{solvers.Word("search", "auto: all of them, by what they gain; mts, which tries one "+
		"variable after the other; solis-wets, which moves all; jumps, which draws one anew; lbfgs, "+
		"a quasi-Newton method with gradients from differences, for fp64; cma, which adapts the distribution of its "+
		"steps, in parts of 2 to 128 variables; or axes, which is mts along the principal axes of the second "+
		"derivatives, for fp64 in the same parts",
		&m.Search, "auto", "mts", "solis-wets", "jumps", "lbfgs", "cma", "axes")}
}

// search is the number of a local search in kernels/solvers/graybox/searches.cl.
type search uint

const (
	mts search = iota
	solisWets
	jumps
	lbfgs
	cma
	axes
)

// names are those of the searches.
var names = [...]string{mts: "mts", solisWets: "solis-wets", jumps: "jumps", lbfgs: "lbfgs", cma: "cma", axes: "axes"}

// denseVars is the most variables of a part for which a search keeps a matrix.
const denseVars = 128

// searches returns the searches in a part of n variables.
func (m *Graybox) searches(n int, whole bool, prec problems.Precision) []search {
	dense := n > 1 && n <= denseVars
	switch {
	case m.Search == "mts":
		return []search{mts}
	case m.Search == "solis-wets":
		return []search{solisWets}
	case m.Search == "jumps":
		return []search{jumps}
	case m.Search == "lbfgs":
		return []search{lbfgs}
	case m.Search == "cma" && dense:
		return []search{cma}
	case m.Search == "axes" && dense:
		return []search{axes}
	}
	if n == 1 {
		return []search{mts} // there is only one direction
	}
	list := []search{mts, solisWets}
	if whole {
		list = append(list, jumps)
	}
	if prec == problems.FP64 { // differences of float32 are no gradient
		list = append(list, lbfgs)
	}
	if dense {
		list = append(list, cma)
	}
	if dense && prec == problems.FP64 {
		list = append(list, axes)
	}
	return list
}
