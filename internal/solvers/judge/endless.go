package judge

import (
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/problems"
)

// mostEndless is the largest number of variables that AtBounds names.
const mostEndless = 3

// Falls reports whether the value f of a run is so far below those of the points, and below 0, that the function seems
// to fall without limit.
func (s Sampled) Falls(f float64) bool {
	return s.Points > 0 && f < -1e15*max(1, math.Abs(s.Best))
}

// nearBound returns the bound that v, the value of variable i, is near: within a millionth of the bound or 1, and of
// the interval. which is "lower", "upper" or, if there is none, "".
func nearBound(d problems.Domain, i int, v float64) (bound float64, which string) {
	lo, hi := d.Interval(i)
	bound, which = lo, "lower"
	if math.Abs(hi-v) < math.Abs(v-lo) {
		bound, which = hi, "upper"
	}
	if lo == hi || math.Abs(v-bound) > 1e-6*min(hi-lo, max(1, math.Abs(bound))) {
		return v, ""
	}
	return bound, which
}

// OntoBounds returns x with the variables that AtBounds names on their bounds.
func OntoBounds(d problems.Domain, x []float64) []float64 {
	on := make([]float64, len(x))
	for i, v := range x {
		on[i], _ = nearBound(d, i, v)
	}
	return on
}

// AtBounds names the first variables of x that are near a bound, such as "variable 1 is 1e-154, and its lower bound is
// 0", or says that there are none. It names only variables that of accepts; nil accepts all.
func AtBounds(d problems.Domain, x []float64, of func(i int) bool) string {
	var near []string
	for i, v := range x {
		bound, which := nearBound(d, i, v)
		if which == "" || of != nil && !of(i) {
			continue
		}
		if len(near) == mostEndless {
			near = append(near, "…")
			break
		}
		near = append(near, fmt.Sprintf("variable %d is %.6g, and its %s bound is %.6g", i, v, which, bound))
	}
	if len(near) == 0 {
		return "no variable is near a bound"
	}
	return strings.Join(near, "; ")
}
