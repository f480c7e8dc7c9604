package problems

import (
	"math"

	"github.com/clopt/clopt/problems/input"
)

// Bounds is the interval of every variable.
type Bounds struct{ Lo, Hi float64 }

// Validate says what is wrong with bounds.
func (b Bounds) Validate() error {
	switch {
	case !(b.Lo < b.Hi):
		return input.Errorf("", 0, 0, "lower bound %g is not below upper bound %g", b.Lo, b.Hi)
	case math.IsInf(b.Hi-b.Lo, 0):
		return input.Errorf("", 0, 0, "bounds %g and %g are too far apart; keep their difference below 1.8e308", b.Lo, b.Hi)
	}
	return nil
}
