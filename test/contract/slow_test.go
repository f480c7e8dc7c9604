package contract

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// slowMethods are methods with the launch of the first step at which they are stopped, and whether they have seen a
// point by then that is better than the start point.
var slowMethods = []struct {
	method string
	stop   int64
	better bool
}{
	{"masw population=8 iterations=5", 13, true}, // 8 launches draw the population
	{"masw-seq population=8 iterations=20", 6, true}, {"graybox", 6, true}, {"random batch=16", 6, true},
	{"sa variant=v2 chains=64 N=20 rho=0.5", 6, false}, {"cgrasp starts=2", 6, false},
	{"sa variant=sweeps N=2 rho=0.5", 6, false}, {"lbfgs", 6, false}, {"lm", 6, false},
	{"cmaes", 6, true}, {"relay", 6, false},
}

// evaluationTime returns how long an evaluation of a point takes.
func evaluationTime(t *testing.T, g *shard.Devices, p problems.Problem, x []float64) time.Duration {
	t.Helper()
	began := time.Now()
	f, err := shard.Evaluate(t.Context(), g, p, problems.FP64, [][]float64{x, x, x})
	if err != nil || f[0] != f[2] {
		t.Fatal(f, err)
	}
	return time.Since(began) / 3
}

// searchTime returns how long a method needs for evaluations that suffice for it to see better points. It may need ten
// times as long for one as evaluationTime says: graybox evaluates one point at a time, and its parts one after another.
func searchTime(t *testing.T, g *shard.Devices, p problems.Problem, s solvers.Settings,
	m solvers.Solver) time.Duration {
	t.Helper()
	s.Budget = solvers.Budget{Evaluations: 12}
	res, err := solvers.Minimize(t.Context(), p, g, s, m)
	if err != nil {
		t.Fatal(err)
	}
	return res.Elapsed
}

// A run of a slow objective ends soon after its limit of time, or after it was stopped in the midst of its first step.
// It keeps the start point, here a corner of the box, which every other point is better than, and the best one of the
// first batch that it has evaluated by then.
func TestSlowObjective(t *testing.T) {
	devices := problemtest.Devices(t, 1)
	g := problemtest.Group(t, devices, shard.Options{NoCheck: true})
	small := problemtest.Group(t, devices, shard.Options{NoCheck: true, LaunchTime: 1e-9})
	p := solvertest.ParseProblem(t, "../testdata/slow.cl")
	corner := []float64{-5, -5, -5, -5}
	const worst = 4 * 36
	evaluationTime(t, g, p, corner) // compiles
	for _, c := range slowMethods {
		m := method(t, c.method)
		s := solvers.Settings{Key: rng.Key{Seed: 3}, Unsampled: true, X0: [][]float64{corner}}
		if m.Traits().Limits(p, problems.FP64).Starts == 0 {
			s.X0 = nil
		}
		keeps := func(t *testing.T, res *solvers.Result) {
			t.Helper()
			if res == nil || !res.Confirmed || res.F > worst || len(res.X) != 4 {
				t.Fatalf("%+v", res)
			}
			if c.better && !(res.F < worst && res.Evaluations > 1) {
				t.Errorf("the start point is all that is left after %d evaluations: %+v", res.Evaluations, res)
			}
		}
		t.Run(c.method+" stopped", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var looping atomic.Bool
			var launches atomic.Int64
			stop := c.stop
			defer cl.Inject(func(c cl.Call) cl.Fault {
				if c.Function == "clEnqueueNDRangeKernel" && looping.Load() && launches.Add(1) == stop {
					cancel()
				}
				return cl.Fault{}
			})()
			s := s
			s.Started = func(solvers.Info) { looping.Store(true) }
			res, err := solvers.Minimize(ctx, p, small, s, m)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%+v, %v", res, err)
			}
			keeps(t, res)
		})
		t.Run(c.method+" late", func(t *testing.T) {
			each := evaluationTime(t, g, p, corner)
			s := s
			s.Budget.Time = 30 * each
			if c.better {
				s.Budget.Time = searchTime(t, g, p, s, m)
			}
			res, err := solvers.Minimize(t.Context(), p, g, s, m)
			if err != nil || res.Status != solvers.Time && res.Status != solvers.Finished {
				t.Fatalf("%+v, %v", res, err)
			}
			keeps(t, res)
			most := 2*s.Budget.Time + 30*max(each, evaluationTime(t, g, p, corner))
			t.Logf("%v of %v, %v an evaluation: %v after %v", res.Elapsed, s.Budget.Time, each, res.F, res.Evaluations)
			if res.Elapsed > most {
				t.Errorf("a limit of %v took %v, and an evaluation %v", s.Budget.Time, res.Elapsed, each)
			}
		})
	}
}
