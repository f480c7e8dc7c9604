package mixing

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// A population with children ends if its largest cut has stayed the same for long, also while others grow.
func TestChildrenEnd(t *testing.T) {
	r := solvertest.Start(t, &GOMEA{Local: "sa", Sweeps: 4},
		solvertest.ParseProblem(t, "qubo:palubeckis=60,density=100,seed=1"),
		solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 1}}).(*gomeaRun)
	for len(r.populations) == 0 {
		if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	q := r.populations[0]
	best := slices.Max(q.F)
	for _, idle := range []int32{0, 50} {
		for i, f := range q.F {
			if q.Idle[i] = 50 - idle; f == best {
				q.Idle[i] = idle
			}
		}
		if r.stop(0); q.Stopped != (idle > 0) {
			t.Errorf("the best is idle for %d generations, the others for %d; ended: %v", idle, 50-idle, q.Stopped)
		}
	}
}
