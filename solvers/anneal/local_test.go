package anneal

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// near returns a point near at. Each variable differs by at most s.
func near(at []float64, s float64) []float64 {
	x := slices.Clone(at)
	for i := range x {
		x[i] += s * (2*rng.Uniform(rng.Key{Seed: 4}.Word(uint32(i), 0, 0, rng.Check)) - 1)
	}
	return x
}

// descend runs a local minimiser, in turns, to its end or until it has made most evaluations.
func descend(m localMinimiser, most, turn int64) (made int64) {
	for made < most {
		a, b := m.advance(min(turn, most-made))
		if made += a + b; a+b == 0 {
			break
		}
	}
	return made
}

func TestLocalMinimisers(t *testing.T) {
	for _, c := range []struct {
		name, problem string
		off           float64
		most          int64
		want          float64
	}{
		{"nelder-mead", "classic/rastrigin:n=20", 0.02, 20000, 1e-9},
		{"nelder-mead", "classic/F16", 0.1, 2000, 1e-9},
		{"lbfgs", "classic/rosenbrock:n=30", 0.5, 50000, 1e-9},
		{"lbfgs", "classic/F0_g", 5, 50000, 1e-9},
		{"coordinate", "classic/F0_g", 5, 300000, 1e-10},
		{"coordinate", "classic/F13_b", 0.2, 300000, 1e-12},
		{"coordinate", "classic/levy_chain:n=30", 0.1, 100000, 1e-12},
	} {
		p := solvertest.ParseProblem(t, c.problem).(*classic.Classic)
		x := near(p.Minimizers()[0], c.off)
		best, _ := p.Info().BestKnown()
		a := newLocal(c.name, p, x)
		made := descend(a, c.most, 1<<13)
		at, f := a.best()
		if f-best > c.want || made > c.most {
			t.Errorf("%s on %s: %.3g above the minimum after %d evaluations", c.name, c.problem, f-best, made)
		}
		t.Logf("%s on %s: %.3g above the minimum after %d evaluations, done %v", c.name, c.problem, f-best, made,
			a.done())
		// The size of turns changes nothing.
		b := newLocal(c.name, p, x)
		if again := descend(b, c.most, 2500); a.done() && b.done() {
			if at2, f2 := b.best(); again != made || f2 != f || !slices.Equal(at, at2) {
				t.Errorf("%s on %s in other turns: %v after %d, was %v after %d", c.name, c.problem, f2, again, f, made)
			}
		}
	}
}

// A line search stays inside the interval, never returns a worse point, and finds the minimum of a parabola.
func TestLineMinimum(t *testing.T) {
	for _, c := range []struct {
		f       func(float64) float64
		a, x, b float64
		want    float64
	}{
		{func(v float64) float64 { return (v - 0.3) * (v - 0.3) }, -1, 0, 1, 0.3},
		{func(v float64) float64 { return -v }, 0, 0.5, 2, 2},
		{func(v float64) float64 { return math.Cos(v) }, 2, 2.5, 4, math.Pi},
		{func(v float64) float64 { return 1 }, 0, 1, 1, 1},
	} {
		made := int64(0)
		at, f, counted := lineMinimum(func(v float64) float64 {
			if made++; v < c.a || v > c.b {
				t.Errorf("evaluates %v outside [%v, %v]", v, c.a, c.b)
			}
			return c.f(v)
		}, c.a, c.x, c.b, c.f(c.x))
		if math.Abs(at-c.want) > 1e-6 && c.f(at) != c.f(c.x) || f != c.f(at) || f > c.f(c.x) || counted != made ||
			made >= lineEvaluations {
			t.Errorf("minimum at %v with %v after %d (%d), want %v", at, f, made, counted, c.want)
		}
	}
}

// Annealing finds the basin, and the local minimiser finds the digits.
func TestSAHybrid(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, local := range []string{"nelder-mead", "lbfgs", "coordinate"} {
		p := solvertest.ParseProblem(t, "classic/F0_a").(*classic.Classic)
		m := sa(t, "variant=hybrid T0=100 Tmin=1 rho=0.8 N=20 chains=512 localn=20000 local="+local)
		res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 3}}, m)
		if err != nil {
			t.Fatal(err)
		}
		best, _ := p.Info().BestKnown()
		if e, _ := p.Info().LocationError(res.X); res.F-best > 1e-11 || e > 1e-7 || !res.Confirmed ||
			res.Status != solvers.Finished {
			t.Errorf("%s: %v above the minimum, %v from it, %+v", local, res.F-best, e, res.Status)
		}
		if most := m.Schedule(p); res.Evaluations > most {
			t.Errorf("%s: %d evaluations of %d", local, res.Evaluations, most)
		}
		// The budget holds in the local phase too.
		limit := m.schedule().evaluations() + 777
		res, err = solvers.Minimize(context.Background(), p, g,
			solvers.Settings{Key: rng.Key{Seed: 3}, Budget: solvers.Budget{Evaluations: limit}}, m)
		if err != nil || res.Evaluations > limit || res.Evaluations <= limit-777 {
			t.Errorf("%s: %d evaluations of %d, %v", local, res.Evaluations, limit, err)
		}
	}
}

// Salomon's function has a wall around the optimum, which annealing of one variable at a time does not cross.
// A minimiser that restarts beside the sphere in front of the wall does.
func TestSAHops(t *testing.T) {
	g, p := solvertest.OpenDevices(t, 1, shard.Options{}), solvertest.ParseProblem(t, "classic/F15")
	run := func(set string) *solvers.Result {
		res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 2}},
			sa(t, "variant=hybrid local=lbfgs T0=1 Tmin=1e-3 rho=0.9 N=20 chains=512 "+set))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := run(""); res.F < 0.09 {
		t.Errorf("without hops f = %v: the test shows nothing", res.F)
	}
	res := run("hops=100")
	if res.F > 1e-7 || res.Status != solvers.Finished {
		t.Errorf("f = %v with hops, %v", res.F, res.Status)
	}
	if again := run("hops=100"); again.F != res.F || again.Evaluations != res.Evaluations ||
		!slices.Equal(again.X, res.X) {
		t.Errorf("%v after %d, then %v after %d", res.F, res.Evaluations, again.F, again.Evaluations)
	}
	// localn bounds the evaluations of all restarts together.
	limit := sa(t, "T0=1 Tmin=1e-3 rho=0.9 N=20 chains=512").schedule().evaluations() + 300
	if few := run("hops=1000000 localn=300"); few.Evaluations > limit || few.Status != solvers.Finished {
		t.Errorf("%d evaluations of %d, %v", few.Evaluations, limit, few.Status)
	}
	if _, err := solvers.Configure(&SA{}, map[string]string{"hops": "3"}); err == nil {
		t.Error("hops are accepted without a local minimiser")
	}
}
