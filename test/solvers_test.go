package test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// method makes one from "name key=value key=value".
func method(t testing.TB, text string) solvers.Solver {
	t.Helper()
	words := strings.Fields(text)
	set := map[string]string{}
	for _, w := range words[1:] {
		k, v, _ := strings.Cut(w, "=")
		set[k] = v
	}
	m, err := methods.New(words[0], set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func problem(t testing.TB, spec string, opt problems.Options) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGraphSolvers(t *testing.T) {
	devices := problemtest.Devices(t, 5)
	for _, c := range []struct{ method, problem string }{
		{"gomea base=4", "maxcut:torus=12x12,seed=2"},
		{"gomea population=6 local=ls bound=10", "maxcut:gnp=60,p=0.4,weights=1..9,seed=1"},
		{"gomea base=4 variant=serial linkage=sparse", "maxcut:torus=12x12,seed=2"},
		{"gomea population=9 local=sa sweeps=3", "maxcut:tile=12x12,p=0.5,seed=3"},
		{"annealgraph chains=7 sweeps=1", "maxcut:gnp=400,p=0.05,weights=-9..9,seed=1"},
		{"annealgraph chains=4 sweeps=1", "maxcut:gnp=400,p=0.05,weights=-999..999,seed=1"},
	} {
		solvertest.Test(t, method(t, c.method), problem(t, c.problem, problems.Options{}),
			solvertest.Options{Devices: devices, Evaluations: 6000, Work: true, Key: rng.Key{Seed: 4, Run: 1}})
	}
}

func TestSolvers(t *testing.T) {
	devices := problemtest.Devices(t, 5)
	for _, c := range []struct {
		method, problem string
		n               int
		fp32            bool
	}{
		{"random batch=16", "cec2013/f1", 3000, false},
		{"random batch=16", "cec2013/f12:mode=paper", 7000, true},
		{"random batch=7", "testdata/chain.cl", 5001, false},
		{"masw population=8 iterations=5", "cec2013/f1", 3000, true},
		{"masw population=8 iterations=5 portions=3", "cec2013/f4", 6000, false},
		{"masw population=8 iterations=5", "cec2013/f12:mode=paper", 7000, false}, // halos at borders of super-tiles
		{"masw population=8 iterations=5 portion=2000", "cec2013/f12:mode=paper", 7000, true},
		{"masw population=4 iterations=2", "cec2013/f12:mode=paper", 300000, false}, // super-tiles of several tiles
		{"masw population=8 iterations=5 portions=2", "cec2013/f2:mode=distinct", 5000, false},
		{"masw population=8 iterations=5", "cec2013/f13", 3000, false},
		{"masw population=8 iterations=5 portions=3", "testdata/chain.cl", 5001, false},
		{"masw population=4 iterations=4", "testdata/ackley.cl", 10, false}, // fewer tiles than devices
		{"sa T0=5 Tmin=0.5 rho=0.8 N=3 chains=600", "classic/griewank", 40, false},
		{"sa T0=5 Tmin=0.5 rho=0.8 N=3 chains=600 exchange=3 elitist=true shared=true", "classic/F16", 0, true},
		{"sa variant=v1 T0=5 Tmin=0.5 rho=0.8 N=3 chains=700 neighbour=adaptive", "testdata/chain.cl", 20, false},
		{"sa T0=5 Tmin=0.5 rho=0.8 N=150 chains=30 starts=grid", "testdata/ackley.cl", 10, true}, // segments
		{"masw-seq population=8 iterations=20", "cec2013/f4", 1000, false},
		{"masw-seq population=8 iterations=20", "cec2013/f12:mode=paper", 2500, true}, // one point in three tiles
		{"graybox population=8 iterations=20", "cec2013/f13", 3000, false},
		{"graybox population=8 iterations=20", "testdata/rastrigin.cl", 5001, true},
		{"graybox population=5 iterations=3", "cec2013/f12", 300000, false},           // super-tiles of several blocks
		{"graybox population=8 iterations=20", "cec2013/f12:mode=paper", 7000, false}, // blocks in two colours
		{"graybox population=8 iterations=20", "testdata/chain.cl", 5001, true},
		{"graybox scheme=synchronous population=8 iterations=5", "cec2013/f2:mode=distinct", 5000, false},
		{"cgrasp starts=7", "classic/G4", 0, false},
		{"cgrasp starts=7 fix=all extend=0 batch=9 items=8", "testdata/chain.cl", 150, true},
		{"cgrasp starts=6 alpha=0.3 reuse=flag", "testdata/ackley.cl", 12, false}, // g is no sum
	} {
		opt := solvertest.Options{Devices: devices, Evaluations: 133, Key: rng.Key{Seed: 4, Run: 2}}
		if c.n >= 100000 {
			opt.Evaluations = 22
		}
		if strings.HasPrefix(c.method, "sa") {
			opt.Evaluations = 20000
		}
		if strings.HasPrefix(c.method, "cgrasp") {
			opt.Evaluations = 200000
		}
		p := problem(t, c.problem, problems.Options{Dim: c.n})
		if c.fp32 {
			opt.Precision = problems.FP32
		}
		solvertest.Test(t, method(t, c.method), p, opt)
	}
}

// objective writes a user's file.
func objective(t *testing.T, n int, text string) problems.Problem {
	t.Helper()
	file := filepath.Join(t.TempDir(), "user.cl")
	writeFile(t, file, text)
	return problem(t, file, problems.Options{Dim: n})
}

var bothMethods = []string{"random batch=8", "masw population=8 iterations=4"}

// Values that are NaN or infinite come last and are counted; if there are no
// others, the run ends with an error.
func TestNonFinite(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, m := range bothMethods {
		s := solvers.Settings{Budget: solvers.Budget{Evaluations: 200}}
		for name, text := range map[string]string{
			"NaN":  "acc[0] += sqrt(at(x, k)) + sq(at(x, k) - R(0.25));",
			"+Inf": "acc[0] += at(x, k) < R(0.0) ? R(1.0) / R(0.0) : sq(at(x, k));",
			"-Inf": "acc[0] += at(x, k) < R(0.0) ? -R(1.0) / R(0.0) : sq(at(x, k));",
		} {
			p := objective(t, 2, "//@ bounds -1 1\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc)\n{\n    "+text+"\n}\n")
			res, err := solvers.Minimize(context.Background(), p, g, s, method(t, m))
			if err != nil {
				t.Fatalf("%s %s: %v", m, name, err)
			}
			if math.IsNaN(res.F) || math.IsInf(res.F, 0) || res.X[0] < 0 || res.X[1] < 0 || !res.Confirmed {
				t.Errorf("%s %s: best %v at %v", m, name, res.F, res.X)
			}
			if res.NonFinite < 20 || res.NonFinite >= 195 {
				t.Errorf("%s %s: %d values of %d were not finite", m, name, res.NonFinite, res.Evaluations)
			}
		}
		p := objective(t, 3, "//@ bounds -1 1\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc)\n{\n    acc[0] += sqrt(at(x, k) - R(7.0));\n}\n")
		_, err := solvers.Minimize(context.Background(), p, g, s, method(t, m))
		if e := (*solvers.NonFiniteError)(nil); !errors.As(err, &e) || e.Evaluations == 0 || e.Evaluations > 24 {
			t.Errorf("%s: %v, want a NonFiniteError", m, err)
		}
	}
}

// Budgets that no step fits, that end inside a step, and of time and stall.
func TestBudgets(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 2), shard.Options{})
	p := problem(t, "cec2013/f1", problems.Options{})
	run := func(m string, b solvers.Budget) (*solvers.Result, error) {
		return solvers.Minimize(context.Background(), p, g, solvers.Settings{Budget: b}, method(t, m))
	}
	for _, c := range []struct {
		m           string
		limit, want int64
	}{
		{"random batch=8", 1, 1}, {"random batch=8", 21, 21}, {"masw population=8", 8, 8}, {"masw population=8", 31, 24},
	} {
		res, err := run(c.m, solvers.Budget{Evaluations: c.limit})
		if err != nil || res.Evaluations != c.want || res.Status != solvers.Evaluations {
			t.Errorf("%s within %d: %+v, %v", c.m, c.limit, res, err)
		}
	}
	if res, err := run("masw population=8", solvers.Budget{Evaluations: 7}); err == nil {
		t.Errorf("a limit below the population gives %+v", res)
	}
	if _, err := run("random", solvers.Budget{Evaluations: -1}); err == nil {
		t.Error("a negative limit")
	}
	for _, m := range bothMethods {
		if res, err := run(m, solvers.Budget{Time: 50 * time.Millisecond}); err != nil || res.Status != solvers.Time || res.Elapsed < 50*time.Millisecond {
			t.Errorf("%s: %+v, %v", m, res.Status, err)
		}
	}
	if res, err := run("random batch=8", solvers.Budget{Stall: 50 * time.Millisecond}); err != nil || res.Status != solvers.Stall {
		t.Errorf("stall: %+v, %v", res, err)
	}
}

// A step of many seconds stops soon after its run is cancelled.
func TestCancelInsideStep(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{NoCheck: true})
	p := problem(t, "cec2013/f10:n=1000000", problems.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(2*time.Second, cancel)
	start := time.Now()
	res, err := solvers.Minimize(ctx, p, g, solvers.Settings{}, method(t, "random batch=2000"))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, %v", res, err)
	}
	if d := time.Since(start); d > 8*time.Second {
		t.Errorf("stopped %v after it was cancelled", d-2*time.Second)
	}
}

// Methods that know one interval refuse a problem with several.
func TestOneBox(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	p := problem(t, "classic/F16", problems.Options{})
	for _, m := range bothMethods {
		_, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Budget: solvers.Budget{Evaluations: 100}}, method(t, m))
		if e := (*solvers.SettingError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "different intervals") {
			t.Errorf("%s: %v", m, err)
		}
	}
}
