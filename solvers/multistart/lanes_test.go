package multistart

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// On processors a group has one work-item. With the many that other devices have, every search must find the same
// values up to rounding.
func TestLanes(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f8:n=1000")
	for _, search := range []string{"mts", "solis-wets", "lbfgs", "cma"} {
		t.Run(search, func(t *testing.T) {
			best := map[bool]float64{}
			for _, serial := range []bool{true, false} {
				m := &Multistart{Search: search}
				classes, err := m.cut(p, problems.FP64)
				if err != nil {
					t.Fatal(err)
				}
				for i := range classes {
					if !classes[i].wide {
						t.Fatal("parts of f8 are not wide")
					}
					classes[i].serial = serial
				}
				g := solvertest.OpenDevices(t, 1, shard.Options{})
				r, err := m.start(context.Background(), p, g, solvers.Setup{Key: rng.Key{Seed: 3}}, classes)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				for s := (solvers.Sample{}); s.Evaluations < 640; {
					if s, _, err = r.Step(context.Background(), 640-s.Evaluations); err != nil {
						t.Fatal(err)
					}
					best[serial] = s.Best
				}
			}
			if one, many := best[true], best[false]; !(math.Abs(one-many) <= 1e-6*one) {
				t.Errorf("%g with one work-item, %g with many", one, many)
			}
		})
	}
}
