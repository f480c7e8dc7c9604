package plot

import (
	"math"
	"testing"
)

// TestReached checks the empirical distribution, and that times of an exponential distribution lie on the fit.
func TestReached(t *testing.T) {
	const n = 99
	seconds, hits := make([]float64, n), make([]bool, n)
	for i := range seconds {
		seconds[n-1-i] = 1 - 2*math.Log1p(-(float64(i)+0.5)/n) // starts at 1, mean 2
		hits[i] = true
	}
	all := reached("a", seconds, hits)
	if len(all) != 2 || len(all[0].X) != n || all[0].Y[0] != 0.5/n || !all[1].Reference {
		t.Fatalf("%d series, %d points", len(all), len(all[0].X))
	}
	for i, x := range all[1].X {
		if want := -math.Expm1(-(x - 1) / 2); math.Abs(all[1].Y[i]-want) > 0.02 {
			t.Errorf("the fit at %v is %v, want %v", x, all[1].Y[i], want)
		}
	}
	for i := range n / 2 {
		hits[i] = false // the slowest half
	}
	if all := reached("a", seconds, hits); len(all) != 1 || len(all[0].X) != n-n/2 || all[0].Y[n-n/2-1] > 0.52 {
		t.Errorf("%d series, %d points", len(all), len(all[0].X))
	}
}
