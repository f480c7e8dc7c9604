package problems

import "math/big"

// Exact is a Problem whose values are known in full.
type Exact interface {
	Problem
	// ExactValue returns the value of a point as the problem states it, without the Sign of Info. Objective returns the
	// float64 nearest to it, negated if the problem is maximized, unless Rounding is not 0.
	ExactValue(x []float64) *big.Rat
	// Rounding is the largest difference of Objective and ExactValue that comes from rounded coefficients; 0: there are
	// none.
	Rounding() float64
	// Descend returns a point whose exact value is not worse than that of x: it makes changes of one variable that
	// improve it, as long as there are any, or for a while. x stays as it is.
	Descend(x []float64) []float64
}

// Reported returns the value of x that is shown to a person, where f is that of Objective: the float64 nearest to the
// exact value if the problem has been rounded, and otherwise f.
func Reported(p Problem, x []float64, f float64) float64 {
	e, ok := p.(Exact)
	if !ok || e.Rounding() == 0 || len(x) != p.Domain().N {
		return f
	}
	v, _ := e.ExactValue(x).Float64()
	return p.Info().Sign() * v
}

// Excess returns by how much the value of x is larger than that of y, or less than 0 if it is smaller, where both are
// minimized and p is an Exact. ok is false if it is not.
func Excess(p Problem, x, y []float64) (e float64, ok bool) {
	q, ok := p.(Exact)
	if n := p.Domain().N; !ok || len(x) != n || len(y) != n {
		return 0, false
	}
	v := q.ExactValue(x)
	e, _ = v.Sub(v, q.ExactValue(y)).Float64()
	return p.Info().Sign() * e, true
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
