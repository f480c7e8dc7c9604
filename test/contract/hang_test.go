package contract

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// TestStopsHanging cancels a run while a driver hangs. The run ends some seconds later, long before the device would
// count as failed, and has the point that the host knows.
func TestStopsHanging(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m, p := method(t, "random"), solvertest.ParseProblem(t, "classic/rastrigin:n=40")
	own, err := cl.Open(problemtest.Devices(t, 1)[0].Info()) // other tests cannot use it afterwards
	if err != nil {
		t.Fatal(err)
	}
	g := problemtest.Group(t, []*cl.Device{own}, shard.Options{})
	var looping atomic.Bool
	hang := make(chan struct{})
	end := cl.Inject(func(c cl.Call) cl.Fault {
		if c.Function != "clEnqueueReadBuffer" || !looping.Load() {
			return cl.Fault{}
		}
		cancel()
		return cl.Fault{Hang: hang}
	})
	defer end()
	defer close(hang)
	began := time.Now()
	res, err := solvers.Minimize(ctx, p, g, solvers.Settings{Key: rng.Key{Seed: 1},
		Started: func(solvers.Info) { looping.Store(true) }}, m)
	_, hung := errors.AsType[*cl.HangError](err)
	if !hung || !errors.Is(err, context.Canceled) || res == nil || res.Status != solvers.Cancelled || !res.Confirmed ||
		time.Since(began) > 25*time.Second {
		t.Errorf("result %+v, error %v, after %v", res, err, time.Since(began))
	}
}
