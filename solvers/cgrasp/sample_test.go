package cgrasp

import (
	"context"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// The value of a step is the current value of a start after the step, not the best of all steps. The best value is the
// smallest of these so far.
func TestSampleIsOfItsStep(t *testing.T) {
	for _, set := range []string{"variant=seq", "starts=3"} {
		g := solvertest.OpenDevices(t, 1, shard.Options{})
		run := solvertest.Start(t, grasp(t, set), solvertest.ParseProblem(t, "classic/rastrigin:n=20"), g,
			solvers.Setup{Key: rng.Key{Seed: 1}})
		above, best := 0, 0.0
		for k := range 20 {
			s, ok, err := run.Step(context.Background(), solvers.Unlimited)
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if k == 0 {
				best = s.F
			}
			if best = min(best, s.F); s.Best != best {
				t.Errorf("%s: step %d: best %v, of the values so far %v", set, s.Step, s.Best, best)
			}
			if s.F > s.Best {
				above++
			}
		}
		if above == 0 {
			t.Errorf("%s: the value of every step is the best one", set)
		}
	}
}
