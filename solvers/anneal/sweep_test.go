package anneal

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

// sweeps starts sweeps of a problem.
func sweeps(t *testing.T, m *SA, p problems.Problem, g *shard.Devices, s solvers.Setup) *saSweepRun {
	t.Helper()
	run := solvertest.Start(t, m, p, g, s)
	return run.(*saSweepRun)
}

// pointOf reads the point of a run, and its widths.
func pointOf(t *testing.T, r *saSweepRun) (x []float64, wide []float32) {
	t.Helper()
	x, wide = make([]float64, r.p.Domain().N), make([]float32, r.p.Domain().N)
	if err := r.engine.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		o := r.engine.on[s]
		if err := o.x.Read(r.engine.shape.before, x[sh.VarLo:sh.VarHi]); err != nil || !r.engine.near {
			return err
		}
		return o.wide.Read(0, wide[sh.VarLo:sh.VarHi])
	}); err != nil {
		t.Fatal(err)
	}
	return x, wide
}

// Most tests of sweeps have 4001 variables. These are five tiles, of which the last has one variable, and
// tests with the same function share its program.

// chainText is Rosenbrock's function as a user writes it, by windows or by lists. With as_uint it is not understood, so
// that nothing but a run finds lists that are wrong.
func chainText(t *testing.T, reads string, n int) string {
	t.Helper()
	dir := t.TempDir()
	text := "//@ bounds -2.048 2.048\n//@ components n-1\n//@ reads " + reads + "\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    const real v = at(x, k);\n" +
		"    acc[0] += R(100.0) * sq(at(x, k + as_uint(1)) - v * v) + sq(R(1.0) - v);\n}\n"
	var lists strings.Builder
	for k := range n - 1 {
		fmt.Fprintln(&lists, k, k+1)
	}
	for name, text := range map[string]string{"chain.cl": text, "lists.txt": lists.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%s:n=%d", filepath.Join(dir, "chain.cl"), n)
}

// A user's chain moves like the built-in one, with declared windows and with lists, in both precisions and
// on any number of devices.
func TestSweepShards(t *testing.T) {
	const n = 4001
	for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
		for _, specs := range shorttest.Rows(1, [][]string{
			{"classic/rosenbrock:n=4001", chainText(t, "k..k+1", n), chainText(t, "lists lists.txt", n)},
			{"classic/rastrigin:n=4001"}, {"classic/ackley:n=4001"}, {"classic/powell:n=4004"},
		}) {
			var first *solvers.Result
			for _, spec := range specs {
				for _, devices := range []int{1, 2, 3} {
					res, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, spec),
						solvertest.OpenDevices(t, devices, shard.Options{}),
						solvers.Settings{Key: rng.Key{Seed: 2}, Precision: prec}, sa(t, "variant=sweeps rho=0.3 N=3"))
					if err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = res
					}
					if !res.Confirmed || res.Status != solvers.Finished || !slices.Equal(res.X, first.X) ||
						spec == specs[0] && res.F != first.F {
						t.Errorf("%s in %v on %d devices: %v (%v, confirmed %v), first %v", spec, prec, devices, res.F,
							res.Status, res.Confirmed, first.F)
					}
				}
			}
		}
	}
}

// Accumulators that are updated by differences over a million moves match the point.
func TestSweepDrift(t *testing.T) {
	for _, c := range shorttest.Rows(1, []struct {
		problem string
		prec    problems.Precision
	}{
		{"classic/ackley:n=4001", problems.FP64}, {"classic/griewank:n=4001", problems.FP64},
		{"classic/rosenbrock:n=4001", problems.FP64},
		{"classic/ackley:n=4001", problems.FP32}, {"classic/schwefel:n=4001", problems.FP32},
	}) {
		p := solvertest.ParseProblem(t, c.problem)
		r := sweeps(t, sa(t, "variant=sweeps T0=1e12 Tmin=1e11 N=1000"), p,
			solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Setup{Key: rng.Key{Seed: 2}, Precision: c.prec})
		if _, err := r.begin(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
		kept, size := slices.Clone(r.state.Acc), slices.Clone(r.state.Acc)
		tried, colours := 0.0, r.engine.shape.colours.Count
		for k := range 250 {
			for colour := range colours {
				change, total, err := r.engine.sums(context.Background(), 1e12, uint32(k), colour, 1, 0, false)
				if err != nil {
					t.Fatal(err)
				}
				tried += total.tried
				for a, v := range change {
					kept[a] += v
					size[a] = max(size[a], math.Abs(kept[a]))
				}
			}
		}
		if tried != 250*4001 {
			t.Errorf("%s: %v moves were tried", c.problem, tried)
		}
		full, err := r.engine.evaluate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for a, v := range full {
			// Each of a million terms rounds a sum by half an ulp of 53 bits of its largest value.
			if e := math.Abs(kept[a]-v) / max(1, size[a]); e > 1e6*0x1p-53 {
				t.Errorf("%s in %v: accumulator %d is off by %.1e of its size", c.problem, c.prec, a, e)
			} else {
				t.Logf("%s in %v: off by %.1e", c.problem, c.prec, e)
			}
		}
	}
}

// The automatic choice of the variant, and settings that are refused.
func TestSweepSettings(t *testing.T) {
	for spec, want := range map[string]string{"classic/rastrigin:n=19999": "v2", "classic/rastrigin:n=20000": "sweeps",
		"classic/salomon:n=20000": "sweeps"} {
		if got := sa(t, "").of(solvertest.ParseProblem(t, spec)).variant(); got != want {
			t.Errorf("%s: variant %s, want %s", spec, got, want)
		}
	}
	big := solvertest.ParseProblem(t, "classic/rastrigin:n=20000")
	if got := sa(t, "hastings=true neighbour=mixed").of(big).variant(); got != "sweeps" {
		t.Errorf("variant %s of the neighbour of sweeps", got)
	}
	if m := sa(t, "variant=sweeps N=4"); !strings.Contains(solvers.Spell(m), "N=4,chains=auto") {
		t.Errorf("settings are printed as %s", solvers.Spell(m))
	}
	if got := sa(t, "chains=256").of(big).variant(); got != "v2" {
		t.Errorf("with chains: variant %s", got)
	}
	m := sa(t, "T0=1e-2 Tmin=1e-3 rho=0.5 N=7")
	if evaluations, moves := m.bounds(big); moves != 1+4*7*20000 || evaluations != 1+4*(7+1) {
		t.Errorf("a schedule of %d evaluations, %d moves", evaluations, moves)
	}
	for _, set := range []string{"variant=sweeps chains=5", "variant=sweeps Tmin=1", "variant=sweeps elitist=true",
		"variant=sweeps local=nelder-mead",
		"variant=sweeps hastings=true neighbour=uniform", "variant=v2 neighbour=mixed", "variant=sweeps starts=grid",
		"variant=sweeps hops=3", "variant=sweeps local=coordinate hop=0.1", "hop=0.1",
		"hastings=true neighbour=uniform"} {
		if m, err := solvers.Configure(&SA{}, solvertest.Settings(set)); err == nil {
			t.Errorf("%s is taken as %s", set, m)
		}
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.cl")
	if err := os.WriteFile(whole, []byte("//@ bounds -1 1\n//@ n 30\n"+"static void component(uint k, point x, data "+
		"d, real *acc) { for (uint i = 0; i < DIM; i++) acc[0] += at(x, i); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	for _, c := range []struct{ spec, set, want string }{
		{whole, "", "no two are independent"},
		{"classic/salomon:n=30000", "", "bends too much"},
		{"classic/salomon:n=30000", " N=2", "bends too much"}, // it takes more sweeps than a level or a Step has
		{"classic/shubert:n=2000", "", "f is"},
	} {
		_, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, c.spec), g,
			solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: 1e6}},
			sa(t, "variant=sweeps"+c.set))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: %v, want %q", c.spec, c.set, err, c.want)
		}
	}
}

// Lists that do not declare all reads are refused.
func TestSweepRefusesWrongLists(t *testing.T) {
	spec := chainText(t, "lists lists.txt", 2000)
	path, _, _ := strings.Cut(spec, ":")
	var lists strings.Builder
	for k := range 1999 {
		fmt.Fprintln(&lists, k)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "lists.txt"), []byte(lists.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := solvers.Minimize(context.Background(), solvertest.ParseProblem(t, spec),
		solvertest.OpenDevices(t, 1, shard.Options{}), solvers.Settings{}, sa(t, "variant=sweeps T0=1e-3 rho=0.5"))
	if err == nil || !strings.Contains(err.Error(), "Declare all that it reads") {
		t.Errorf("%v", err)
	}
}

// A run that is resumed from a checkpoint on other shards has the same bits, even if g is not linear or the
// checkpoint is within a level. A cancelled run has the point of its best value.
func TestSweepResume(t *testing.T) {
	for name, c := range map[string]solvertest.ResumeCase{
		"a chain": {Method: sa(t, "variant=sweeps rho=0.3 N=3"), Spec: "classic/rosenbrock:n=4001", Prec: problems.FP64,
			Evals: 4001*3*20 + 1, After: []int64{1, 2, 7}},
		"Ackley": {Method: sa(t, "variant=sweeps rho=0.3 N=3 neighbour=adaptive"), Spec: "classic/ackley:n=4001",
			Prec: problems.FP32, Evals: 4001*3*20 + 1, After: []int64{1, 5}},
		"no width": {Method: sa(t, "variant=sweeps rho=0.3 N=4 neighbour=two-sided"), Spec: "classic/schwefel:n=4001",
			Prec: problems.FP64, Evals: 4001*4*20 + 1, After: []int64{2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Resume(t)
			c.Cancel(t, 1)
		})
	}
}

// A start point that is better than all later points is the result.
func TestSweepKeepsStart(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rosenbrock:n=4001")
	x := slices.Repeat([]float64{1}, 4001)
	x[7] = 1 + 1e-9
	res, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 2, shard.Options{}),
		solvers.Settings{Key: rng.Key{Seed: 1}, X0: [][]float64{x}}, sa(t, "variant=sweeps T0=10 Tmin=1 rho=0.5 N=2"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(res.X, x) || !res.Confirmed || res.F > 1e-12 {
		t.Errorf("f = %v", res.F)
	}
	if _, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{X0: [][]float64{x, x}}, sa(t, "variant=sweeps")); err == nil {
		t.Error("two start points are taken")
	}
}

// Sweeps over components that read variables at several offsets, or neighbours on a grid, have the same bits on one
// device and on three, and the value that they keep by differences is that of a full evaluation.
func TestSweepOffsets(t *testing.T) {
	m := sa(t, "variant=sweeps rho=0.5 N=3")
	for _, spec := range []string{"../../test/testdata/lattice.cl:n=4001", "../../test/testdata/grid.cl"} {
		p := solvertest.ParseProblem(t, spec)
		var first *solvers.Result
		for _, devices := range []int{1, 3} {
			r, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, devices, shard.Options{}),
				solvers.Settings{Key: rng.Key{Seed: 6}, Budget: solvers.Budget{Moves: 100 * 4001}}, m)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !r.Confirmed || r.F > 10 || r.F != first.F || !slices.Equal(r.X, first.X) {
				t.Errorf("%s, %d devices: f = %v, confirmed %v; with one device %v", spec, devices, r.F, r.Confirmed,
					first.F)
			}
		}
	}
}

// The work of a sweep by windows is the counted number of touched components.
func TestTouchedShare(t *testing.T) {
	for _, s := range []problems.Structure{
		problems.Windows(10, 10, 1, 0, 0), problems.Windows(10, 10, 1, 0, 1), problems.Windows(10, 9, 1, 0, 1),
		problems.Windows(10, 3, 3, 1, 3),
		problems.Windows(10, 10, 1, 2, 5), problems.Windows(3, 5, 1, 0, 7), problems.Windows(10, 20, 2, 0, 0),
		problems.Windows(64, 16, 4, 0, 3), problems.Offsets(50, 50, 1, []int{0, 1, 7}),
		problems.Offsets(40, 9, 2, []int{1, 4, 30}), problems.Grid([3]int{1, 5, 8}, [3]int{}, [3]int{0, 0, -1}),
	} {
		touched := 0
		for i := range s.Variables() {
			touched += s.Touched(i)
		}
		want := float64(touched) / float64(s.Variables()) / float64(s.Components())
		if got := (&SA{}).costOf(s, 1).moves(1); math.Abs(got-want) > 1e-15 {
			t.Errorf("%+v: %v, counted %v", s, got, want)
		}
	}
}
