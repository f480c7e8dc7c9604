package problems

import "math/big"

// Exact is a Problem whose values are known in full.
type Exact interface {
	Problem
	// ExactValue returns the value of a point as the problem states it, without the Sign of Info. Objective returns the
	// float64 nearest to it, negated if the problem is maximized.
	ExactValue(x []float64) *big.Rat
}

// maxWhole is 2^53, up to which all whole numbers are float64.
const maxWhole = 1 << 53

// Digits returns all digits of the value of x if it is a whole number that may have more of them than float64 holds,
// and else "". f is the value as float64, with the Sign of Info. It is "" as well if f is not the float64 nearest to
// the value, so that a device is not believed that computes another one.
func Digits(p Problem, x []float64, f float64) string {
	e, ok := p.(Exact)
	if !ok || f < maxWhole && f > -maxWhole || len(x) != p.Domain().N {
		return ""
	}
	v := e.ExactValue(x)
	if near, _ := v.Float64(); near != f || !v.IsInt() {
		return ""
	}
	return v.Num().String()
}
