package local

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/test/solvertest"
	"gonum.org/v1/gonum/optimize"
)

// evaluation is what a method asked for.
type evaluation struct {
	x        []float64
	gradient bool
}

// asked returns the first evaluations that a method asks for.
func asked(d *descent, most int) (all []evaluation) {
	for len(all) < most {
		x, gradient := d.method.ask()
		if x == nil {
			break
		}
		all = append(all, evaluation{slices.Clone(x), gradient})
		if gradient {
			d.slopes(x)
			d.method.tell(0, d.gradient)
		} else {
			d.method.tell(d.value(x), nil)
		}
	}
	return all
}

// gonumAsks returns the first evaluations that a method of gonum asks for.
func gonumAsks(p problems.Referenced, name string, x []float64, most int) (all []evaluation) {
	over := errors.New("enough")
	d := newDescent(p, x, newLBFGS)
	note := func(x []float64, gradient bool) {
		if len(all) < most {
			all = append(all, evaluation{slices.Clone(x), gradient})
		}
	}
	function := optimize.Problem{
		Func: func(x []float64) float64 { note(x, false); return d.value(x) },
		Status: func() (optimize.Status, error) {
			if len(all) == most {
				return optimize.Failure, over
			}
			return optimize.NotTerminated, nil
		},
	}
	converger := &optimize.FunctionConverge{Absolute: 1e-300}
	settings := &optimize.Settings{Converger: converger}
	if name == "lbfgs" {
		function.Grad = func(to, x []float64) { note(x, true); d.slopes(x); copy(to, d.gradient) }
		converger.Relative, converger.Iterations = 1e-15, 20
		optimize.Minimize(function, x, settings, &optimize.LBFGS{})
		return all
	}
	converger.Relative, converger.Iterations = 1e-14, 100*len(x)
	var vertices [][]float64
	var values []float64
	for _, v := range newNelderMead(found{x, 0}, d.lo, d.hi).(*nelderMead).Vertices {
		vertices, values = append(vertices, slices.Clone(v)), append(values, function.Func(v))
	}
	optimize.Minimize(function, x, settings, &optimize.NelderMead{InitialVertices: vertices, InitialValues: values,
		Reflection: 1, Expansion: 2, Contraction: 0.5, Shrink: 0.5})
	return all
}

// The methods make the evaluations of gonum's methods, in every bit, to their ends.
func TestDescentsAreThoseOfGonum(t *testing.T) {
	begin := map[string]func(found, []float64, []float64) asker{"nelder-mead": newNelderMead, "lbfgs": newLBFGS}
	for _, c := range []struct {
		name, problem string
		off           float64
		ends          bool
	}{
		{"nelder-mead", "classic/rastrigin:n=20", 0.02, false}, {"nelder-mead", "classic/F16", 0.1, true},
		{"nelder-mead", "classic/rosenbrock:n=4", 1, true}, {"nelder-mead", "classic/ackley:n=5", 10, true},
		{"nelder-mead", "classic/F0_g", 500, false}, // outside the box
		{"lbfgs", "classic/rosenbrock:n=30", 0.5, true}, {"lbfgs", "classic/F0_g", 5, true},
		{"lbfgs", "classic/rastrigin:n=20", 3, true}, {"lbfgs", "classic/F15", 20, true},
		{"lbfgs", "classic/ackley:n=5", 0, true}, // the gradient is zero, or has no direction of descent
		{"lbfgs", "classic/F0_g", 500, true},
	} {
		t.Run(fmt.Sprintf("%s %s from %g", c.name, c.problem, c.off), func(t *testing.T) {
			p := solvertest.ParseProblem(t, c.problem).(*classic.Classic)
			x := near(p.Minimizers()[0], c.off)
			const most = 20000
			got, want := asked(newDescent(p, x, begin[c.name]), most), gonumAsks(p, c.name, x, most)
			for i, w := range want {
				if i >= len(got) || got[i].gradient != w.gradient || !slices.Equal(got[i].x, w.x) {
					t.Fatalf("evaluation %d of %d differs from gonum's, which makes %d", i, len(got), len(want))
				}
			}
			if len(got) != len(want) || c.ends && len(got) == most {
				t.Errorf("%d evaluations, gonum's method makes %d", len(got), len(want))
			}
			t.Logf("%d evaluations", len(got))
		})
	}
}

// A local minimizer that is stored and loaded after every few evaluations makes the same ones.
func TestLocalMinimizersAreStored(t *testing.T) {
	for name, family := range map[string]string{"nelder-mead": "rosenbrock", "lbfgs": "rosenbrock",
		"coordinate": "levy_chain"} {
		p := solvertest.ParseProblem(t, "classic/"+family+":n=6").(*classic.Classic)
		x := near(p.Minimizers()[0], 0.5)
		a := New(name, p, x)
		want := descend(a, 20000, 100)
		b, made := New(name, p, x), int64(0)
		for turns := 0; ; turns++ {
			more, _ := b.Advance(int64(50+turns%7), math.Inf(1))
			if made += more; more == 0 || made >= want {
				break
			}
			stored := checkpoint.Encode(b.State())
			b = New(name, p, make([]float64, 6))
			if err := checkpoint.Decode(stored, b.State()); err != nil {
				t.Fatal(err)
			}
			if err := b.Restored(); err != nil {
				t.Fatal(err)
			}
		}
		ax, af := a.Best()
		if bx, bf := b.Best(); !a.Done() || !b.Done() || made != want || bf != af || !slices.Equal(ax, bx) {
			t.Errorf("%s: %v after %d evaluations, and %v after %d when it is stored", name, af, want, bf, made)
		}
		// The state of another number of variables is refused.
		other := New(name, solvertest.ParseProblem(t, "classic/"+family+":n=5").(*classic.Classic), x[:5])
		if err := checkpoint.Decode(checkpoint.Encode(b.State()), other.State()); err != nil {
			t.Fatal(err)
		}
		if damage := (*checkpoint.Damage)(nil); !errors.As(other.Restored(), &damage) {
			t.Errorf("%s: a state of six variables was taken for five", name)
		}
	}
}
