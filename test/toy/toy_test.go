package toy

import (
	"math"
	"testing"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// What is added from outside is found by name, as what is inside.
func TestFound(t *testing.T) {
	m, err := methods.New("compass", map[string]string{"step": "0.5"})
	if err != nil || m.String() != "step=0.5,least=1e-09" {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := methods.New("compass", map[string]string{"step": "0.1", "least": "0.2"}); err == nil {
		t.Error("a last step above the first one")
	}
	p, err := catalog.Parse("waves/tilted:n=50", problems.Options{})
	if err != nil || p.Spec().String() != "waves/tilted:n=50" {
		t.Errorf("%v, %v", p, err)
	}
}

// The family keeps the contract of problems.
func TestWaves(t *testing.T) {
	for _, spec := range []string{"waves/even:n=60", "waves/tilted:n=60"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, problemtest.Options{})
	}
}

// The method finds the minimum of a sphere, on every family, and its end.
func TestCompass(t *testing.T) {
	for spec, most := range map[string]float64{"classic/sphere:n=6": 1e-12, "waves/even:n=6": 1e-12,
		"waves/tilted:n=6": 20} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := solvertest.OpenFirst(t, 1, shard.Options{})
		start := make([]float64, p.Domain().N)
		for i := range start {
			start[i] = 0.7 - 0.2*float64(i)
		}
		s := solvers.Settings{X0: [][]float64{start}}
		res, err := solvers.Minimize(t.Context(), p, g, s, &Compass{})
		if err != nil || !(res.F <= most) || !res.Confirmed || res.Status != solvers.Finished {
			t.Errorf("%s: %+v, %v", spec, res, err)
		}
	}
}

// The library and other methods take what was added.
func TestOthers(t *testing.T) {
	res, err := clopt.Minimize(t.Context(), clopt.Parse("waves/even:n=40"), clopt.Options{Method: "graybox", Evals: 4000})
	if err != nil || !res.Confirmed || math.IsNaN(res.F) {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = clopt.Minimize(t.Context(), clopt.Problem(&waves{name: "even", n: 40}), clopt.Options{Evals: 4000})
	if err != nil || !res.Confirmed || len(res.X) != 40 {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = clopt.Minimize(t.Context(), clopt.Parse("rastrigin:n=8"), clopt.Options{Method: "compass", Evals: 2000})
	if err != nil || !res.Confirmed || res.Evaluations > 2000 {
		t.Errorf("%+v, %v", res, err)
	}
}
