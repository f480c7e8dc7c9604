// Package judge says what the result of a run is worth: whether uniform points are better, whether rounding errors are
// as large, whether the value seems to have no limit, and whether float64 holds the numbers of its formula.
package judge

import (
	"math"
	"time"

	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// someUnits is how many units of its last digit a sum of some hundred terms usually loses.
const someUnits = 4

// Rounding returns how much rounding in a precision may change the value f that p has where its components add the
// given terms: some units of the precision times the sizes of all that is added, each times the slope of the objective
// in its accumulator. It returns 0 where f is larger than that, or exactly 0.
func Rounding(p problems.Problem, f float64, at trial.Terms, prec problems.Precision) float64 {
	if at.Sums == nil || f == 0 {
		return 0
	}
	unit := someUnits * 0x1p-52
	if prec == problems.FP32 {
		unit = someUnits * 0x1p-23
	}
	size := 0.0
	for a, slope := range host.Slopes(p, at.Sums) {
		size += math.Abs(slope) * at.Sizes[a]
	}
	if math.Abs(f) < unit*size {
		return unit * size
	}
	return 0
}

// The time of an evaluation on the host, and the number of components, up to which their terms are looked at, too.
const (
	longestTerms = time.Second
	MostTerms    = 1 << 20
)

// HostRounding is Rounding of the value f at x, whose evaluation took so long, by the host reference. It is 0 where
// that takes long.
func HostRounding(p problems.Referenced, f float64, x []float64, prec problems.Precision,
	took time.Duration) float64 {
	if x == nil || took > longestTerms || p.Tiling().M > MostTerms || p.Domain().Binary {
		return 0
	}
	return Rounding(p, f, trial.TermsOf(p, x), prec)
}
