package host

import (
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
)

// Each variable of a uniform point is in its own interval.
func TestDrawnInOwnIntervals(t *testing.T) {
	p, err := classic.New("six_hump", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		for who := range uint32(100) {
			for i, v := range Drawn(p, prec, rng.Key{Seed: 1}, who, 0, rng.Check, 0, 2) {
				if lo, hi := p.Domain().Interval(i); v < lo || v > hi {
					t.Fatalf("%v: variable %d of point %d is %g, and not in %g to %g", prec, i, who, v, lo, hi)
				}
			}
		}
	}
}
