package contract

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/hoststest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
	"github.com/clopt/clopt/test/solvertest"
)

type recorderFunc func(solvers.Sample) error

func (f recorderFunc) Record(s solvers.Sample) error { return f(s) }

// annealing and memetic return settings of short runs of sa and masw.
func annealing(more ...string) map[string]string {
	return solvertest.WithSettings(map[string]string{"chains": "200", "N": "7", "T0": "10", "Tmin": "0.01",
		"rho": "0.5"}, more...)
}

func memetic(more ...string) map[string]string {
	return solvertest.WithSettings(map[string]string{"population": "8", "iterations": "5", "portions": "3"}, more...)
}

// annealed and evolved are their evaluations: 8 of the 11 temperatures of annealing, and 1.4 cycles of memetic.
const (
	annealed = 200 * (1 + 7*8)
	evolved  = 8 * 15
)

// Runs that share launches on three devices have the same bits as runs that are made alone on one device.
func TestMinimizeRuns(t *testing.T) {
	const runs = 4
	for _, c := range shorttest.Rows(4, []struct {
		method      string
		set         map[string]string
		spec        string
		n           int
		prec        problems.Precision
		evaluations int64
		starts      int
	}{
		{"random", nil, "classic/rastrigin", 10, problems.FP64, 300, 0}, // no batches
		{"masw", memetic(), "cec2013/f12:n=7000,mode=paper", 0, problems.FP64, evolved, 2},
		{"sa", annealing("variant", "v1", "neighbour", "adaptive"), "classic/rosenbrock", 6, problems.FP32, annealed,
			0},
		{"sa", annealing(), "classic/rastrigin", 10, problems.FP64, annealed, 2},
		{"sa", annealing("neighbour", "adaptive", "elitist", "true", "shared", "true"), "classic/ackley", 40,
			problems.FP64, annealed, 0},
		{"masw", memetic("portions", "1", "mates", "1"), "cec2013/f13", 1000, problems.FP64, evolved, 0},
		{"masw", memetic("mates", "2"), "cec2013/f2", 7000, problems.FP32, evolved, 0},
		{"masw", memetic("portions", "1", "population", "100"), "cec2013/f12", 1000, problems.FP64, 1500, 0},
	}) {
		t.Run(c.method+" "+c.set["neighbour"]+" "+c.spec, func(t *testing.T) {
			m, err := methods.New(c.method, c.set)
			if err != nil {
				t.Fatal(err)
			}
			p, err := catalog.Parse(c.spec, problems.Options{Dim: c.n})
			if err != nil {
				t.Fatal(err)
			}
			var x0 [][]float64
			for k := range c.starts {
				lo, hi := p.Domain().Box()
				x0 = append(x0, slices.Repeat([]float64{lo + (hi-lo)*float64(k+1)/7}, p.Domain().N))
			}
			all := make([]solvers.Settings, runs)
			traces := make([][]solvers.Sample, runs)
			units := 0
			for k := range all {
				all[k] = solvers.Settings{
					Key: rng.Key{Seed: 3, Run: 4 + uint32(k)}, Precision: c.prec, X0: x0,
					Budget:  solvertest.Budget(m, p, c.prec, c.evaluations),
					Started: func(i solvers.Info) { units = i.Units },
					Recorder: recorderFunc(func(s solvers.Sample) error {
						s.Elapsed = 0
						traces[k] = append(traces[k], s)
						return nil
					}),
				}
			}
			size := solvers.BatchSize(p, all[0], m)
			if (size > 1) != (c.method != "random") {
				t.Fatalf("the batch size is %d", size)
			}
			timed := all[0]
			timed.Budget.Time = time.Hour
			if size := solvers.BatchSize(p, timed, m); size != 1 {
				t.Errorf("with a limit of time the batch size is %d", size)
			}
			results, errs := solvers.MinimizeRuns(context.Background(), p, solvertest.OpenDevices(t, 3,
				shard.Options{}), slices.Clone(all), m)
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if c.method == "sa" && units != runs {
				t.Errorf("%d units were dealt, want a run each", units)
			}
			alone := solvertest.OpenDevices(t, 1, shard.Options{})
			for k, r := range results {
				together := traces[k]
				traces[k] = nil
				one, err := solvers.Minimize(context.Background(), p, alone, all[k], m)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Confirmed || r.F != one.F || !slices.Equal(r.X, one.X) || r.Evaluations != one.Evaluations ||
					r.Status != one.Status {
					t.Errorf("run %d: %v after %d, alone %v after %d", k, r.F, r.Evaluations, one.F, one.Evaluations)
				}
				if !slices.Equal(together, traces[k]) {
					t.Errorf("run %d: samples %+v, alone %+v", k, together, traces[k])
				}
				if k > 0 && r.F == results[k-1].F {
					t.Errorf("runs %d and %d have the same value", k-1, k)
				}
			}
		})
	}
}

func annealingMethod(t *testing.T, set map[string]string) solvers.Solver {
	t.Helper()
	m, err := methods.New("sa", set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// All runs of a batch end at the end of their schedule.
func TestMinimizeRunsSchedule(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/F1_a")
	m := annealingMethod(t, map[string]string{"chains": "128", "N": "3", "T0": "1", "Tmin": "0.1", "rho": "0.5"})
	all := make([]solvers.Settings, 3)
	for k := range all {
		all[k] = solvers.Settings{Key: rng.Key{Seed: 1, Run: uint32(k)}}
	}
	results, errs := solvers.MinimizeRuns(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}), all,
		m)
	evaluations, moves := m.Traits().Schedule(p)
	for k, r := range results {
		if errs[k] != nil || r.Status != solvers.Finished || r.Evaluations != evaluations-1 || // a part is left
			r.Moves != moves {
			t.Errorf("run %d: %+v, %v", k, r, errs[k])
		}
	}
	for _, variant := range []string{"v0", "hybrid", "sweeps"} {
		if n := solvers.BatchSize(p, all[0], annealingMethod(t, map[string]string{"variant": variant})); n != 1 {
			t.Errorf("%s: the batch size is %d, want 1", variant, n)
		}
	}
	if n := solvers.BatchSize(p, all[0], annealingMethod(t, map[string]string{"chains": "16384"})); n != 64 {
		t.Errorf("with 16384 chains the batch size is %d, want 64", n)
	}
}

// When one run of a batch meets its target, the others go on, and its point has its value.
func TestMinimizeRunsTarget(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	m := annealingMethod(t, annealing())
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	settings := func(target float64, k int) solvers.Settings {
		return solvers.Settings{Key: rng.Key{Seed: 1, Run: uint32(k)}, Budget: solvers.Budget{Moves: annealed,
			Target: &target}}
	}
	all := make([]solvers.Settings, 4)
	for k := range all {
		all[k] = settings(-1, k)
	}
	half := settings(-1, 2)
	half.Budget.Moves = 200 * (1 + 7*4)
	early, err := solvers.Minimize(context.Background(), p, g, half, m)
	if err != nil {
		t.Fatal(err)
	}
	all[2] = settings(early.F, 2)
	results, errs := solvers.MinimizeRuns(context.Background(), p, g, all, m)
	for k, r := range results {
		switch {
		case errs[k] != nil:
			t.Fatal(errs[k])
		case !r.Confirmed:
			t.Errorf("run %d: the value is %v, and %v when it is evaluated again", k, r.F, r.Again)
		case k == 2 && (r.Status != solvers.Target || r.Moves >= annealed), k != 2 &&
			(r.Status != solvers.Moves || r.Moves != annealed):
			t.Errorf("run %d ended with %v after %d", k, r.Status, r.Moves)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	all[1].Recorder = recorderFunc(func(s solvers.Sample) error {
		if s.Step == 3 {
			cancel()
		}
		return nil
	})
	results, errs = solvers.MinimizeRuns(ctx, p, g, all, m)
	for k, r := range results {
		if r == nil || r.Status != solvers.Cancelled || !errors.Is(errs[k], context.Canceled) || !r.Confirmed ||
			math.IsInf(r.F, 1) {
			t.Errorf("run %d after it was cancelled: %+v, %v", k, r, errs[k])
		}
	}
}

// batch returns the settings of runs that are made together, each with a Keeper, and their traces. evaluations is their
// limit; 0: none.
func batch(t *testing.T, runs int, evaluations int64, after []int64) (all []solvers.Settings,
	keepers []*solvertest.StepKeeper, traces [][]solvers.Sample) {
	traces = make([][]solvers.Sample, runs)
	for k := range runs {
		keepers = append(keepers, &solvertest.StepKeeper{T: t, After: after, Kept: map[int64]*solvertest.Checkpoint{}})
		all = append(all, solvers.Settings{Key: rng.Key{Seed: 3, Run: 4 + uint32(k)}, Keeper: keepers[k],
			Budget: solvers.Budget{Evaluations: evaluations},
			Recorder: recorderFunc(func(s solvers.Sample) error {
				s.Elapsed = 0
				traces[k] = append(traces[k], s)
				return nil
			})})
	}
	return all, keepers, traces
}

// Runs that are made together are resumed together, alone, and from different steps, with the same bits.
func TestMinimizeRunsResumed(t *testing.T) {
	const runs = 5
	ctx := context.Background()
	one, three := solvertest.OpenDevices(t, 1, shard.Options{}), solvertest.OpenDevices(t, 3, shard.Options{})
	for _, c := range shorttest.Rows(2, []struct {
		method      string
		set         map[string]string
		spec        string
		evaluations int64
		files       int // of a checkpoint
	}{
		{"sa", annealing("neighbour", "adaptive"), "classic/rastrigin:n=10", 0, 1},
		{"masw", memetic(), "cec2013/f12:n=7000,mode=paper", evolved, 3},
		{"sa", annealing("exchange", "3", "elitist", "true", "shared", "true"), "classic/rastrigin:n=10", 0, 1},
		{"sa", annealing("variant", "v1"), "classic/rastrigin:n=10", 0, 1},
	}) {
		m, err := methods.New(c.method, c.set)
		if err != nil {
			t.Fatal(err)
		}
		p := solvertest.ParseProblem(t, c.spec)
		all, keepers, traces := batch(t, runs, c.evaluations, []int64{2, 5})
		want, errs := solvers.MinimizeRuns(ctx, p, three, all, m)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		last, files := int64(len(traces[0])), c.files
		for k, c := range keepers {
			// A checkpoint is stored a step after it is wanted.
			if len(c.Kept) != 3 || c.Kept[3] == nil || c.Kept[6] == nil || c.Kept[last] == nil {
				t.Fatalf("run %d of %d steps: %d checkpoints", k, last, len(c.Kept))
			}
			if n := len(c.Kept[3].Shards); n != files {
				t.Errorf("run %d: a checkpoint of %d files, want %d", k, n, files)
			}
		}
		same := func(what string, k int, from int64, got *solvers.Result, err error, tail []solvers.Sample) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: run %d: %v", what, k, err)
			}
			if got.F != want[k].F || !slices.Equal(got.X, want[k].X) || !slices.Equal(tail, traces[k][from:]) {
				t.Errorf("%s: run %d has other bits: %d steps from step %d of %d", what, k, len(tail), from, last)
			}
		}
		for what, steps := range map[string][]int64{
			"together": {3, 3, 3, 3, 3}, "at different steps": {3, 3, 6, 3, 0},
			"at the end": {last, last, last, last, last},
		} {
			again, _, tails := batch(t, runs, c.evaluations, []int64{4})
			for k, step := range steps {
				if step > 0 {
					again[k].Resume = keepers[k].Kept[step].Load
				}
			}
			got, errs := solvers.MinimizeRuns(ctx, p, one, again, m)
			for k, step := range steps {
				same(what, k, step, got[k], errs[k], tails[k])
			}
		}
		again, kept, tails := batch(t, runs, c.evaluations, []int64{7})
		again[2].Resume = keepers[2].Kept[3].Load
		got, err := solvers.Minimize(ctx, p, three, again[2], m)
		same("alone", 2, 3, got, err, tails[2])
		// A run that was stored alone goes on together with others.
		again, _, tails = batch(t, runs, c.evaluations, nil)
		for k := range again {
			again[k].Resume = keepers[k].Kept[6].Load
		}
		got2, errs := solvers.MinimizeRuns(ctx, p, one, again, m)
		for k := range again {
			same("on one device", k, 6, got2[k], errs[k], tails[k])
		}
		if kept[2].Kept[7] == nil {
			t.Error("a run alone stored no checkpoint")
		}
	}
}

// Runs that are made together go on after a device has failed.
func TestMinimizeRunsLosesDevice(t *testing.T) {
	problemtest.Devices(t, 1)
	m, p := annealingMethod(t, annealing()), solvertest.ParseProblem(t, "classic/rastrigin:n=10")
	run := func(fault func(cl.Call) cl.Fault) ([]*solvers.Result, map[string]int) {
		g := new(pool).open(t, 3, shard.Options{})
		defer g.Close()
		calls := map[string]int{}
		var mu sync.Mutex
		defer cl.Inject(func(c cl.Call) cl.Fault {
			mu.Lock()
			calls[c.Function]++
			mu.Unlock()
			return fault(c)
		})()
		all, _, _ := batch(t, 5, 0, []int64{2, 5, 8})
		results, errs := solvers.MinimizeRuns(context.Background(), p, g, all, m)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		return results, calls
	}
	want, calls := run(none)
	parts := 8 // of a run, in each of which every function fails
	if testing.Short() {
		parts = 2
	}
	for _, function := range []string{"clEnqueueReadBuffer", "clFinish", "clEnqueueNDRangeKernel"} {
		for i := range parts {
			at := calls[function] * (2*i + 1) / (2 * parts)
			got, _ := run(once(function, at, cl.OutOfResources))
			for k := range got {
				if got[k].F != want[k].F || !slices.Equal(got[k].X, want[k].X) {
					t.Errorf("%s %d of %d fails: run %d has %v, want %v", function, at, calls[function], k, got[k].F,
						want[k].F)
				}
			}
		}
	}
}

// Runs share launches on several ranks, too.
func TestMinimizeRunsOnRanks(t *testing.T) {
	devices := problemtest.Devices(t, 3)
	for _, c := range []struct {
		method      string
		set         map[string]string
		spec        string
		evaluations int64
	}{
		{"sa", annealing(), "classic/rastrigin:n=10", 0},
		{"masw", memetic(), "cec2013/f12:n=7000,mode=paper", evolved},
	} {
		m, err := methods.New(c.method, c.set)
		if err != nil {
			t.Fatal(err)
		}
		sharedByRanks(t, devices, m, solvertest.ParseProblem(t, c.spec), solvers.Budget{Evaluations: c.evaluations})
	}
}

// sharedByRanks compares runs that share launches on three ranks with the same runs on one device.
func sharedByRanks(t *testing.T, devices []*cl.Device, m solvers.Solver, p problems.Problem, budget solvers.Budget) {
	t.Helper()
	minimize := func(g *shard.Devices) ([]*solvers.Result, error) {
		var all []solvers.Settings
		for k := range uint32(4) {
			all = append(all, solvers.Settings{Key: rng.Key{Seed: 3, Run: k}, Budget: budget})
		}
		results, errs := solvers.MinimizeRuns(context.Background(), p, g, all, m)
		return results, errors.Join(errs...)
	}
	want, err := minimize(problemtest.Group(t, devices[:1], shard.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := hoststest.Run(3, func(h ranks.Hosts) error {
		g, err := shard.NewDevices(devices[h.Rank():h.Rank()+1], shard.Options{Hosts: h})
		if err != nil {
			return err
		}
		got, err := minimize(g)
		if err != nil || h.Rank() > 0 {
			return err
		}
		for k, r := range got {
			if r.F != want[k].F || !slices.Equal(r.X, want[k].X) || !r.Confirmed {
				t.Errorf("%s: run %d on 3 ranks: %v, want %v", m.Traits().Name, k, r.F, want[k].F)
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
