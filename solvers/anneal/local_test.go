package anneal

import (
	"context"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// Annealing finds the basin, and the local minimizer finds the digits.
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
		if most, moves := m.bounds(p); res.Evaluations > most || res.Moves > moves {
			t.Errorf("%s: %d evaluations of %d, %d moves of %d", local, res.Evaluations, most, res.Moves, moves)
		}
		// The budget holds in the local phase too.
		limit := m.schedule().moves() + 777
		res, err = solvers.Minimize(context.Background(), p, g,
			solvers.Settings{Key: rng.Key{Seed: 3}, Budget: solvers.Budget{Moves: limit}}, m)
		if err != nil || res.Moves > limit || res.Moves <= limit-777 {
			t.Errorf("%s: %d moves of %d, %v", local, res.Moves, limit, err)
		}
	}
}

// Salomon's function has a wall around the optimum, which annealing of one variable at a time does not cross.
// A minimizer that restarts beside the sphere in front of the wall does.
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
	if again := run("hops=100"); again.F != res.F || again.Moves != res.Moves ||
		!slices.Equal(again.X, res.X) {
		t.Errorf("%v after %d, then %v after %d", res.F, res.Moves, again.F, again.Moves)
	}
	// localn bounds the moves of all restarts together.
	limit := sa(t, "T0=1 Tmin=1e-3 rho=0.9 N=20 chains=512").schedule().moves() + 300
	if few := run("hops=1000000 localn=300"); few.Moves > limit || few.Status != solvers.Finished {
		t.Errorf("%d moves of %d, %v", few.Moves, limit, few.Status)
	}
	if _, err := solvers.Configure(&SA{}, map[string]string{"hops": "3"}); err == nil {
		t.Error("hops are accepted without a local minimizer")
	}
}
