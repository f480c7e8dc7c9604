package contract

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// wideRows begin with those that -short runs. most is how far above the minimum, 0, a run may end. Those of methods
// that take whole points as they come are what their evaluations buy.
var wideRows = []struct {
	method string
	evals  int64
	most   float64
}{
	{"graybox", 5000, 1e-9},
	{"lbfgs", 3000, 1e-9},
	{"sa variant=sweeps", 5000, 1e-4},
	{"relay", 5000, 1e-9},
	{"lm", 3000, 1e-9},
	{"masw-seq", 20000, 1e-6},
	{"masw", 20000, 1e-3},
	{"cgrasp", 200000, 1},
	{"sa", 50000, 1},
}

// Every method comes near the minimum in boxes that reach far, as bounds of ±1e20 do, from a point and from none.
func TestWideBounds(t *testing.T) {
	for _, c := range shorttest.Rows(2, wideRows) {
		t.Run(c.method, func(t *testing.T) {
			for _, bounds := range shorttest.Rows(1, []problems.Bounds{{Lo: -1e20, Hi: 1e20}, {Lo: 1, Hi: 1e30}}) {
				p, err := problems.WithBounds(solvertest.ParseProblem(t, "../testdata/wide.cl:n=4"), bounds)
				if err != nil {
					t.Fatal(err)
				}
				for _, x0 := range [][][]float64{nil, {{3, 1, 2000, 1}}} {
					s := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: c.evals}, X0: x0}
					g := solvertest.OpenDevices(t, 1, shard.Options{})
					r, err := solvers.Minimize(context.Background(), p, g, s, method(t, c.method))
					if err != nil {
						t.Fatal(err)
					}
					if !(r.F <= c.most) || !r.Confirmed {
						t.Errorf("%v from %v: %v at %v", bounds, x0, r.F, r.X)
						continue
					}
					for i, v := range r.X {
						if want := 1.5 * float64(i+1); !(math.Abs(v-want) <= 2*math.Sqrt(c.most)) {
							t.Errorf("variable %d is %v, want %v", i, v, want)
						}
					}
					t.Log(bounds, r.F, r.Evaluations)
				}
			}
		})
	}
}
