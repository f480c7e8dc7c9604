package lbfgs

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Descents in float32 come to a minimum whose value is far from 0, so that the falls of their last steps are lost in
// rounding errors, within 1e-7 of it.
func TestDescentsInSingle(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		name  string
		n     int
		text  string
		least float64
	}{
		{"a grid", 0, exactTexts[3].text, 600},
		{"all variables", 40, `//@ bounds -2 2
//@ components 70
static void component(uint k, point x, data d, real *acc)
{
    real s = 0;
    for (uint i = 0; i < DIM; i++) s += (at(x, i) - 1)*cos((real)((k + 1)*(i + 1) % 97));
    acc[0] += s*s + 3;
}
`, 210},
	}) {
		t.Run(c.name, func(t *testing.T) {
			p := exactProblem(t, c.text, c.n)
			setup := solvers.Setup{Key: rng.Key{Seed: 3}, Precision: problems.FP32}
			r := solvertest.Start(t, &LBFGS{Descents: 1}, p, solvertest.OpenDevices(t, 1, shard.Options{}), setup)
			var s solvers.Sample
			for ok := true; ok; {
				var err error
				if s, ok, err = r.Step(context.Background(), solvers.Unlimited); err != nil {
					t.Fatal(err)
				}
			}
			x := make([]float64, p.Domain().N)
			if err := r.Incumbent(0, x); err != nil {
				t.Fatal(err)
			}
			ref, err := p.OnHost(problems.FP64)
			if err != nil {
				t.Fatal(err)
			}
			sums, _, err := ref.Sum(p.Structure().Components(), x, 1<<40)
			if err != nil {
				t.Fatal(err)
			}
			if off := sums[0]/c.least - 1; !(off <= 1e-7) || math.Abs(s.Best-sums[0]) > 1e-6*sums[0] || !s.Slope.Least {
				t.Errorf("%v above the minimum; the device has %v, the host %v; %+v", off, s.Best, sums[0],
					slope.OnHost(p, x, sums, sums[0]))
			}
		})
	}
}
