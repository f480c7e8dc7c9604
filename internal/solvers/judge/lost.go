package judge

import (
	"math"

	"github.com/clopt/clopt/problems"
)

// Lost returns the part of the formula of p that float64 does not hold at sums, and because of which the value is 0
// there and at all sums near: points cannot be compared then. It is "" if there is none.
func Lost(p problems.Problem, sums []float64) string {
	at := append([]float64{}, sums...)
	if len(sums) == 0 || p.Objective(at) != 0 {
		return ""
	}
	for a, v := range sums {
		for _, h := range []float64{-1e-3, 1e-3} {
			at[a] = v + h*max(1, math.Abs(v))
			if p.Objective(at) != 0 {
				return ""
			}
		}
		at[a] = v
	}
	return problems.LostOf(p, sums)
}
