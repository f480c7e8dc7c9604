package mixing

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/test/solvertest"
)

// A population with children ends if its largest cut has stayed the same for long, also while others grow.
func TestChildrenEnd(t *testing.T) {
	r, q := firstChildren(t)
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

// The size is doubled after four populations that have had children, and after each one that has had none.
func TestChildrenSizes(t *testing.T) {
	r, q := firstChildren(t)
	n, idle := q.N, slices.Repeat([]int32{50}, q.N)
	for i, c := range []struct {
		children bool
		size     int
	}{{true, n}, {true, n}, {true, n}, {true, 2 * n}, {true, 2 * n}, {false, 4 * n}, {true, 4 * n}} {
		if clear(q.Idle); c.children {
			copy(q.Idle, idle)
		}
		if err := r.grow(q); err != nil {
			t.Fatal(err)
		}
		if r.size(0) != c.size {
			t.Errorf("%d individuals after restart %d, want %d", r.size(0), i+1, c.size)
		}
	}
}

// firstChildren returns a run, and its first population, which has been annealed and can have children.
func firstChildren(t *testing.T) (*gomeaRun, *host.Population) {
	p, err := catalog.Parse("qubo:palubeckis=60,density=100,seed=1", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &GOMEA{Local: "sa", Sweeps: 4}
	run, err := m.Start(context.Background(), p, solvertest.OpenFirst(t, 1, shard.Options{}),
		solvers.Setup{Key: rng.Key{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	r := run.(*gomeaRun)
	for len(r.populations) == 0 {
		if _, ok, err := r.Step(context.Background(), 1<<40); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	return r, r.populations[0]
}
