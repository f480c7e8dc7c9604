package host

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// Kick says how the best point is changed before a descent begins from it: variable One and a share of the others, by
// at most Reach of their intervals.
type Kick struct {
	Share, Reach float64
	One          uint32
}

// KickOf draws the kick of a descent of n variables. The share is log-uniform between that of one variable and 1/2,
// and the reach between 1/1000 and 1.
func KickOf(key rng.Key, descent, n int) Kick {
	w := key.Words(uint32(n), 0, uint32(descent), rng.Kick)
	share := math.Pow(2/float64(n), rng.Uniform(w[0])) / 2
	return Kick{Share: min(share, 0.5), Reach: math.Pow(1e-3, rng.Uniform(w[1])), One: rng.Int(w[2], uint32(n))}
}

// Point sets x to the point best after the kick.
func (k Kick) Point(d problems.Domain, key rng.Key, descent int, best, x []float64) {
	copy(x, best)
	for i, v := range best {
		w := key.Words(uint32(i), 0, uint32(descent), rng.Kick)
		if uint32(i) != k.One && rng.Uniform(w[0]) >= k.Share {
			continue
		}
		lo, hi := d.Interval(i)
		a, b := max(lo, v-k.Reach*(hi-lo)), min(hi, v+k.Reach*(hi-lo))
		x[i] = min(max(math.FMA(rng.Fine(w[1], w[2]), b-a, a), lo), hi)
	}
}

// Uniform sets x to a uniform point of the box, that of a descent.
func Uniform(d problems.Domain, key rng.Key, descent int, x []float64) {
	for i := range x {
		lo, hi := d.Interval(i)
		u := rng.Uniform(key.Word(uint32(i), 0, uint32(descent), rng.Init))
		x[i] = min(max(math.FMA(u, hi-lo, lo), lo), hi)
	}
}
