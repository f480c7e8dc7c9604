package solvers

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// The rounding of a text counts where its parts cancel each other within a component.
func TestRoundingOfText(t *testing.T) {
	const c = "R(1e8)*(R(1.0) + R(1e-9)*k)"
	for text, want := range map[string]bool{
		"acc[0] += at(x, 0)*at(x, 0) - 2*at(x, 0)*" + c + " + " + c + "*" + c + ";": true,
		"acc[0] += sq(at(x, 0)) - 2*at(x, 0)*" + c + " + sq(" + c + ");":            true,
		"real v = at(x, 0) - " + c + "; acc[0] += v*v;":                             false,
		"acc[0] += floor(3*at(x, 0)) - R(3e8);":                                     false,
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1e9\n//@ n 1\n//@ components 50\n"+
			"static void component(uint k, point x, data d, real *acc) { "+text+" }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{1e8 + 2}
		r := Result{X: x, F: 1}
		if !r.byText(p, problems.FP64, x) || r.Rounding > 1 != want {
			t.Errorf("%s: the value is %v, rounding %v, %s", text, r.Again, r.Rounding, r.WhyDevice)
		}
	}
}
