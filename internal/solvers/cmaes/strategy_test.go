package cmaes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt/problems/rng"
)

// minimized runs a strategy to its end and returns its best value and the number of evaluations.
func minimized(n int, f func(i int, v float64) float64, after func(s *strategy) *strategy) (best float64, evals int) {
	mean := make([]float64, n)
	for i := range mean {
		mean[i] = 0.5
	}
	best = math.Inf(1)
	s := newStrategy(mean, defaultLambda(n), 0.3)
	for when := uint32(0); !s.ended(); when++ {
		values := make([]float64, s.Lambda)
		for k, x := range s.draw(rng.Key{Seed: 1}, when) {
			for i, v := range x {
				values[k] += f(i, v)
			}
			best = min(best, values[k])
		}
		evals += s.Lambda
		s.learn(values)
		s = after(s)
	}
	return best, evals
}

// A strategy converges where a function is smooth or has a kink, in the box or on its bounds, and if directions differ
// by a factor of a million. The numbers of evaluations are those of published programs, up to a third.
func TestConverges(t *testing.T) {
	same := func(s *strategy) *strategy { return s }
	for name, c := range map[string]struct {
		f    func(i int, v float64) float64
		most int
	}{
		"sphere": {func(_ int, v float64) float64 { return (v - 0.3) * (v - 0.3) }, 5000},
		"ellipsoid": {func(i int, v float64) float64 {
			return math.Pow(1e6, float64(i)/9) * (v - 0.7) * (v - 0.7)
		}, 8000},
		"corner": {func(i int, v float64) float64 { return v * float64(1+i) }, 6000},
		"kinks":  {func(i int, v float64) float64 { return math.Abs(v-0.4) * float64(1+i) }, 7000},
	} {
		best, evals := minimized(10, c.f, same)
		if best > 2e-12 || evals > c.most {
			t.Errorf("%s: %g after %d evaluations", name, best, evals)
		}
	}
}

// A strategy goes on in the same way from what it has stored.
func TestShapeIsAll(t *testing.T) {
	f := func(i int, v float64) float64 { return math.Abs(v-0.4) * float64(1+i) }
	want, evals := minimized(6, f, func(s *strategy) *strategy { return s })
	got, again := minimized(6, f, func(s *strategy) *strategy {
		return &strategy{shape: s.shape, plan: planOf(6, s.Lambda)}
	})
	require.Equal(t, want, got)
	require.Equal(t, evals, again)
}

// The numbers of a plan are those of the table of the paper, by hand, for ten variables and ten points.
func TestPlan(t *testing.T) {
	p := planOf(10, 10)
	require.InDelta(t, 3.1672992, p.mass, 1e-6)
	require.InDelta(t, 0.2949, p.forC, 1e-3)
	require.InDelta(t, 0.2844, p.forS, 1e-3)
	require.InDelta(t, 0.01528, p.rankOne, 1e-4)
	require.InDelta(t, 0.02355, p.rankAll, 1e-5)
	positive, all := 0.0, 0.0
	for _, w := range p.weights {
		positive += max(w, 0)
		all += w
	}
	require.InDelta(t, 1, positive, 1e-12)
	require.Less(t, all, 0.1)
}

// folded takes every number to the cube, continuously, and unfolded back.
func TestFolded(t *testing.T) {
	for v := -3.0; v < 4; v += 1. / 512 {
		f := folded(v)
		require.True(t, f >= 0 && f <= 1, v)
		require.InDelta(t, f, folded(v+1e-9), 2e-9)
		require.InDelta(t, f, folded(unfolded(f)), 1e-15)
	}
	require.Equal(t, 0.25, folded(0.25))
	require.Equal(t, 0.0, folded(-bend))
	require.InDelta(t, 1.0, folded(1+bend), 1e-15)
}
