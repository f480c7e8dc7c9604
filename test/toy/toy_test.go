package toy

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/solvertest"
)

// Methods and problems that are added from outside are found by name.
func TestFound(t *testing.T) {
	m, err := methods.New("compass", map[string]string{"step": "0.5"})
	if err != nil || solvers.Spell(m) != "step=0.5,least=1e-09" {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := methods.New("compass", map[string]string{"step": "0.1", "least": "0.2"}); err == nil {
		t.Error("a last step above the first one is accepted")
	}
	p, err := catalog.Parse("waves/tilted:n=50", problems.Options{})
	if err != nil || p.Spec().String() != "waves/tilted:n=50" {
		t.Errorf("%v, %v", p, err)
	}
}

// The family keeps the contract of package problems.
func TestWaves(t *testing.T) {
	for _, spec := range []string{"waves/even:n=60", "waves/tilted:n=60"} {
		p, err := catalog.Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problemtest.Test(t, p, problemtest.Options{})
	}
}

// The pages show the files of this package.
func TestPages(t *testing.T) {
	for file, page := range map[string]string{"compass.go": "method", "uniform.go": "method", "waves.go": "problem",
		"waves.cl": "problem"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		on, err := os.ReadFile("../../docs/add-a-" + page + ".md")
		if err != nil || !strings.Contains(string(on), string(text)) {
			t.Errorf("docs/add-a-%s.md does not show %s as it is; %v", page, file, err)
		}
	}
}

// The methods keep the contract of package solvers, and a run goes on from its checkpoints.
func TestMethods(t *testing.T) {
	for _, name := range []string{"compass", "uniform"} {
		m, err := methods.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			solvertest.Test(t, m, solvertest.ParseProblem(t, "waves/tilted:n=6"), solvertest.Options{Evaluations: 60,
				Precision: prec})
		}
		solvertest.ResumeCase{Method: m, Spec: "waves/tilted:n=6", Evals: 60, After: []int64{1, 7}}.Resume(t)
	}
}

// The method finds the minimum and ends by itself, on problems of two families.
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
		res, err := solvers.Minimize(t.Context(), p, g, s, NewCompass())
		if err != nil || !(res.F <= most) || !res.Confirmed || res.Status != solvers.Finished {
			t.Errorf("%s: %+v, %v", spec, res, err)
		}
	}
}

// A method or family from outside draws numbers that clopt draws nowhere, the same on devices and on the host.
func TestDraws(t *testing.T) {
	for name, p := range rng.Names {
		if p >= rng.User {
			t.Errorf("%s is %d; purposes from %d on are for code outside this module", name, p, rng.User)
		}
	}
	p, err := catalog.Parse("waves/tilted:n=60", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := solvertest.OpenFirst(t, 1, shard.Options{})
	key, mine := rng.Key{Seed: 3, Run: 1}, rng.User+1
	place, err := shard.Place(g, p, problems.FP64, shard.Split(p.Tiling(), []int{1}, nil), shard.Drawn(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer place.Close()
	sums, err := place.Eval(t.Context(), 1, func(int) []any {
		return []any{key.Seed, key.Run, uint32(7), uint32(8), uint32(mine)}
	})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 60)
	for i := range x {
		lo, hi := p.Domain().Interval(i)
		x[i] = lo + (hi-lo)*rng.Uniform(key.Word(uint32(i), 7, 8, mine))
	}
	want, err := problems.Eval(p.(problems.Referenced), x)
	if f := shard.Values(p, sums)[0]; err != nil || math.Abs(f-want) > 1e-13*want {
		t.Errorf("the drawn point has value %v, host %v, %v", f, want, err)
	}
}

// stuck is a method that does not count its steps.
type stuck struct{ solvers.Solver }

func (m *stuck) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	run, err := m.Solver.Start(ctx, p, g, s)
	return stuckRun{run}, err
}

type stuckRun struct{ solvers.Run }

func (r stuckRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	s, ok, err := r.Run.Step(ctx, room)
	s.Step = 0
	return s, ok, err
}

// A method that does not count its steps is refused with a clear error.
func TestStepsNotCounted(t *testing.T) {
	p, err := catalog.Parse("classic/sphere:n=6", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{Budget: solvers.Budget{Evaluations: 30}}
	res, err := solvers.Minimize(t.Context(), p, solvertest.OpenFirst(t, 1, shard.Options{}), s, &stuck{NewCompass()})
	if res != nil || err == nil || !strings.Contains(err.Error(), "must add 1 to Sample.Step") {
		t.Errorf("%+v, %v", res, err)
	}
}

// The library and other methods work with the added method and problems.
func TestOthers(t *testing.T) {
	res, err := clopt.Minimize(t.Context(), clopt.Parse("waves/even:n=40"), clopt.Options{Method: "graybox",
		Evals: 4000})
	if err != nil || !res.Confirmed || math.IsNaN(res.F) {
		t.Errorf("%+v, %v", res, err)
	}
	even, err := newWaves(problems.Spec{Name: "even"}, "")
	if err != nil {
		t.Fatal(err)
	}
	res, err = clopt.Minimize(t.Context(), clopt.Problem(even), clopt.Options{Evals: 4000})
	if err != nil || !res.Confirmed || len(res.X) != 100 {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = clopt.Minimize(t.Context(), clopt.Parse("rastrigin:n=8"), clopt.Options{Method: "compass", Evals: 2000})
	if err != nil || !res.Confirmed || res.Evaluations > 2000 {
		t.Errorf("%+v, %v", res, err)
	}
}
