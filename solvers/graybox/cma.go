package graybox

import (
	"math"
	"strings"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

const (
	fewestOffspring = 8
	mostOffspring   = 1024 // of a chain of cma
)

// offspring returns the largest number of offspring of a chain of cma. In small parts the values of the offspring
// would need more memory than the matrices.
func (c class) offspring() int {
	n := fewestOffspring
	for n < min(16*c.span, mostOffspring) {
		n *= 2
	}
	return n
}

// cmaDefines returns the defines of kernels/solvers/graybox/cma.cl.
func (c class) cmaDefines() []kernels.Define {
	var weights, effective []string
	for better := fewestOffspring / 2; better <= c.offspring()/2; better *= 2 {
		list, total, squares := make([]float64, better), 0.0, 0.0
		for k := range list {
			list[k] = math.Log(float64(better)+0.5) - math.Log(float64(k+1))
			total += list[k]
		}
		for _, w := range list {
			w /= total
			squares += w * w
			weights = append(weights, problems.Literal(w))
		}
		effective = append(effective, problems.Literal(1/squares))
	}
	return []kernels.Define{
		kernels.Number("CMA_LEVELS", len(effective)),
		{Name: "CMA_WEIGHTS", Value: strings.Join(weights, ", ")},
		{Name: "CMA_EFFECTIVE", Value: strings.Join(effective, ", ")},
	}
}
