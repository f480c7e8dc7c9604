package anneal

import (
	"context"
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

// A fitted schedule uses most of the evaluations and not one more. Fitted settings are not fitted again, and
// pass through text.
func TestFit(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=50")
	for _, variant := range variants {
		for evaluations := int64(300); evaluations < 1e10; evaluations = evaluations*7/2 + 1 {
			b := solvers.Budget{Evaluations: evaluations}
			free := &SA{Variant: variant}
			m := free.Fit(p, b, nil).(*SA)
			if long := free.Schedule(p); (m == free) != (long <= evaluations) {
				t.Errorf("%s, %d of %d evaluations: %s", variant, evaluations, long, m)
			}
			n := m.Schedule(p)
			if err := m.Validate(); err != nil || n > evaluations || m != free && n < evaluations/2 {
				t.Errorf("%s, %d evaluations: %s has %d, %v", variant, evaluations, m, n, err)
			}
			if step := m.Limits(p, problems.FP64).Step; step > evaluations {
				t.Errorf("%s, %d evaluations: the first step has %d", variant, evaluations, step)
			}
			half := solvers.Budget{Evaluations: 1 + evaluations/2}
			if again := solvers.Fit(m, p, half, nil); m != free && again != m {
				t.Errorf("%s, %d evaluations: %s is fitted once more to %s", variant, evaluations, m, again)
			}
			if spelled := sa(t, strings.ReplaceAll(m.String(), ",", " ")); spelled.Schedule(p) != n {
				t.Errorf("%s, %d evaluations: %s has %d when it is read back", variant, evaluations, m,
					spelled.Schedule(p))
			}
		}
	}
}

// A limit of time counts as the evaluations of a device of its kind. Without a limit, and with any setting of
// the schedule, nothing is fitted.
func TestFitChoice(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=50") // a move touches one component
	second := solvers.Budget{Time: time.Second}
	processor := []cl.Info{{Type: cl.CPU}}
	n := (&SA{}).Fit(p, second, processor).(*SA).Schedule(p)
	if n > stepsOfSecond*stepsOfCPU || n < stepsOfSecond*stepsOfCPU/2 {
		t.Errorf("%d evaluations in a second", n)
	}
	both := solvers.Budget{Time: time.Second, Evaluations: 1e5}
	if n := (&SA{}).Fit(p, both, processor).(*SA).Schedule(p); n > 1e5 {
		t.Errorf("%d evaluations of 1e5", n)
	}
	full := (&SA{Evaluation: "full"}).Fit(p, second, processor).(*SA).Schedule(p)
	if full > n/49 {
		t.Errorf("%d full evaluations in a second, and %d of one component in fifty", full, n)
	}
	for _, set := range []string{"T0=5", "Tmin=0.001", "rho=0.9", "N=7", "chains=300", "localn=40000 variant=hybrid"} {
		if m := sa(t, set); m.Fit(p, second, processor) != m {
			t.Errorf("%s is fitted", set)
		}
	}
	if m := (&SA{}); m.Fit(p, solvers.Budget{Stall: time.Second}, processor) != m {
		t.Error("fitted without a limit")
	}
}

// Limits has the smallest number of evaluations with which the first step does anything.
func TestLimits(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, variant := range variants {
		m := sa(t, "variant="+variant+" N=150 rho=0.1")
		if variant != "sweeps" {
			m.Chains = 130
		}
		n := m.Limits(p, problems.FP64).Step
		run, err := m.Start(context.Background(), p, g, solvers.Setup{Precision: problems.FP64})
		if err != nil {
			t.Fatalf("%s: %v", variant, err)
		}
		if s, ok, err := run.Step(context.Background(), n-1); ok || err != nil {
			t.Errorf("%s: a step of %d evaluations, %v; want at least %d", variant, s.Evaluations, err, n)
		}
		if s, ok, err := run.Step(context.Background(), n); !ok || err != nil || s.Evaluations != n {
			t.Errorf("%s: a step of %d evaluations, %v; want %d", variant, s.Evaluations, err, n)
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
