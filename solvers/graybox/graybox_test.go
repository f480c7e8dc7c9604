package graybox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// start starts a run without start points.
func start(t *testing.T, m *Graybox, p problems.Problem, g *shard.Devices) *run {
	t.Helper()
	started := solvertest.Start(t, m, p, g, solvers.Setup{Key: rng.Key{Seed: 3}})
	return started.(*run)
}

// objective writes an objective file and returns its problem.
func objective(t *testing.T, text string) problems.Problem {
	t.Helper()
	file := filepath.Join(t.TempDir(), "objective.cl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return solvertest.ParseProblem(t, file)
}

// A run of thin and wide parts, or of parts with inner sums, is stopped and resumed with the same bits on other numbers
// of devices.
func TestResume(t *testing.T) {
	solvertest.ResumeCase{Method: &Graybox{Search: "mts"}, Spec: "cec2013/f4:n=9000", Prec: problems.FP32, Evals: 133,
		After: []int64{1, 2}}.Resume(t)
	solvertest.ResumeCase{Method: &Graybox{Search: "mts"}, Spec: "cec2013/f10:n=3000", Prec: problems.FP64, Evals: 200,
		After: []int64{2}}.Resume(t)
}

// A checkpoint is refused if a number in it leads out of the tables, or if its points do not have their values.
func TestRestored(t *testing.T) {
	r := start(t, &Graybox{Search: "mts"}, solvertest.ParseProblem(t, "cec2013/f1:n=1000"),
		solvertest.OpenDevices(t, 1, shard.Options{}))
	solvertest.Advance(t, r)
	again := r.State().Restored
	if err := again(context.Background()); err != nil {
		t.Fatalf("an unchanged run: %v", err)
	}
	on, state := r.on[0], r.state
	word := func(row int) func(v uint32) error {
		return func(v uint32) error { return on.classes[0].words.Write(row*1000+7, []uint32{v}) }
	}
	for _, c := range []struct {
		name   string
		change func() error
		damage bool
	}{
		{"a search that there is not", func() error { return word(wordSearch)(5) }, true},
		{"a variable that there is not", func() error { return word(wordChain)(1) }, true},
		{"a patience that there is not", func() error {
			r.state.Layers = []layerState{{Patience: 1000}}
			return nil
		}, true},
		{"more work", func() error { r.state.Units++; return nil }, true},
		{"another best point", func() error { return on.x.Write(7, []float64{99}) }, false},
		{"another point of a restart", func() error { return on.x.Write(1000+7, []float64{99}) }, false},
		{"another value", func() error { r.state.Sample.F *= 2; return nil }, false},
	} {
		search, at, x, y := make([]uint32, 1), make([]uint32, 1), make([]float64, 1), make([]float64, 1)
		words := on.classes[0].words
		if err := errors.Join(words.Read(wordSearch*1000+7, search), words.Read(wordChain*1000+7, at), on.x.Read(7, x),
			on.x.Read(1007, y), c.change()); err != nil {
			t.Fatal(err)
		}
		err := again(context.Background())
		_, damage := errors.AsType[*checkpoint.Damage](err)
		_, other := errors.AsType[*solvers.RestoreError](err)
		if damage != c.damage || other == c.damage {
			t.Errorf("%s: %v", c.name, err)
		}
		r.state = state
		if err := errors.Join(word(wordSearch)(search[0]), word(wordChain)(at[0]), on.x.Write(7, x),
			on.x.Write(1007, y)); err != nil {
			t.Fatal(err)
		}
	}
}

// wrong is a problem whose host reference has other values than its devices.
type wrong struct{ problems.Referenced }

func (w wrong) HostTile(t int, x, acc []float64) {
	w.Referenced.HostTile(t, x, acc)
	acc[0] *= 1.001
}

// The first step compares values with the host reference, unless the check is switched off.
func TestCheck(t *testing.T) {
	p := wrong{solvertest.ParseProblem(t, "cec2013/f4:n=1000").(problems.Referenced)}
	_, _, err := start(t, &Graybox{Search: "mts"}, p, solvertest.OpenDevices(t, 1, shard.Options{})).Step(
		context.Background(), solvers.Within(10))
	if _, ok := errors.AsType[*shard.CheckError](err); !ok {
		t.Errorf("a wrong device: %v", err)
	}
	s, ok, err := start(t, &Graybox{Search: "mts"}, p, solvertest.OpenDevices(t, 1,
		shard.Options{NoCheck: true})).Step(context.Background(), solvers.Within(10))
	if err != nil || !ok || s.Evaluations != 10 {
		t.Errorf("without a check: %+v, %v, %v", s, ok, err)
	}
}

// Variables that no component reads stay where they began, inside the box.
func TestIdleVariables(t *testing.T) {
	p := objective(t, "//@ bounds 3 5\n//@ n 30\n//@ components 20\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k) - R(4.5)); }\n")
	r := start(t, &Graybox{}, p, solvertest.OpenDevices(t, 1, shard.Options{}))
	solvertest.Advance(t, r)
	x := make([]float64, 30)
	if err := r.Incumbent(0, x); err != nil || slices.Min(x) < 3 || slices.Max(x) > 5 || x[25] == x[26] {
		t.Errorf("the best point is %v, %v", x, err)
	}
}

// A run ends by itself when all parts rest with the largest patience, and its steps count one by one.
func TestEnds(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1:n=1000")
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{}, &Graybox{Search: "mts"})
	if err != nil || res.Status != solvers.Finished || !res.Confirmed || res.F > 1e-15 {
		t.Errorf("%v after %d evaluations, %v, %v", res.F, res.Evaluations, res.Status, err)
	}
}

// Evaluations are the work, rounded down, in closed parts of which some rest and in open ones.
func TestEvaluations(t *testing.T) {
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for name, r := range map[string]*run{
		"closed": start(t, &Graybox{Search: "mts"}, solvertest.ParseProblem(t, "cec2013/f1:n=1000"), g),
		"open":   startOpen(t, solvertest.ParseProblem(t, "cec2013/f12:n=1200,mode=paper"), 1, []search{mts, cma}),
	} {
		broken := 0 // steps after which the work is no whole number
		for broken < 3 {
			s, ok, err := r.Step(context.Background(), solvers.Unlimited)
			if err != nil || !ok || s.Evaluations != int64(s.Work) {
				t.Fatalf("%s parts: %d evaluations for work of %g, %v, %v", name, s.Evaluations, s.Work, ok, err)
			}
			broken += problems.Flag(s.Work != math.Floor(s.Work))
		}
	}
}

// A part that has made 2^32 - 1 evaluations rests for good.
func TestMostEvaluations(t *testing.T) {
	r := start(t, &Graybox{Search: "mts"}, solvertest.ParseProblem(t, "cec2013/f1:n=1000"),
		solvertest.OpenDevices(t, 1, shard.Options{NoCheck: true}))
	solvertest.Advance(t, r)
	if err := r.on[0].classes[0].words.Write(0, slices.Repeat([]uint32{math.MaxUint32 - 5}, 1000)); err != nil {
		t.Fatal(err)
	}
	r.state.Units = 1000 * (math.MaxUint32 - 5)
	s, ok, err := r.Step(context.Background(), solvers.Unlimited)
	if err != nil || !ok || s.Evaluations != math.MaxUint32 {
		t.Fatalf("%+v, %v, %v", s, ok, err)
	}
	if _, ok, err := r.Step(context.Background(), solvers.Unlimited); err != nil || ok || !r.Info().Ended {
		t.Errorf("a further step: %v, ended %v, %v", ok, r.Info().Ended, err)
	}
}

// A value that is not finite in some parts counts for a fraction of a point, rounded up, and is never the best.
func TestNonFinite(t *testing.T) {
	p := objective(t, "//@ bounds -1 1\n//@ n 10\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc)\n"+
		"{ acc[0] += k == 3u && at(x, k) < R(0.0) ? (real)NAN : sq(at(x, k)); }\n")
	r := start(t, &Graybox{Search: "mts"}, p, solvertest.OpenDevices(t, 1, shard.Options{}))
	solvertest.Advance(t, r)
	strange := make([]uint32, 10)
	if err := r.on[0].classes[0].words.Read(10, strange); err != nil {
		t.Fatal(err)
	}
	of := 0
	for _, n := range strange {
		of += int(n)
	}
	s := r.state.Sample
	if of == 0 || int(strange[3]) != of || s.NonFinite != int64((of+9)/10) || s.Best > 1e-3 {
		t.Errorf("values that were not finite: %v; %+v", strange, s)
	}
}

// Steps are smaller on larger problems, and grow with the evaluations, up to a limit.
func TestQuota(t *testing.T) {
	for _, c := range []struct {
		cost        int
		evaluations int64
		want        int64
	}{
		{1000, 0, 64}, {1000, 1e5, 1000}, {1000, 1e8, 8388}, {1e6, 0, 8}, {1e9, 1e8, 8}, {1e5, 1e6, 83},
	} {
		r := &run{tiles: 1, engine: engine{classes: []class{{cost: c.cost}}, stepCost: costOfCPU}}
		r.state.Units = c.evaluations * int64(c.cost)
		if got := r.quota(); got != c.want {
			t.Errorf("cost %d after %d evaluations: %d, want %d", c.cost, c.evaluations, got, c.want)
		}
	}
}

// What the method does not take, it refuses with the reason.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ spec, search, want string }{
		{"maxcut:torus=4x4", "", "are 0 or 1"},
		{"classic/salomon", "", "may bend up in its sums"},
		{"../../test/testdata/knapsack.cl", "", "may bend up in its sums"},
	} {
		p, err := catalog.Parse(c.spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = solvers.Suits(&Graybox{Search: c.search}, p, problems.FP64)
		if _, ok := errors.AsType[*solvers.SettingError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.spec, err, c.want)
		}
	}
	for _, search := range []string{"lbfgs", "axes"} {
		err := solvers.Suits(&Graybox{Search: search}, solvertest.ParseProblem(t, "cec2013/f1"), problems.FP32)
		if err == nil || !strings.Contains(err.Error(), search+" needs differences in float64") {
			t.Errorf("%s in float32: %v", search, err)
		}
	}
	p, m := solvertest.ParseProblem(t, "cec2013/f3"), &Graybox{}
	classes, err := m.classes(p, problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	for room, fits := range map[int64]bool{32 << 10: false, 48 << 10: true} {
		err := checkLocal(p, []cl.Info{{Name: "small", LocalMem: room}}, problems.FP64, classes)
		if fits != (err == nil) || !fits && !strings.Contains(err.Error(), "33024 bytes of local memory, of which") {
			t.Errorf("with %d bytes of local memory: %v", room, err)
		}
	}
}

// Each search alone, and all of them, find the minima of separable functions.
func TestFinds(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		spec, search string
		evals        int64
		most         float64
	}{
		{"cec2013/f2:n=1000", "", 20000, 1e-3},
		{"cec2013/f1:n=1000", "solis-wets", 1000, 1e-15},
		{"cec2013/f1:n=1000", "lbfgs", 3000, 1e-3},
		{"cec2013/f4:n=1000", "", 20000, 1e8},
		{"cec2013/f10:n=1000", "", 100000, 1},
	}) {
		res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, c.spec),
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Settings{Key: rng.Key{Seed: 1},
				Budget: solvers.Budget{Evaluations: c.evals}}, &Graybox{Search: c.search})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: %.3g after %d evaluations, %v", c.spec, c.search, res.F, res.Evaluations, res.Status)
		if !res.Confirmed || !(res.F <= c.most) {
			t.Errorf("%s %s: %g, want at most %g", c.spec, c.search, res.F, c.most)
		}
	}
}

// A separable function of three variables. Its parts are single variables.
func ExampleGraybox() {
	infos, err := cl.Discover()
	if err != nil {
		panic(err)
	}
	g, err := shard.Open(infos[:1], shard.Options{})
	if err != nil {
		panic(err)
	}
	defer g.Close()
	p, err := catalog.Parse("classic/rastrigin:n=3", problems.Options{})
	if err != nil {
		panic(err)
	}
	res, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
		Budget: solvers.Budget{Evaluations: 2000}}, &Graybox{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f\n", res.F)
	// Output: 0.000
}

// An objective that is not linear in its sums is searched along its slopes.
func TestSlopes(t *testing.T) {
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	for spec, want := range map[string]float64{"classic/ackley:n=2000": 1e-9, "cec2013/f3:mode=paper,n=2000": 1e-9} {
		s := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 8000, Target: &want}}
		r, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, spec), g, s, &Graybox{})
		if err != nil || r.Status != solvers.Target || !r.Confirmed {
			t.Errorf("%s: %+v, %v", spec, r, err)
		}
	}
}

// Slopes follow the best point until the end, so the minimum is met where two sums pull in opposite directions: all
// variables are 1/2 there.
func TestSlopesMeet(t *testing.T) {
	p := objective(t, `//@ bounds -3 2
//@ n 50
//@ sums 2
//@ reads k
//@ f sqrt(s0/n) + s1/n
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k));
    acc[1] += sq(at(x, k) - R(1.0));
}
`)
	r, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 50_000}}, &Graybox{})
	if err != nil || !r.Confirmed || math.Abs(r.F-0.75) > 1e-9 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The value of the start point is one of those that count. Where the parts come to sums at which the objective has no
// value, the run ends with the best point before.
func TestStartsWithAValue(t *testing.T) {
	p := objective(t, `//@ bounds -3 2
//@ n 50
//@ reads k
//@ f sqrt(s0)
static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)) - R(1.0); }
`)
	x0 := slices.Repeat([]float64{1.5}, 50)
	for _, starts := range [][][]float64{{x0}, nil} {
		r, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
			solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 50_000}, X0: starts},
			&Graybox{})
		if err != nil || !r.Confirmed || r.Status != solvers.Finished {
			t.Fatalf("%+v, %v", r, err)
		}
		if starts != nil && r.F > math.Sqrt(50*1.25)+1e-9 {
			t.Errorf("the value is %g, above that of the start point", r.F)
		}
	}
}

// Components that are flat far from the minimum are minimized by their inner sums, in wide parts, and in thin ones of a
// maximization.
func TestInner(t *testing.T) {
	const flat = `//@ bounds -30 32
//@ n 60
//@ inner 2
//@ components n/%[1]d
//@ reads %[1]d*k..%[1]d*k+%[2]d
static void component_inner(uint k, point x, data d, real *inner)
{
    for (uint i = %[1]d * k; i <= %[1]d * k + %[2]d; i++) {
        inner[0] += sin_2pi(at(x, i));
        inner[1] %[3]s sq(at(x, i));
    }
}
static real component_value(uint k, const real *inner, data d) { return %[4]s; }
`
	minimized := objective(t, fmt.Sprintf(flat, 12, 11, "+=", "-exp(-inner[1])"))
	maximized, err := problems.Maximized(objective(t, fmt.Sprintf(flat, 4, 3, "-=", "exp(inner[1])")))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []problems.Problem{minimized, maximized} {
		s := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 10000}}
		r, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}), s,
			&Graybox{Search: "mts"})
		if err != nil || math.Abs(r.F+float64(p.Structure().Components())) > 1e-9 {
			t.Errorf("%s: %+v, %v", p.Spec(), r, err)
		}
	}
}
