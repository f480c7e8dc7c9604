package contract

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// objective writes an objective file with one statement per component, over [-1, 1].
func objective(t *testing.T, n int, statement string) problems.Problem {
	t.Helper()
	text := "//@ bounds -1 1\n//@ reads k\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    " + statement + "\n}\n"
	file := filepath.Join(t.TempDir(), "user.cl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return solvertest.ParseProblem(t, fmt.Sprintf("%s:n=%d", file, n))
}

var bothMethods = []string{"random batch=8", "masw population=8 iterations=4"}

// Values that are NaN or infinite rank last and are counted. If there are no others, the run ends with an error.
func TestR16NonFinite(t *testing.T) {
	count := battery.Begin(t)
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, m := range shorttest.Rows(1, bothMethods) {
		s := solvers.Settings{Budget: solvers.Budget{Evaluations: 200}}
		for name, statement := range map[string]string{
			"NaN":  "acc[0] += sqrt(at(x, k)) + sq(at(x, k) - R(0.25));",
			"+Inf": "acc[0] += at(x, k) < R(0.0) ? R(1.0) / R(0.0) : sq(at(x, k));",
			"-Inf": "acc[0] += at(x, k) < R(0.0) ? -R(1.0) / R(0.0) : sq(at(x, k));",
		} {
			p := objective(t, 2, statement)
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
			count.Count(!t.Failed())
		}
		p := objective(t, 3, "acc[0] += sqrt(at(x, k) - R(7.0));")
		_, err := solvers.Minimize(context.Background(), p, g, s, method(t, m))
		if e := (*solvers.NonFiniteError)(nil); !errors.As(err, &e) || e.Evaluations < 195 || e.Evaluations > 200 ||
			e.At.Odd != 3 || e.At.All != 3 {
			t.Errorf("%s: %v, want a NonFiniteError at the limit", m, err)
		}
		count.Count(!t.Failed())
	}
}

// Descents of lbfgs begin at the first uniform point that has a value, here one of a fifth of the box, and the same one
// each time.
func TestNonFiniteStarts(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	p := objective(t, 20, "acc[0] += k == 0 ? sqrt(at(x, k) - R(0.6)) : sq(at(x, k));")
	late := 0
	for seed := range uint32(5) {
		s := solvers.Settings{Key: rng.Key{Seed: seed}, Budget: solvers.Budget{Evaluations: 300}}
		var f [2]float64
		for k := range f {
			res, err := solvers.Minimize(context.Background(), p, g, s, method(t, "lbfgs"))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if f[k] = res.F; res.X[0] < 0.6 || !res.Confirmed || res.Evaluations > 300 {
				t.Errorf("seed %d: %v at %v after %d", seed, res.F, res.X, res.Evaluations)
			}
			if res.NonFinite >= 3 {
				late++
			}
		}
		if f[0] != f[1] {
			t.Errorf("seed %d: %v and %v", seed, f[0], f[1])
		}
	}
	if late == 0 {
		t.Error("all runs begin at one of the first three points. Take other seeds")
	}
	p = objective(t, 3, "acc[0] += sqrt(at(x, k) - R(7.0));")
	_, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{}, method(t, "lbfgs"))
	if e := (*solvers.NonFiniteError)(nil); !errors.As(err, &e) || e.Evaluations != 64 {
		t.Errorf("%v, want a NonFiniteError after 64 evaluations, the patience", err)
	}
}

// Each of many independent components is finite in half of its box, so hardly any point has a finite value. Methods
// that work on parts find one for each part, and others begin at a point that was found for them. If there is none, the
// error names components that are in the way.
func TestNonFiniteParts(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	squares := "//@ bounds -1 1\n//@ n 40\n//@ squares 1\n//@ reads k\n" +
		"static void residuals(uint k, point x, data d, real *r) { r[0] = sqrt(at(x, k)) - R(0.5); }\n"
	file := filepath.Join(t.TempDir(), "squares.cl")
	if err := os.WriteFile(file, []byte(squares), 0o600); err != nil {
		t.Fatal(err)
	}
	p := solvertest.ParseProblem(t, file)
	for seed := range uint32(3) {
		s := solvers.Settings{Key: rng.Key{Seed: seed}, Budget: solvers.Budget{Evaluations: 3000}}
		for _, m := range []string{"lm", "graybox search=mts"} {
			res, err := solvers.Minimize(context.Background(), p, g, s, method(t, m))
			if err != nil || res.F > 1e-9 || !res.Confirmed {
				t.Errorf("%s, seed %d: %+v, %v", m, seed, res, err)
			}
		}
	}
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: 3000}}
	res, err := solvers.Minimize(context.Background(), p, g, s, method(t, "masw population=8"))
	if err != nil || !res.Confirmed {
		t.Errorf("masw: %+v, %v", res, err)
	}
	p = objective(t, 40, "acc[0] += sqrt(at(x, k) - (k == 3 ? R(7.0) : R(0.0)));")
	_, err = solvers.Minimize(context.Background(), p, g, solvers.Settings{}, method(t, "masw population=8"))
	e, ok := errors.AsType[*solvers.NonFiniteError](err)
	if !ok || e.At.All != 40 || e.At.Odd < 5 || e.At.Odd > 20 || len(e.At.First) != 5 ||
		!strings.Contains(err.Error(), " of 40 components (") {
		t.Errorf("%v, want a NonFiniteError that names components", err)
	}
}

// Methods begin near a corner, or in one, if there are finite values nowhere else, or at a point that was drawn part by
// part.
func TestNonFiniteCorners(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	file := filepath.Join(t.TempDir(), "corner.cl")
	const header = "//@ bounds -1 1\n//@ n 6\n//@ components n\n"
	const component = "static void component(uint k, point x, data d, real *acc)\n{\n    real s = R(0.0);\n    "
	for name, text := range map[string]string{
		"near the lower corner": header + "//@ reads whole\n" + component +
			"for (uint i = 0; i < 6u; i++) s += at(x, i) + R(1.0);\n    " +
			"acc[0] -= log(R(0.2) - s) + log(at(x, k) + R(1.0));\n}\n",
		"in the upper corner": header + "//@ reads whole\n" + component +
			"for (uint i = 0; i < 6u; i++) s += R(1.0) - at(x, i);\n    acc[0] += sqrt(-s) + sq(at(x, k));\n}\n",
		"in parts": header + "//@ reads k\n" + component +
			"s = sqrt(sq(R(0.2)) - sq(at(x, k) + R(0.25)));\n    acc[0] += s;\n}\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := solvertest.ParseProblem(t, file)
		for _, m := range shorttest.Rows(1, []string{"lbfgs", "masw population=8", "sa chains=64 N=5", "relay",
			"cgrasp"}) {
			for seed := range uint32(3) {
				s := solvers.Settings{Key: rng.Key{Seed: seed}, Budget: solvers.Budget{Evaluations: 5000}}
				res, err := solvers.Minimize(context.Background(), p, g, s, method(t, m))
				if err != nil || !res.Confirmed {
					t.Errorf("%s, finite %s, seed %d: %+v, %v", m, name, seed, res, err)
				}
			}
		}
	}
}

// Budgets below one step, budgets that end inside a step, and limits of time and stall.
func TestBudgets(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 2), shard.Options{})
	p := solvertest.ParseProblem(t, "cec2013/f1")
	run := func(m string, b solvers.Budget) (*solvers.Result, error) {
		return solvers.Minimize(context.Background(), p, g, solvers.Settings{Budget: b}, method(t, m))
	}
	for _, c := range []struct {
		m           string
		limit, want int64
	}{
		{"random batch=8", 1, 1}, {"random batch=8", 21, 21},
		{"masw population=8", 8, 8}, {"masw population=8", 31, 24},
	} {
		res, err := run(c.m, solvers.Budget{Evaluations: c.limit})
		if err != nil || res.Evaluations != c.want || res.Status != solvers.Evaluations {
			t.Errorf("%s within %d: %+v, %v", c.m, c.limit, res, err)
		}
	}
	if res, err := run("masw population=8", solvers.Budget{Evaluations: 7}); err == nil {
		t.Errorf("with a limit below the population: %+v, want an error", res)
	}
	if _, err := run("random", solvers.Budget{Evaluations: -1}); err == nil {
		t.Error("a negative limit is accepted")
	}
	for _, m := range bothMethods {
		if res, err := run(m, solvers.Budget{Time: 50 * time.Millisecond}); err != nil || res.Status != solvers.Time ||
			res.Elapsed < 50*time.Millisecond {
			t.Errorf("%s: %+v, %v", m, res.Status, err)
		}
	}
	if res, err := run("random batch=8", solvers.Budget{Stall: 50 * time.Millisecond}); err != nil ||
		res.Status != solvers.Stall {
		t.Errorf("stall: %+v, %v", res, err)
	}
}

// A step that takes many seconds ends soon after its run is cancelled.
func TestCancelInsideStep(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{NoCheck: true})
	p := solvertest.ParseProblem(t, "cec2013/f10:n=1000000")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(2*time.Second, cancel)
	start := time.Now()
	res, err := solvers.Minimize(ctx, p, g, solvers.Settings{}, method(t, "random batch=2000"))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, %v", res, err)
	}
	if d := time.Since(start); d > 8*time.Second {
		t.Errorf("the run ended %v after it was cancelled", d-2*time.Second)
	}
}
