package contract

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// mostLaunches is the largest number of launches that a run makes after it was stopped. It looks at the clock and at
// signals after each launch, but completes what it has begun to write to its points, and a step that is soon over. The
// launches that confirm the result do not count: a text is evaluated with every read watched, here with a launch for
// each component.
const mostLaunches = 64

// slowly is how long a launch takes after the run was stopped, as if the objective were costly.
const slowly = 10 * time.Millisecond

// stops are the launches of the loop after which a run is cancelled.
var stops = []int64{1, 2, 9, 50, 300}

// longSteps are further methods whose steps have many launches.
var longSteps = []row{
	{"graybox search=mts", "cec2013/f12:n=7000,mode=paper", 0, 0, nil}, // open parts
	{"sa variant=sweeps N=50", "classic/rastrigin:n=20000", 0, 0, nil},
}

// TestStops cancels every method after some launches of its loop, and lets the time of others be over when the loop
// begins. A launch has one unit of work. The runs end after few more launches, and have results.
func TestStops(t *testing.T) {
	devices := problemtest.Devices(t, 2)
	for _, c := range slices.Concat(shorttest.Rows(12, rows), longSteps) {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		stop := func(t *testing.T, after int64, b solvers.Budget) (*solvers.Result, error) {
			t.Helper()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var looping atomic.Bool
			var launches atomic.Int64
			defer cl.Inject(func(c cl.Call) cl.Fault {
				if c.Function != "clEnqueueNDRangeKernel" || !looping.Load() {
					return cl.Fault{}
				}
				if n := launches.Add(1); n == after {
					cancel()
				} else if n > after {
					time.Sleep(slowly)
				}
				return cl.Fault{}
			})()
			s := solvers.Settings{Key: rng.Key{Seed: 4, Run: 1}, Precision: c.prec, Budget: b}
			s.Started = func(solvers.Info) { looping.Store(true) }
			s.Ended = func() { looping.Store(false) }
			res, err := solvers.Minimize(ctx, p, problemtest.Group(t, devices, shard.Options{LaunchTime: 1e-9}),
				s, m)
			if more := launches.Load() - max(after, 0); more > mostLaunches {
				t.Errorf("%d launches after launch %d, at which the run was stopped", more, after)
			}
			if res == nil {
				t.Fatalf("no result: %v", err)
			}
			lo, hi := p.Domain().In(c.prec).Box()
			if slices.Min(res.X) < lo || slices.Max(res.X) > hi || math.IsInf(res.F, 0) || !res.Confirmed {
				t.Errorf("best value %v, by the %s %v, of a point from %v to %v", res.F, res.Confirmer, res.Again,
					slices.Min(res.X), slices.Max(res.X))
			}
			return res, err
		}
		t.Run(c.method, func(t *testing.T) {
			for _, k := range stops {
				switch res, err := stop(t, k, solvers.Budget{}); {
				case err == nil && res.Status == solvers.Finished: // before launch k
				case !errors.Is(err, context.Canceled) || res.Status != solvers.Cancelled:
					t.Errorf("cancelled after launch %d: %v, %v", k, res.Status, err)
				}
			}
			if res, err := stop(t, -1, solvers.Budget{Time: 1}); err != nil || res.Status != solvers.Time {
				t.Errorf("without time: %v, %v", res.Status, err)
			}
		})
	}
}
