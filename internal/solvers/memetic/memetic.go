// Package memetic is the common part of the two memetic algorithms: default settings, random choices, and the local
// search of Solis and Wets on the host.
package memetic

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// Defaults, from the papers.
const (
	DefaultIterations = 500   // generations of a cycle, and evaluations of local search
	DefaultAlpha      = 0.5   // of BLX-alpha
	DefaultMutation   = 0.125 // probability of BGA mutation
)

// AlphaDoc describes the setting alpha.
const AlphaDoc = "alpha of BLX-alpha; the paper has 0.5, which spreads a population; most long runs find better " +
	"values with 0.4"

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

// Others returns three distinct numbers below n other than j. It takes one of the words for each.
func Others(words []uint32, n, j uint32) (others [3]uint32) {
	taken := []uint32{j}
	for k := range others {
		v := rng.Int(words[k], n-1-uint32(k))
		for _, t := range taken { // in increasing order
			if v >= t {
				v++
			}
		}
		others[k] = v
		taken = append(taken, v)
		slices.Sort(taken)
	}
	return others
}

// Mutation returns the number that BGA mutation adds to a variable, as a fraction of its largest step: the sum of 2^-k
// over those of 16 bits that are set, each with probability 1/16. Its sign is random too.
func Mutation(w [4]uint32) float64 {
	sum := 0.0
	for k := range 16 {
		if w[2+k/8]>>(4*(k%8))&15 == 0 {
			sum += math.Ldexp(1, -k)
		}
	}
	if w[0]&1 == 1 {
		return -sum
	}
	return sum
}
