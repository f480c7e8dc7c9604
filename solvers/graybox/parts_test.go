package graybox

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// For every base function, replacing the variables of one part changes the host's value of the whole by the
// change of the part's value. (Groups smaller than a work-group once gave 0.)
func TestPartValues(t *testing.T) {
	shorttest.Out(t)
	for _, f := range []int{14, 4, 6, 7, 9, 11} { // every base function that is wide
		t.Run(fmt.Sprint("f", f), func(t *testing.T) {
			p := solvertest.ParseProblem(t, fmt.Sprintf("cec2013/f%d:n=1000", f)).(problems.Referenced)
			set := map[string]string{"population": "4", "grain": "25"}
			setup := solvers.Setup{Key: rng.Key{Seed: 6}, X0: [][]float64{make([]float64, 1000)}}
			r := newRun(t, &Graybox{}, p.Spec().String(), set, solvertest.OpenDevices(t, 1, shard.Options{}),
				setup).(*chainsRun)
			e, ctx := engineOf(r), context.Background()
			if err := e.populate(ctx); err != nil {
				t.Fatal(err)
			}
			// The best point so far is the best individual.
			x := make([]float64, 1000)
			if err := e.incumbent(x); err != nil {
				t.Fatal(err)
			}
			f0, err := problems.Eval(p, x)
			if err != nil {
				t.Fatal(err)
			}
			for c := range e.shape.colours {
				if err := e.turn(c); err != nil {
					t.Fatal(err)
				}
			}
			for u := range e.shape.per() {
				st, vars := e.read(t, u), e.vars(u)
				for j := range st.f {
					other := append([]float64(nil), x...)
					for k, i := range vars {
						other[i] = st.x[j][k]
					}
					g, _ := problems.Eval(p, other)
					base := append([]float64(nil), x...)
					for k, i := range vars {
						base[i] = st.x[0][k]
					}
					f1, _ := problems.Eval(p, base)
					got, want := st.f[j]-st.f[0], g-f1
					scale := math.Abs(st.f[j]) + math.Abs(st.f[0]) + 1e-7*(math.Abs(g)+math.Abs(f1)+math.Abs(f0))
					if math.Abs(got-want) > 10*p.Tolerance(problems.FP64)*scale {
						t.Errorf("part %d of %d variables: individual %d differs by %g, in the whole by %g", u,
							len(vars), j, got, want)
					}
				}
			}
		})
	}
}
