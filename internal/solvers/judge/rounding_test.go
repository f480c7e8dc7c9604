package judge

import (
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// A value below the rounding errors of its terms is told from a small one whose terms are as small, in sums of any
// size.
func TestRounding(t *testing.T) {
	parse := func(f string) problems.Problem {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1\n//@ n 100\n//@ sums 2\n//@ f "+f+
			"\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	variance, sum := parse("s0/n - (s1/n)^2"), parse("s0")
	for e := -100.0; e <= 100; e += 50 {
		big := math.Pow(10, e)
		squares := trial.Terms{Sums: []float64{100 * big * big, 100 * big},
			Sizes: []float64{100 * big * big, 100 * big}}
		for f, noise := range map[float64]bool{-3e-16: true, 3e-16: true, 1e-14: false, 0: false} {
			got := Rounding(variance, f*big*big, squares, problems.FP64)
			if (got > 0) != noise || noise && !(got > 1e-16*big*big && got < 1e-14*big*big) {
				t.Errorf("a variance of %g of values of %g: %g", f*big*big, big, got)
			}
		}
		if got := Rounding(variance, 1e-8*big*big, squares, problems.FP32); got == 0 {
			t.Errorf("a variance of %g of values of %g in float32 is no rounding error", 1e-8*big*big, big)
		}
		tiny := trial.Terms{Sums: []float64{1e-30 * big, 0}, Sizes: []float64{1e-30 * big, 0}}
		if got := Rounding(sum, 1e-30*big, tiny, problems.FP64); got != 0 {
			t.Errorf("a sum of squares of %g: %g", 1e-30*big, got)
		}
		cancelled := trial.Terms{Sums: []float64{1e-16 * big, 0}, Sizes: []float64{big, 0}}
		if got := Rounding(sum, 1e-16*big, cancelled, problems.FP64); got == 0 {
			t.Errorf("a sum of %g of terms of %g is no rounding error", 1e-16*big, big)
		}
	}
	if got := Rounding(sum, 1e-30, trial.Terms{}, problems.FP64); got != 0 {
		t.Errorf("of unknown terms: %g", got)
	}
}
