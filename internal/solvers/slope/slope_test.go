package slope

import "testing"

// The slope of the best point is kept, and that a descent has ended there, also when another search comes back to it or
// lowers its last digits.
func TestBetter(t *testing.T) {
	end := Slope{Known: true, Norm: 1e-6, At: 2, Exact: true, Least: true}
	for _, c := range []struct {
		name  string
		s, t  Slope
		at    float64
		least bool
	}{
		{"none is known", Slope{}, Slope{}, 0, false},
		{"the first", Slope{}, Slope{Known: true, Norm: 5, At: 9}, 9, false},
		{"a worse point", end, Slope{Known: true, Norm: 1e-9, At: 3}, 2, true},
		{"the same minimum", end, Slope{Known: true, Norm: 3, At: 2 - 1e-9}, 2 - 1e-9, true},
		{"another valley", end, Slope{Known: true, Norm: 3, At: 1}, 1, false},
		{"a flatter point", end, Slope{Known: true, Norm: 1e-7, At: 1}, 1, true},
		{"its end", Slope{Known: true, Norm: 3, At: 2}, end, 2, true},
		{"not known", end, Slope{}, 2, true},
	} {
		if got := c.s.Better(c.t); got.At != c.at || got.Least != c.least {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if !end.Within(1e-6, 2) || end.Within(9e-7, 2) || end.Within(1, 1.9) || (Slope{}).Within(1, 1) {
		t.Error("a slope is within a limit at a point as good as the best one")
	}
}
