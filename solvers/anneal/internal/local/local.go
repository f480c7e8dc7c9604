// Package local implements minimizers of one point on the host, in float64, whose state can be stored.
package local

import "github.com/clopt/clopt/problems"

// Minimizer improves one point, and pauses after some moves: evaluations of points, or of changes of one variable.
type Minimizer interface {
	// Advance makes at most n moves, of at most the given work together, where that of a point is 1. It returns how
	// many moves it made, and their work. Both are 0 if nothing fits, or at the end.
	Advance(n int64, work float64) (made int64, done float64)
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

// tally counts moves and their work.
type tally struct {
	made  int64
	work  float64
	share float64 // work of a change
}

// newTally returns a tally of moves of p.
func newTally(p problems.Problem) tally {
	s := p.Structure()
	return tally{share: s.MeanTouched() / float64(s.Components())}
}

// fit reports whether points and changes could follow without more than n moves and so much work.
func (t *tally) fit(points, changes, n int64, work float64) bool {
	return t.made+points+changes <= n && t.work+float64(points)+float64(changes)*t.share <= work
}

// add counts points and changes.
func (t *tally) add(points, changes int64) {
	t.made += points + changes
	t.work += float64(points) + float64(changes)*t.share
}

// bounds returns the intervals of all variables.
func bounds(p problems.Problem) (lo, hi []float64) {
	lo, hi = make([]float64, p.Domain().N), make([]float64, p.Domain().N)
	for i := range lo {
		lo[i], hi[i] = p.Domain().Interval(i)
	}
	return lo, hi
}
