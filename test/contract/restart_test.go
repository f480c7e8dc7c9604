package contract

import (
	"context"
	"testing"

	"github.com/clopt/clopt/internal/solvers/restart"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/solvertest"
)

// TestLimitsAreUsed minimizes with the method that clopt chooses. The run uses nearly all evaluations that a limit
// allows, unless nothing can be better. On some problems the method comes to its end before; the run then begins again.
func TestLimitsAreUsed(t *testing.T) {
	const usual = 10000
	dir, g := t.TempDir(), solvertest.OpenDevices(t, 1, shard.Options{})
	again := 0
	for _, c := range matrixProblems {
		p := matrixProblem(t, dir, c.spec, c.text)
		if p.Domain().N > 100 {
			continue // its method does not come to its end before
		}
		if testing.Short() && (c.column == "lists" || c.column == "squares") {
			continue // the default has programs of its own for these, and ends as with everything
		}
		t.Run(c.column, func(t *testing.T) {
			limit := int64(usual)
			if _, graph := p.(problems.Cut); graph {
				limit *= 100 // for its first step
			}
			s := solvers.Settings{Key: rng.Key{Seed: 3}, Budget: solvers.Budget{Evaluations: limit},
				Around: restart.Around(true)}
			m, _ := methods.Auto(p, problems.FP64, s.Budget)
			res, err := solvers.Minimize(context.Background(), p, g, s, m)
			if err != nil {
				t.Fatal(err)
			}
			if res.Status != solvers.Optimal && (res.Status != solvers.Evaluations || res.Evaluations < limit*9/10) ||
				!res.Confirmed {
				t.Errorf("%s: %d evaluations of %d, %v: %+v", m.Traits().Name, res.Evaluations, limit, res.Status, res)
			}
			s.Around = restart.Around(false)
			once, err := solvers.Minimize(context.Background(), p, g, s, m)
			if err != nil || once.F < res.F {
				t.Errorf("%s: %v without beginning again, %v with it; %v", m.Traits().Name, once.F, res.F, err)
			}
			if once.Status == solvers.Finished {
				again++
			}
		})
	}
	if again < 2 {
		t.Errorf("the methods of %d problems come to their ends", again)
	}
}

// A run that begins again is resumed with the same bits, on other numbers of devices, and also if it was cancelled in
// the middle of a step of a later round.
func TestRestartsAreResumed(t *testing.T) {
	for _, c := range []solvertest.ResumeCase{
		{Method: method(t, "lbfgs descents=1"), Spec: "classic/rastrigin:n=4", Evals: 700, After: []int64{5, 20, 40}},
		{Method: method(t, "relay patience=1"), Spec: "classic/michalewicz:n=5", Evals: 20000, After: []int64{1500}},
	} {
		once, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, c.Spec),
			solvertest.OpenDevices(t, 1, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 5, Run: 2}, Budget: solvers.Budget{Evaluations: c.Evals}}, c.Method)
		if err != nil || once.Status != solvers.Finished {
			t.Fatalf("%s: %+v, %v", c.Method.Traits().Name, once, err)
		}
		c.Around = restart.Around(true)
		if res := c.Resume(t); res.F > once.F || res.Steps < once.Steps*3/2 || c.After[len(c.After)-1] < once.Steps {
			t.Errorf("%s: %+v; %+v without beginning again", c.Method.Traits().Name, res, once)
		}
		if c.Method.Traits().Name == "lbfgs" {
			c.Cancel(t, 3)
		}
	}
}
