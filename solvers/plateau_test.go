package solvers

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// A run begins beside a plateau on which all uniform points are, whatever is added there, and nowhere else than before
// if there is none.
func TestBesidePlateau(t *testing.T) {
	const component = "static void component(uint k, point x, data d, real *acc) {\n" +
		"const real v = at(x, k); acc[0] += -3*v - 0.01*v*(k % 7); acc[1] += v; }\n"
	for _, c := range []struct {
		head   string
		beside bool
	}{
		{"//@ bounds 0 1000\n//@ f s0 + 1e6/max(1e-9, 1 - s1/20000)", true},
		{"//@ bounds 0 1000\n//@ f s0 + 1e6/max(1e-9, s1/80000 - 1)", true},
		{"//@ bounds 0 1000\n//@ f min(1e6, s1*s1)", true},
		{"//@ bounds 0 1000\n//@ f s0 + 1000*max(0, s1 - 20000)", false},
		{"//@ bounds -1000 1000\n//@ f s1*s1 + s0*s0", false},
		{"//@ bounds 0 1\n//@ f exp(s1)", false},
		{"//@ bounds 0 1000\n//@ f min(1e-9, s1*s1 + 1) + 0*s0", false}, // everywhere
		{"//@ bounds 0 1000\n//@ f sqrt(s1 - 50000)", false},            // some points have no value
	} {
		p, err := opencl.Parse(strings.NewReader(c.head+"\n//@ sums 2\n//@ reads k\n"+component), nil, 100)
		if err != nil {
			t.Fatal(err)
		}
		x := beside(p, Settings{Precision: problems.FP64})
		if (x != nil) != c.beside {
			t.Errorf("%s: begins at %v", c.head, x)
		}
	}
}
