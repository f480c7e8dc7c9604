package problems

import (
	"math"

	"github.com/clopt/clopt/problems/rng"
)

// tries is the number of points at which Monotone and BendsUp look.
const tries = 1000

// Monotone reports whether the objective of p always rises, or always falls, with each of its accumulators,
// whatever the others are. Then a change of some components that moves each accumulator in the better direction
// makes the point better. It tries accumulators of many sizes and signs, and skips those where the objective is
// not finite or does not change. A false answer is certain, a true one is not.
func Monotone(p Problem) bool {
	n := p.Accumulators()
	acc, signs := make([]float64, n), make([]float64, n)
	for try := range uint32(tries) {
		drawAccumulators(p, acc, try)
		at := p.Objective(acc)
		for a, v := range acc {
			acc[a] = v + 1e-3*math.Abs(v)
			change := p.Objective(acc) - at
			acc[a] = v
			if math.IsNaN(change) || math.IsInf(change, 0) || math.Abs(change) <= 1e-13*math.Abs(at) {
				continue
			}
			sign := math.Copysign(1, change)
			if signs[a] == -sign {
				return false
			}
			signs[a] = sign
		}
	}
	return true
}

// BendsUp reports whether the objective of p is below the mean of its values at two points in the middle between them,
// where points are accumulators of equal signs. A penalty for a limit, such as max(0, s1-1000), bends up, and Ackley's
// function nowhere does. It looks at pairs of points as Monotone looks at points. A true answer is certain, a false one
// is not.
func BendsUp(p Problem) bool {
	n := p.Accumulators()
	one, other, middle := make([]float64, n), make([]float64, n), make([]float64, n)
	for try := range uint32(tries) {
		drawAccumulators(p, one, try)
		drawAccumulators(p, other, try+tries)
		for a := range middle {
			other[a] = math.Copysign(other[a], one[a])
			middle[a] = one[a]/2 + other[a]/2
		}
		f, g := p.Objective(one), p.Objective(other)
		below := f/2 + g/2 - p.Objective(middle)
		if below > 1e-9*max(math.Abs(f), math.Abs(g)) && !math.IsInf(below, 0) {
			return true
		}
	}
	return false
}

// drawAccumulators fills acc with numbers of many sizes, from 3e-7 to 148 for each variable, of which a fourth is below
// 0.
func drawAccumulators(p Problem, acc []float64, try uint32) {
	size := float64(p.Domain().N)
	for a := range acc {
		w := rng.Key{}.Words(uint32(a), try, 0, rng.Check)
		acc[a] = size * math.Exp(20*(rng.Uniform(w[0])-0.75))
		if rng.Uniform(w[1]) < 0.25 {
			acc[a] = -acc[a]
		}
	}
}
