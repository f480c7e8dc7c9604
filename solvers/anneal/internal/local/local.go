// Package local implements minimizers of one point on the host, in float64, whose state can be stored.
package local

import "github.com/clopt/clopt/problems"

// Minimizer improves one point, and pauses after a given number of evaluations.
type Minimizer interface {
	// Advance makes at most n evaluations of points or changes, and returns how many of each. Both are 0 if
	// nothing fits into n, or at the end.
	Advance(n int64) (points, changes int64)
	// Best returns the best point so far, which the caller must not change, and its value.
	Best() ([]float64, float64)
	// Done reports whether the minimizer has ended by itself.
	Done() bool
	// State returns a pointer to the state, for checkpoint.Encode and checkpoint.Decode.
	State() any
	// Restored is called when State has been decoded. It returns a *checkpoint.Damage if the state is not one of
	// this problem.
	Restored() error
}

// New returns a minimizer of p that starts at x: nelder-mead, lbfgs or coordinate.
func New(name string, p problems.Referenced, x []float64) Minimizer {
	switch name {
	case "nelder-mead":
		return newDescent(p, x, newNelderMead)
	case "lbfgs":
		return newDescent(p, x, newLBFGS)
	case "coordinate":
		return newCoordinate(p, x)
	}
	panic("local: no minimizer " + name)
}

// bounds returns the intervals of all variables.
func bounds(p problems.Problem) (lo, hi []float64) {
	lo, hi = make([]float64, p.Domain().N), make([]float64, p.Domain().N)
	for i := range lo {
		lo[i], hi[i] = p.Domain().Interval(i)
	}
	return lo, hi
}
