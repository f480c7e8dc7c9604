package problems

import (
	"math"

	"github.com/clopt/clopt/problems/rng"
)

// Monotone reports whether the objective of p always rises, or always falls, with each of its accumulators,
// whatever the others are. Then a change of some components that moves each accumulator in the better direction
// makes the point better. It tries accumulators of many sizes and signs, and skips those where the objective is
// not finite or does not change. A false answer is certain, a true one is not.
func Monotone(p Problem) bool {
	n := p.Accumulators()
	acc, signs := make([]float64, n), make([]float64, n)
	size := float64(p.Domain().N)
	for try := range uint32(1000) {
		for a := range acc {
			w := rng.Key{}.Words(uint32(a), try, 0, rng.Check)
			acc[a] = size * math.Exp(20*(rng.Uniform(w[0])-0.75)) // from 3e-7 to 148 for each variable
			if rng.Uniform(w[1]) < 0.25 {
				acc[a] = -acc[a]
			}
		}
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
