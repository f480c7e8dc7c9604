package graybox

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// Decisions about parts are right for the whole point. If an individual of a part is put into the best point, the value
// of the whole on the host changes by the difference of the values of the part. The best value never rises.
func TestPartColours(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec, grain string
		colours     int
	}{
		{"cec2013/f12:n=4300,mode=paper", "auto", 2},
		{"cec2013/f12:n=2000", "150", 2},
		{"cec2013/f4:n=3000", "120", 1},
		{"cec2013/f13:n=2000", "1", 2},
		{"cec2013/f14", "1", 2},
	}) {
		t.Run(c.spec, func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.spec).(problems.Referenced)
			set := map[string]string{"population": "5", "iterations": "20", "grain": c.grain}
			r := newRun(t, &Graybox{}, p.Spec().String(), set, solvertest.OpenDevices(t, 2, shard.Options{}),
				solvers.Setup{Key: rng.Key{Seed: 6}}).(*chainsRun)
			e := engineOf(r)
			x, last, turns := make([]float64, p.Domain().N), math.Inf(1), map[int]int{}
			for range 24 {
				s, ok, err := r.Step(context.Background(), 1e6)
				if err != nil || !ok {
					t.Fatal(ok, err)
				}
				if err := e.incumbent(x); err != nil {
					t.Fatal(err)
				}
				f, _ := problems.Eval(p, x)
				if math.Abs(f-s.Best) > p.Tolerance(problems.FP64)*f || f > last*(1+1e-14) {
					t.Fatalf("step %d: best is %.17g, its point has %.17g after %.17g", s.Step, s.Best, f, last)
				}
				last = f
				if !e.turned {
					continue
				}
				turns[e.colour]++
				for u := range e.shape.count(e.shape.total) {
					if e.shape.parts != nil && e.shape.parts.Parts[u%e.shape.per()].Colour != e.colour ||
						e.shape.parts == nil && u%2 != e.colour || u%3 == 2 {
						continue
					}
					st, base := e.read(t, u), 0.0
					for j, v := range st.f {
						y := slices.Clone(x)
						for k, i := range e.vars(u) {
							y[i] = st.x[j][k]
						}
						g, _ := problems.Eval(p, y)
						if j == 0 {
							base = g - v
						} else if math.Abs(g-v-base) > 1e-11*(math.Abs(g)+math.Abs(v)+math.Abs(base)) {
							t.Fatalf("step %d: part %d with individual %d changes the whole by %g more than its value "+
								"of %g, individual 0 by %g", s.Step, u, j, g-v, v, base)
						}
					}
				}
			}
			if len(turns) != c.colours {
				t.Errorf("turns %v", turns)
			}
		})
	}
}

func TestColourCosts(t *testing.T) {
	for _, c := range []struct {
		spec string
		want string
	}{
		// tiles of 1000, 1000 and 499 terms of cost 2, all but the first with one more term before it
		{"cec2013/f12:n=2500,mode=paper",
			"{total:4998 populate:49980 turn:[30000 20020] evaluation:[3000 2002] report:4998}"},
		{"cec2013/f12:n=2000,mode=paper",
			"{total:3998 populate:39980 turn:[20000 20000] evaluation:[2000 2000] report:3998}"},
	} {
		p := solvertest.ParseProblem(t, c.spec)
		b, err := problems.BlocksOf(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%+v", colourCosts(p, b, 10)); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.spec, got, c.want)
		}
	}
}

// The limit of evaluations applies to work. A run never exceeds it, and leaves less than one evaluation unused.
func TestPartWork(t *testing.T) {
	shorttest.Out(t)
	p := solvertest.ParseProblem(t, "cec2013/f12:n=3000,mode=paper")
	for _, limit := range []int64{8, 9, 20, 100, 157} {
		m, err := solvers.Configure(&Graybox{}, map[string]string{"population": "8", "iterations": "11"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
			solvers.Settings{Budget: solvers.Budget{Evaluations: limit}}, m)
		if limit == 8 {
			if err == nil {
				t.Errorf("a limit too small for the value of the first point gives %+v", res)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if res.Work > float64(limit) || res.Evaluations > limit || res.Evaluations != int64(math.Ceil(res.Work)) ||
			limit > 50 && res.Work < float64(limit)-12 {
			t.Errorf("within %d: %d evaluations, work %v", limit, res.Evaluations, res.Work)
		}
	}
}
