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
	d := problems.Domain{N: 6, Lo: []float64{-10, 0, 5, 0, 0, 0}, Hi: []float64{10, 10, 5, 1, 1, 1}}
	const two = "variable 3 is 0, and its lower bound is 0; variable 4 is 0, and its lower bound is 0"
	for want, x := range map[string][]float64{
		"no variable is near a bound":                    {1, 3, 5, .5, .5, .5},
		"variable 1 is 1e-154, and its lower bound is 0": {2, 1e-154, 5, .5, .5, .5},
		two: {1, 3, 5, 0, 0, .5},
		"variable 0 is 10, and its upper bound is 10; " + two + "; …": {10, 3, 5, 0, 0, 0},
	} {
		if got := AtBounds(d, x, nil); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
		for i, v := range OntoBounds(d, x) {
			if on := x[i] == 1e-154 && v == 0; v != x[i] && !on {
				t.Errorf("%v: variable %d is moved to %v", x, i, v)
			}
		}
	}
}

// In a wide box a variable is not near a bound because the box is wide.
func TestNearBoundsOfWideBoxes(t *testing.T) {
	d := problems.Domain{N: 2, Lo: []float64{0, -1e20}, Hi: []float64{1e20, 3e20}}
	x := []float64{5, 1e20}
	if got := AtBounds(d, x, nil); got != "no variable is near a bound" || OntoBounds(d, x)[0] != 5 {
		t.Errorf("%v: %s, moved to %v", x, got, OntoBounds(d, x))
	}
	if got := AtBounds(d, []float64{5, 3e20}, nil); got != "variable 1 is 3e+20, and its upper bound is 3e+20" {
		t.Error(got)
	}
	last := func(i int) bool { return i == 1 }
	if got := AtBounds(d, []float64{0, 3e20}, last); got != "variable 1 is 3e+20, and its upper bound is 3e+20" {
		t.Error(got)
	}
}
