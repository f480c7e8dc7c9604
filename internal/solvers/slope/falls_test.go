package slope

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// In a steep valley a point with a small slope may be far from the minimum, and near one rounding errors are no fall.
func TestFalls(t *testing.T) {
	for _, c := range []struct {
		f, text string
		x       []float64
		want    bool
	}{
		// The minimum is near (1, 0), where the value is 0; all points with the sum 1 have a small slope.
		{"1e4*(s0 - 1)^2 + s1", "acc[0] += at(x, k); acc[1] += k*R(1e-4)*at(x, k);", []float64{.5, .5}, true},
		{"1e4*(s0 - 1)^2 + s1", "acc[0] += at(x, k); acc[1] += k*R(1e-4)*at(x, k);", []float64{1, 0}, false},
		{"s0 + 0*s1", "acc[0] += sq(at(x, k) - R(0.3)*(k + 1));", []float64{.3, .6 + 1e-16}, false},
		{"s0 + 7 + 0*s1", "acc[0] += sq(at(x, k) - R(0.3)*(k + 1));", []float64{.3, .6 + 1e-9}, false},
		{"s0 + 7 + 0*s1", "acc[0] += sq(at(x, k) - R(0.3)*(k + 1));", []float64{.3, .7}, true},
	} {
		p, err := opencl.Parse(strings.NewReader("//@ bounds 0 1\n//@ n 2\n//@ sums 2\n//@ f "+c.f+
			"\nstatic void component(uint k, point x, data d, real *acc) { "+c.text+" }\n"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ref, err := problems.OnHost(p, problems.FP64)
		if err != nil {
			t.Fatal(err)
		}
		sums, _, err := ref.Sum(2, c.x, host.PointWork)
		if err != nil {
			t.Fatal(err)
		}
		if got := Falls(p, c.x, sums, p.Objective(sums)); got != c.want {
			t.Errorf("%s at %v: %v", c.f, c.x, got)
		}
	}
}
