package mixing

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
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

// The size is doubled after several populations that have had children, and after each one that has had none.
func TestChildrenSizes(t *testing.T) {
	r, q := firstChildren(t)
	n := q.N
	if q.Island != n {
		t.Errorf("%d of %d individuals are selected among each other", q.Island, n)
	}
	next := func(idle int32) int {
		for i := range q.Idle {
			q.Idle[i] = idle
		}
		if err := r.grow(q); err != nil {
			t.Fatal(err)
		}
		return r.size(0)
	}
	for i := range 2*perSize + 1 {
		if size, want := next(50), n<<((i+1)/perSize); size != want {
			t.Errorf("%d individuals after %d populations with children, want %d", size, i+1, want)
		}
	}
	if size := next(0); size != 8*n {
		t.Errorf("%d individuals after a population without children, want %d", size, 8*n)
	}
}

// The largest size stays for several populations that are mixed by components, before annealing is slower, and each has
// smaller islands than the one before.
func TestLargestSizes(t *testing.T) {
	r := &gomeaRun{m: &GOMEA{}, mixes: engine.Components}
	for i := range 3 * perLargest {
		if island, want := r.island(largestAnnealed), []int{8192, 2048, 512, 128}[i%perLargest]; island != want {
			t.Errorf("population %d of the largest size has islands of %d, want %d", i, island, want)
		}
		if err := r.grow(&host.Population{Members: host.Members{N: largestAnnealed}}); err != nil {
			t.Fatal(err)
		}
		if want := (i + 1) / perLargest; r.state.Doubled != want {
			t.Errorf("doubled %d times after %d populations of the largest size, want %d", r.state.Doubled, i+1, want)
		}
	}
	if n := largestAnnealed / 2; r.island(n) != n {
		t.Errorf("a smaller population has islands of %d", r.island(n))
	}
	smaller := &host.Population{Members: host.Members{N: largestAnnealed / 2}}
	if err := r.grow(smaller); err != nil || r.state.Doubled != 4 {
		t.Errorf("a smaller population does not double: %d, %v", r.state.Doubled, err)
	}
}

// firstChildren returns a run, and its first population, which has been annealed and can have children.
func firstChildren(t *testing.T) (*gomeaRun, *host.Population) {
	r := solvertest.Start(t, &GOMEA{Local: "sa", Sweeps: 4},
		solvertest.ParseProblem(t, "qubo:palubeckis=60,density=100,seed=1"),
		solvertest.OpenFirst(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 1}}).(*gomeaRun)
	for len(r.populations) == 0 {
		if _, ok, err := r.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	return r, r.populations[0]
}
