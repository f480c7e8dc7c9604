package local

import (
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/rng"
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

// descend runs a local minimizer, in turns, to its end or until it has made most evaluations.
func descend(m Minimizer, most, turn int64) (made int64) {
	for made < most {
		more, _ := m.Advance(min(turn, most-made), math.Inf(1))
		if made += more; more == 0 {
			break
		}
	}
	return made
}

func TestLocalMinimizers(t *testing.T) {
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
		a := New(c.name, p, x)
		made := descend(a, c.most, 1<<13)
		at, f := a.Best()
		if f-best > c.want || made > c.most {
			t.Errorf("%s on %s: %.3g above the minimum after %d evaluations", c.name, c.problem, f-best, made)
		}
		t.Logf("%s on %s: %.3g above the minimum after %d evaluations, done %v", c.name, c.problem, f-best, made,
			a.Done())
		// The size of turns changes nothing.
		b := New(c.name, p, x)
		if again := descend(b, c.most, 2500); a.Done() && b.Done() {
			if at2, f2 := b.Best(); again != made || f2 != f || !slices.Equal(at, at2) {
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
			made >= lineMoves {
			t.Errorf("minimum at %v with %v after %d (%d), want %v", at, f, made, counted, c.want)
		}
	}
}
