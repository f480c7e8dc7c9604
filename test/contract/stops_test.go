package contract

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// mostLaunches is the largest number of launches that a run makes after it was stopped. A run looks at the clock and at
// signals between launches, but it completes what it has begun to do to its points, and queues some launches at a time.
// The launches that confirm the result count, too.
const mostLaunches = 150

// stops are the launches of the loop after which a run is cancelled.
var stops = []int64{1, 2, 9, 50, 300}

// TestStops cancels every method after some launches of its loop, and lets the time of others be over when the loop
// begins. The runs end after few more launches, and have results.
func TestStops(t *testing.T) {
	devices := problemtest.Devices(t, 2)
	for _, c := range shorttest.Rows(12, rows) {
		m, p := method(t, c.method), solvertest.ParseProblem(t, c.problem)
		stop := func(t *testing.T, after int64, b solvers.Budget) (*solvers.Result, error) {
			t.Helper()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var looping atomic.Bool
			var launches atomic.Int64
			defer cl.Inject(func(c cl.Call) cl.Fault {
				if c.Function == "clEnqueueNDRangeKernel" && looping.Load() && launches.Add(1) == after {
					cancel()
				}
				return cl.Fault{}
			})()
			s := solvers.Settings{Key: rng.Key{Seed: 4, Run: 1}, Precision: c.prec, Budget: b}
			s.Started = func(solvers.Info) { looping.Store(true) }
			res, err := solvers.Minimize(ctx, p, problemtest.Group(t, devices, shard.Options{}), s, m)
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
