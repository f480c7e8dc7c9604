package graybox

import (
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// With search=mts the local search of a part is MTS-LS1 (Tseng and Chen 2008, "Multiple trajectory search
// for large scale global optimization", doi:10.1109/CEC.2008.4631210) instead of Solis-Wets. It moves one
// variable after the other, while a step of Solis-Wets moves all of them and must suit all. Methods for
// thousands of nearly independent variables end with such a search. The state of a chain is its step and
// the place in the sweep. As with search=cma, a part has one chain at a time, which continues where it
// stopped until its step is too small.

// Steps of a chain of search=mts, as fractions of the box: the first step, as in the paper, and the step
// below which a chain ends, which changes only the last digits of a variable.
const (
	widest    = 0.4
	leastFP64 = 1e-15
	leastFP32 = 1e-7
)

// follows reports whether the chains of a part are followed to their end, one at a time.
func (m *Graybox) follows() bool { return m.Search == "cma" || m.Search == "mts" }

// mtsDefines returns the defines of kernels/solvers/graybox/mts.cl.
func mtsDefines(prec problems.Precision) []kernels.Define {
	least := leastFP64
	if prec == problems.FP32 {
		least = leastFP32
	}
	return []kernels.Define{{Name: "MTS_WIDEST", Value: problems.Literal(widest)},
		{Name: "MTS_LEAST", Value: problems.Literal(least)}}
}
