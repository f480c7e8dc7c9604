package anneal_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/test/solvertest"
)

// A run whose first step takes long, as with a costly objective, is cancelled in its first segment. It has launches of
// a few chains, ends soon, and has the best point that they have found.
func TestStoppedInFirstSegment(t *testing.T) {
	p, g := solvertest.ParseProblem(t, "classic/griewank:n=40"), solvertest.OpenDevices(t, 1,
		shard.Options{LaunchTime: 1e-9})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const after = 60 // launches
	var looping atomic.Bool
	var launches atomic.Int64
	defer cl.Inject(func(c cl.Call) cl.Fault {
		if c.Function == "clEnqueueNDRangeKernel" && looping.Load() && launches.Add(1) == after {
			cancel()
		}
		return cl.Fault{}
	})()
	s := solvers.Settings{Precision: problems.FP64, Started: func(solvers.Info) { looping.Store(true) }}
	res, err := solvers.Minimize(ctx, p, g, s, &anneal.SA{Chains: 600, N: 4000})
	if !errors.Is(err, context.Canceled) || res == nil {
		t.Fatal(res, err)
	}
	start, err := problems.Eval(p.(problems.Referenced), must(solvers.Minimize(t.Context(), p, g,
		solvers.Settings{Budget: solvers.Budget{Time: 1}}, &anneal.SA{})).X)
	if err != nil || res.Steps != 0 || res.Evaluations < 2 || !(res.F < start) || !res.Confirmed {
		t.Errorf("%+v; the start point has %v, %v", res, start, err)
	}
}

func must(r *solvers.Result, err error) *solvers.Result {
	if err != nil {
		panic(err)
	}
	return r
}
