package lbfgs

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// onFunction minimizes a function of the host, of variables in boxes of different widths, and returns how many points
// were asked for at a time.
func onFunction(t *testing.T, n int, f func(x []float64) float64, evaluations int64) (*solvers.Result, []int) {
	t.Helper()
	box := problems.Domain{N: n, Lo: make([]float64, n), Hi: make([]float64, n)}
	for i := range n {
		box.Lo[i], box.Hi[i] = -2, 3+100*float64(i%2)
	}
	var asked []int
	p := problems.NewFunction(problems.Spec{Family: "function"}, problems.Info{}, box,
		func(_ context.Context, points [][]float64) (values []float64, err error) {
			asked = append(asked, len(points))
			for _, x := range points {
				values = append(values, f(x))
			}
			return values, nil
		})
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: evaluations}, Key: rng.Key{Seed: 1}}
	r, err := solvers.Minimize(t.Context(), p, shard.NoDevices(shard.Options{}), s, &LBFGS{Pairs: 20})
	require.NoError(t, err)
	require.True(t, r.Confirmed)
	require.LessOrEqual(t, r.Evaluations, evaluations)
	require.Equal(t, f(r.X), r.F)
	return r, asked
}

// Descents with gradients of whole values come to a minimum, in the box or on its bounds, and ask for a gradient at
// once. The numbers of evaluations are those of L-BFGS-B with one-sided differences, up to a half.
func TestFunctionOfTheHost(t *testing.T) {
	valley := func(x []float64) (f float64) {
		for i, v := range x[:len(x)-1] {
			f += 100*math.Pow(x[i+1]-v*v, 2) + math.Pow(1-v, 2)
		}
		return f
	}
	slope := func(x []float64) (f float64) {
		for i, v := range x {
			f += float64(1+i) * v
		}
		return f
	}
	scales := func(x []float64) (f float64) {
		for i, v := range x {
			f += math.Pow(100, float64(i)/9) * (v - 1) * (v - 1)
		}
		return f
	}
	for name, c := range map[string]struct {
		f     func(x []float64) float64
		evals int64
		want  float64
	}{"valley": {valley, 3000, 0}, "on bounds": {slope, 200, -2 * 55}, "scales": {scales, 1000, 0}} {
		r, asked := onFunction(t, 10, c.f, c.evals)
		require.InDelta(t, c.want, r.F, 1e-9, name)
		require.Contains(t, asked, 10, name)
	}
}

// Basin hopping leaves a valley that is not the lowest one.
func TestFunctionOfManyValleys(t *testing.T) {
	r, _ := onFunction(t, 2, func(x []float64) (f float64) {
		for _, v := range x {
			f += 10 - 10*math.Cos(2*math.Pi*(v-0.3)) + (v-0.3)*(v-0.3)
		}
		return f
	}, 6000)
	require.InDelta(t, 0, r.F, 1e-9)
}

// A run goes on from what it has stored, as if it had not stopped, and a state of another problem is refused.
func TestHostStateIsAll(t *testing.T) {
	p := problems.NewFunction(problems.Spec{Family: "function"}, problems.Info{}, problems.Cube(4, -2, 2),
		func(_ context.Context, points [][]float64) (values []float64, err error) {
			for _, x := range points {
				values = append(values, math.Abs(x[0])+math.Pow(x[1]-x[0]*x[0], 2)+math.Cos(9*x[2])+x[3]*x[3])
			}
			return values, nil
		})
	begin := func() solvers.Run {
		r, err := (&LBFGS{}).Start(t.Context(), p, shard.NoDevices(shard.Options{}), solvers.Setup{})
		require.NoError(t, err)
		return r
	}
	one := begin()
	for range 120 {
		other := begin()
		state, to := one.State(), other.State()
		require.NoError(t, checkpoint.Decode(checkpoint.Encode(state.Host), to.Host))
		require.NoError(t, to.Arrange())
		a, ok, err := one.Step(t.Context(), solvers.Unlimited)
		require.True(t, ok)
		require.NoError(t, err)
		b, _, err := other.Step(t.Context(), solvers.Unlimited)
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
}
