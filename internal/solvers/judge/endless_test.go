package judge

import (
	"testing"

	"github.com/clopt/clopt/problems"
)

// A value that only a function without a minimum has is known as such, and the bound where it falls is named.
func TestEndless(t *testing.T) {
	if s := (Sampled{Points: 9, Best: -1e6}); s.Falls(-1e20) || s.Falls(1e200) || !s.Falls(-1e22) {
		t.Error("values that are too low are not told from others")
	}
	wide := problems.Domain{N: 2, Lo: []float64{0, -1e20}, Hi: []float64{1e20, 1}}
	for want, points := range map[bool][][]float64{true: {{1e20, 0}, {3, -1e20}, {9.9999999e19, 0}},
		false: {{0, 0}, {5, 1}, {1e12, -1e12}}} {
		for _, x := range points {
			if AtFar(wide, x) != want {
				t.Errorf("%v is at a bound that stands for infinity: %v", x, !want)
			}
		}
	}
	d := problems.Domain{N: 6, Lo: []float64{-10, 0, 5, 0, 0, 0}, Hi: []float64{10, 10, 5, 1, 1, 1}}
	const two = "variable 3 is 0, and its lower bound is 0; variable 4 is 0, and its lower bound is 0"
	for want, x := range map[string][]float64{
		"no variable is near a bound":                    {1, 3, 5, .5, .5, .5},
		"variable 1 is 1e-154, and its lower bound is 0": {2, 1e-154, 5, .5, .5, .5},
		two: {1, 3, 5, 0, 0, .5},
		"variable 0 is 10, and its upper bound is 10; " + two + "; …": {10, 3, 5, 0, 0, 0},
	} {
		if got := AtBounds(d, x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
		for i, v := range OntoBounds(d, x) {
			if on := x[i] == 1e-154 && v == 0; v != x[i] && !on {
				t.Errorf("%v: variable %d is moved to %v", x, i, v)
			}
		}
	}
}
