package anneal

import (
	"math"
	"testing"
)

// Most levels after the pilot are where the steps fall, they cool from the first temperature to the last, and without
// falls they are in equal ratios.
func TestSpread(t *testing.T) {
	levels := temperatures(1, 1e-12, 0.95)
	s := newSchedule(levels, true)
	var falling, steady []float64
	for i := range s.pilot {
		v := 0.25
		if d := -math.Log10(s.ofPilot(i)); d > 5 {
			v = 1e-6
		} else if d > 4 {
			v = 0.25 * (5 - d)
		}
		falling, steady = append(falling, v), append(steady, 0.25)
	}
	count := func(after []float64) (n int) {
		last := 1.0
		for _, v := range after {
			if v > last {
				t.Errorf("%g follows %g", v, last)
			}
			if last = v; v < 1e-4 && v > 0.9e-5 {
				n++
			}
		}
		if low := levels[len(levels)-1]; !(math.Abs(last-low) <= 1e-12*low) {
			t.Errorf("the last temperature is %g, not %g", last, low)
		}
		return n
	}
	most, few, all := count(s.spread(falling)), count(s.spread(steady)), len(levels)-s.pilot
	if most < all/2 || few > all/8 || few < all/16 {
		t.Errorf("%d and %d of %d levels are within the decade where the steps fall", most, few, all)
	}
	for _, none := range [][]float64{nil, {math.NaN(), math.NaN()}} {
		if got := count(s.spread(none)); got != few {
			t.Errorf("with the steps %v, %d levels are in one decade, not %d", none, got, few)
		}
	}
}
