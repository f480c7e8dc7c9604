package anneal

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

var variants = []string{"v0", "v1", "v2", "hybrid", "sweeps"}

// A fitted schedule uses most of the limit and does not exceed it, whether that is one of evaluations or of moves.
// Fitted settings are not fitted again, and pass through text.
func TestFit(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=50")
	for _, kind := range []string{"evaluations", "moves"} {
		budget := func(n int64) solvers.Budget {
			if kind == "moves" {
				return solvers.Budget{Moves: n}
			}
			return solvers.Budget{Evaluations: n}
		}
		of := func(evaluations, moves int64) int64 {
			if kind == "moves" {
				return moves
			}
			return evaluations
		}
		for _, variant := range variants {
			for limit := int64(300); limit < 1e10; limit = limit*7/2 + 1 {
				free := &SA{Variant: variant}
				m := free.fit(p, budget(limit), nil).(*SA)
				what := fmt.Sprintf("%s, %d %s: %s", variant, limit, kind, solvers.Spell(m))
				if long := of(free.bounds(p)); (m == free) != (long <= limit) {
					t.Errorf("%s; the default has %d", what, long)
				}
				n := of(m.bounds(p))
				if err := solvers.Validate(m); err != nil || n > limit || m != free && n < limit*2/5 {
					t.Errorf("%s has %d, %v", what, n, err)
				}
				if l := m.limits(p, problems.FP64); of(l.Step, l.Moves) > limit {
					t.Errorf("%s: the first step has %d", what, of(l.Step, l.Moves))
				}
				if again := solvers.Fit(m, p, budget(1+limit/2), nil); m != free && again != m {
					t.Errorf("%s is fitted once more to %s", what, solvers.Spell(again))
				}
				if read := of(sa(t, strings.ReplaceAll(solvers.Spell(m), ",", " ")).bounds(p)); read != n {
					t.Errorf("%s has %d when it is read back", what, read)
				}
			}
		}
	}
}

// A limit of time counts as the moves of a device of its kind. Without a limit, and with any setting of
// the schedule, nothing is fitted.
func TestFitChoice(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=50") // a move touches one component
	second := solvers.Budget{Time: time.Second}
	processor := []cl.Info{{Type: cl.CPU}}
	_, n := (&SA{}).fit(p, second, processor).(*SA).bounds(p)
	if n > stepsOfSecond*stepsOfCPU || n < stepsOfSecond*stepsOfCPU/2 {
		t.Errorf("%d moves in a second", n)
	}
	for _, both := range []solvers.Budget{{Time: time.Second, Moves: 1e5}, {Time: time.Second, Evaluations: 2e3}} {
		m := (&SA{}).fit(p, both, processor).(*SA)
		if evaluations, moves := m.bounds(p); moves > 1e5 || evaluations > max(both.Evaluations, 1e4) {
			t.Errorf("%+v: %d evaluations, %d moves", both, evaluations, moves)
		}
	}
	_, full := (&SA{Evaluation: "full"}).fit(p, second, processor).(*SA).bounds(p)
	if full > n/49 {
		t.Errorf("%d full evaluations in a second, and %d of one component in fifty", full, n)
	}
	for _, set := range []string{"T0=5", "Tmin=0.001", "rho=0.9", "N=7", "chains=300", "localn=40000 variant=hybrid"} {
		if m := sa(t, set); m.fit(p, second, processor) != m {
			t.Errorf("%s is fitted", set)
		}
	}
	if m := (&SA{}); m.fit(p, solvers.Budget{Stall: time.Second}, processor) != m {
		t.Error("fitted without a limit")
	}
}

// Limits has the smallest numbers of evaluations and of moves with which the first step does anything.
func TestLimits(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, variant := range variants {
		m := sa(t, "variant="+variant+" N=150 rho=0.1")
		if variant != "sweeps" {
			m.Chains = 130
		}
		l := m.limits(p, problems.FP64)
		run, err := m.Start(context.Background(), p, g, solvers.Setup{Precision: problems.FP64})
		if err != nil {
			t.Fatalf("%s: %v", variant, err)
		}
		for _, room := range []solvers.Room{{Evaluations: l.Step, Moves: l.Moves - 1}, solvers.Within(l.Step - 1)} {
			if s, ok, err := run.Step(context.Background(), room); ok || err != nil {
				t.Errorf("%s: a step in %+v: %+v, %v; want at least %+v", variant, room, s, err, l)
			}
		}
		s, ok, err := run.Step(context.Background(), solvers.Room{Evaluations: l.Step, Moves: l.Moves})
		if !ok || err != nil || s.Moves != l.Moves || s.Work > float64(l.Step) || s.Work <= float64(l.Step-1) {
			t.Errorf("%s: %+v, %v; want %+v", variant, s, err, l)
		}
		run.Close()
	}
}

// A default run with few evaluations comes to the end of its schedule, and near the minimum.
func TestFittedRun(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Budget: solvers.Budget{Evaluations: 1e5}}, &SA{})
	if err != nil || res.Status != solvers.Finished || res.F > 1 {
		t.Errorf("%+v, %v", res, err)
	}
}
