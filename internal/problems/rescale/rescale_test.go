package rescale

import (
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
)

// The logarithmic scale is the identity below its first octave, exact, and rises.
func TestLogarithmicScale(t *testing.T) {
	for _, x := range []float64{0, 1e-300, 1.5, -15.9, linearTo, -16.5, 100, 12345.678, -1e10, 1e20, 3e100, 1.7e308} {
		u := onScale(x)
		if got := offScale(u); !(math.Abs(got-x) <= 2e-13*math.Abs(x)) || math.Abs(x) < linearTo && u != x {
			t.Errorf("%g is at %g, where the scale has %g", x, u, got)
		}
		if offScale(-u) != -offScale(u) {
			t.Errorf("the scale is not symmetrical at %g", u)
		}
	}
	if u := onScale(1e20); u > 600 || offScale(linearTo+linearTo/2) != 2*linearTo {
		t.Errorf("1e20 is at %g", u)
	}
	last := math.Inf(-1)
	for u := -800.; u <= 800; u += 0.37 {
		if x := offScale(u); !(x > last) {
			t.Fatalf("the scale does not rise at %g", u)
		} else {
			last = x
		}
	}
}

// An interval is wide if it reaches 1e10 times as far as the number in it that is nearest to 0, or 1.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		lo, hi  float64
		wide    bool
		nearest float64
	}{
		{-1e10, 1e10, false, 0}, {-1e20, 1e20, true, 0}, {0, 1e20, true, 0}, {1, 1e30, true, 1}, {-1e20, -2, true, -2},
		{1e12, 1.0001e12, false, 1e12}, {1e12, 2e12, false, 1e12}, {-5, 5, false, 0}, {3, 2e10, false, 3},
		{3, 4e10, true, 3}, {1e20, 1e20, false, 1e20},
	} {
		d := problems.Cube(2, c.lo, c.hi)
		x := Nearest(d)
		if Wide(d) != c.wide || (Note(d) != "") != c.wide || x[0] != c.nearest || x[1] != c.nearest {
			t.Errorf("%g to %g: wide %v, %q, nearest %v", c.lo, c.hi, Wide(d), Note(d), x)
		}
	}
}

// A point at the far end of a wide interval is known, and one at any other bound is not.
func TestAtEnd(t *testing.T) {
	d := problems.Domain{N: 3, Lo: []float64{0, -1e20, 1.7e12}, Hi: []float64{1e20, 1, 1.8e12}}
	for want, values := range map[bool][][]float64{
		true:  {{0, 1e20}, {0, 9.9999999e19}, {1, -1e20}},
		false: {{0, 0}, {0, 1e12}, {1, 1}, {1, -1e12}, {2, 1.7e12}, {2, 1.8e12}},
	} {
		for _, c := range values {
			if AtEnd(d, int(c[0]), c[1]) != want {
				t.Errorf("variable %v at %v is at a far end: %v", c[0], c[1], !want)
			}
		}
	}
}
