package contract

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/random"
	"github.com/clopt/clopt/test/solvertest"
)

// stopped has the method and the problem of the first of rows.
var stopped = solvertest.ResumeCase{
	Method: &masw.MASW{Population: 8, Iterations: 5, Portions: 3}, Spec: "cec2013/f12:n=7000,mode=paper",
	Prec: problems.FP64, Evals: 208,
}

// Every method is cancelled in the middle of its steps and resumed, with the same samples as without.
func TestResumeCancelled(t *testing.T) {
	times, all := 3, forms
	if !testing.Short() {
		times, all = 25, slices.Concat(rows, hostRows)
	}
	for _, c := range all {
		t.Run(c.method+" "+c.problem, func(t *testing.T) {
			solvertest.ResumeCase{Method: method(t, c.method), Spec: c.problem, Prec: c.prec,
				Evals: cmp.Or(c.evals, defaultEvals)}.Cancel(t, times)
		})
	}
}

// A checkpoint is refused if it is damaged, or does not fit the method or the devices.
func TestResumeRefused(t *testing.T) {
	c := stopped
	p, g := solvertest.ParseProblem(t, c.Spec), solvertest.OpenDevices(t, 1, shard.Options{})
	s := solvers.Settings{Key: rng.Key{Seed: 5}, Precision: c.Prec, Budget: solvers.Budget{Evaluations: c.Evals}}
	keeper := &solvertest.StepKeeper{T: t, After: []int64{3, 9}, Kept: map[int64]*solvertest.Checkpoint{}}
	s.Keeper = keeper
	if _, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 3, shard.Options{}), s,
		c.Method); err != nil {
		t.Fatal(err)
	}
	s.Keeper = nil
	good := keeper.Kept[9]
	for want, change := range map[string]func(k *solvertest.Checkpoint) solvers.Solver{
		"the vectors are": func(k *solvertest.Checkpoint) solvers.Solver {
			return &masw.MASW{Population: 9,
				Iterations: 5}
		},
		"has the fields": func(k *solvertest.Checkpoint) solvers.Solver { return &random.Random{} },
		"columns 0 to":   func(k *solvertest.Checkpoint) solvers.Solver { k.Shards = k.Shards[1:]; return c.Method },
		"the files hold": func(k *solvertest.Checkpoint) solvers.Solver { k.Shards = k.Shards[:2]; return c.Method },
		"in no file, or in two": func(k *solvertest.Checkpoint) solvers.Solver {
			k.Shards = []([]byte){k.Shards[0], k.Shards[0], k.Shards[2]}
			return c.Method
		},
		// The population is that of another step, so its points do not have the stored values.
		"a stored point has": func(k *solvertest.Checkpoint) solvers.Solver {
			k.Shards = keeper.Kept[3].Shards
			return c.Method
		},
		"is damaged": func(k *solvertest.Checkpoint) solvers.Solver {
			k.Shards[1] = slices.Clone(k.Shards[1])
			k.Shards[1][len(k.Shards[1])/2]++
			return c.Method
		},
	} {
		k := &solvertest.Checkpoint{Host: good.Host, Shards: slices.Clone(good.Shards), Loop: good.Loop}
		m := change(k)
		s.Resume = k.Load
		if _, err := solvers.Minimize(context.Background(), p, g, s, m); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
