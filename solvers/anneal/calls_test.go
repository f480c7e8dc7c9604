package anneal

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// Chains of a function of the host go where those of the same built-in function go, and those of v2 exchange.
func TestChainsOfFunction(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=4").(problems.Referenced)
	m := &SA{Variant: "v1", T0: new(20.), Tmin: new(1.), Rho: new(0.7), N: 15, Chains: 3, Evaluation: "full"}
	c := &together{Start: search.Start{Domain: p.Domain(), Key: rng.Key{Seed: 5}}, m: m, sch: m.schedule()}
	eval := func(points ...[]float64) (values []float64) {
		for _, x := range points {
			f, err := problems.Eval(p, x)
			require.NoError(t, err)
			values = append(values, f)
		}
		return values
	}
	for c.Next(eval) {
	}
	for who, x := range c.Points {
		chain := newSAChain(m, p, c.Key, uint32(who), nil)
		for level, at := range c.sch.levels {
			chain.steps(uint32(level), at, 0, uint32(c.sch.n))
		}
		require.Equal(t, chain.kept.X, x, who)
	}

	m.Variant = "v2"
	c = &together{Start: c.Start, m: m, sch: m.schedule()}
	for c.Level == 0 {
		require.True(t, c.Next(eval))
	}
	require.Equal(t, c.Points[0], c.Points[1])
	require.Equal(t, c.Values[0], c.Values[2])
}

// A function of the host is annealed to its minimum, within the limit, and settings that it cannot have are refused.
func TestAnnealFunction(t *testing.T) {
	p := problems.NewFunction(problems.Spec{Family: "function"}, problems.Info{}, problems.Cube(2, -5, 5),
		func(_ context.Context, points [][]float64) (values []float64, err error) {
			for _, x := range points {
				values = append(values, (x[0]-1)*(x[0]-1)+(x[1]+2)*(x[1]+2))
			}
			return values, nil
		})
	run := func(m *SA) (*solvers.Result, error) {
		s := solvers.Settings{Budget: solvers.Budget{Evaluations: 20000}}
		return solvers.Minimize(t.Context(), p, shard.NoDevices(shard.Options{}), s, m)
	}
	r, err := run(&SA{})
	require.NoError(t, err)
	require.InDelta(t, 0, r.F, 1e-2)
	require.Equal(t, solvers.Finished, r.Status)
	require.LessOrEqual(t, r.Evaluations, int64(20000))
	for _, m := range []*SA{{Variant: "v0"}, {Variant: "hybrid"}, {Variant: "sweeps"}, {Neighbour: "adaptive"},
		{Starts: "grid"}} {
		_, err := run(m)
		require.ErrorContains(t, err, "is a function of the host")
	}
}
