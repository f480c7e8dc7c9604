package solvers

import "github.com/clopt/clopt/problems"

// What the memetic algorithms have in common: the defaults of the papers.
const (
	defaultIterations = 500   // generations, and evaluations of local search, of a cycle
	defaultAlpha      = 0.5   // of BLX-alpha
	defaultMutation   = 0.125 // probability of BGA mutation
)

// defaultPopulation is the number of individuals for dim variables.
func defaultPopulation(dim int, prec problems.Precision) int {
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
