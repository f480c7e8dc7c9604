// Package memetic is the common part of the two memetic algorithms.
package memetic

import (
	"github.com/clopt/clopt/problems"
)

// Defaults, from the papers.
const (
	DefaultIterations = 500   // generations of a cycle, and evaluations of local search
	DefaultAlpha      = 0.5   // of BLX-alpha
	DefaultMutation   = 0.125 // probability of BGA mutation
)

// DefaultPopulation returns the default number of individuals for dim variables.
func DefaultPopulation(dim int, prec problems.Precision) int {
	switch {
	case dim <= 1e6:
		return 100
	case dim <= 1e7:
		return 50
	case dim <= 1e8:
		return 25
	case prec == problems.FP32:
		return 16
	}
	return 8
}
