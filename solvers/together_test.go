package solvers

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

type recorderFunc func(Sample) error

func (f recorderFunc) Record(s Sample) error { return f(s) }

// Runs that are made together on three devices have the bits of runs that are
// made alone on one, whatever the others do.
func TestMinimizeRuns(t *testing.T) {
	const runs = 4
	for _, c := range []struct {
		method string
		set    map[string]string
		spec   string
		n      int
		prec   problems.Precision
		starts int
	}{
		{"masw", blockSchemes[1], "cec2013/f4", 0, problems.FP64, 0},
		{"masw", blockSchemes[1], "cec2013/f13", 0, problems.FP64, 2}, // 905 variables
		{"masw", blockSchemes[1], "cec2013/f2", 0, problems.FP32, 0},
		{"masw", blockSchemes[0], "cec2013/f12", 0, problems.FP64, 1},
		{"masw", with(blockSchemes[0], "grain", "30"), "cec2013/f13", 0, problems.FP64, 2},
		{"masw", with(blockSchemes[0], "grain", "1"), "cec2013/f5", 1000, problems.FP32, 0},
		{"masw", with(blockSchemes[0], "grain", "60", "search", "cma"), "cec2013/f4", 0, problems.FP64, 1},
		{"masw", with(blockSchemes[0], "search", "mts"), "cec2013/f2", 0, problems.FP32, 0},
		{"masw", with(blockSchemes[0], "grain", "30", "search", "mts"), "cec2013/f13", 0, problems.FP64, 2},
		{"masw", blockSchemes[0], "rastrigin.cl", 10, problems.FP64, 0},
		{"masw-seq", nil, "cec2013/f2", 0, problems.FP64, 0},
		{"masw", nil, "cec2013/f1", 0, problems.FP64, 0}, // one after the other
		{"sa", map[string]string{"chains": "200"}, "classic/rastrigin", 9, problems.FP64, 2},
		{"sa", map[string]string{"chains": "200", "variant": "v1", "neighbour": "adaptive"}, "classic/rosenbrock", 6, problems.FP32, 0},
		{"sa", map[string]string{"chains": "200", "neighbour": "adaptive", "elitist": "true", "shared": "true"}, "classic/ackley", 40, problems.FP64, 0},
	} {
		t.Run(c.method+" "+c.set["scheme"]+c.set["neighbour"]+c.set["search"]+" "+c.spec, func(t *testing.T) {
			set, evaluations := with(c.set, "population", "6", "iterations", "9"), int64(120)
			if c.method == "sa" {
				set, evaluations = with(c.set, "N", "7", "T0", "10", "Tmin", "0.01", "rho", "0.5"), 200*(1+7*8) // of eleven temperatures
			}
			m, err := New(c.method, set)
			if err != nil {
				t.Fatal(err)
			}
			spec := c.spec
			if filepath.Ext(spec) == ".cl" {
				spec = filepath.Join("..", "test", "testdata", spec)
			}
			p, err := problems.Parse(spec, problems.Options{Dim: c.n})
			if err != nil {
				t.Fatal(err)
			}
			if want := c.method == "masw-seq" || c.set != nil; (Together(p, c.prec, m) > 1) != want {
				t.Fatalf("together %d", Together(p, c.prec, m))
			}
			var x0 [][]float64
			for k := range c.starts {
				lo, hi := p.Box()
				x0 = append(x0, slices.Repeat([]float64{lo + (hi-lo)*float64(k+1)/7}, p.Dim()))
			}
			all := make([]Settings, runs)
			traces := make([][]Sample, runs)
			units := 0
			for k := range all {
				all[k] = Settings{
					Key: draw.Key{Seed: 3, Run: 4 + uint32(k)}, Precision: c.prec, X0: x0, Budget: Budget{Evaluations: evaluations},
					Started: func(i Info) { units = i.Units },
					Recorder: recorderFunc(func(s Sample) error {
						s.Elapsed = 0
						traces[k] = append(traces[k], s)
						return nil
					}),
				}
			}
			results, errs := MinimizeRuns(context.Background(), p, open(t, 3, shard.Options{}), slices.Clone(all), m)
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if together := c.method == "masw-seq" || c.set != nil; (units == runs) != together {
				t.Errorf("%d units were dealt", units)
			}
			alone := open(t, 1, shard.Options{})
			for k, r := range results {
				together := traces[k]
				traces[k] = nil
				one, err := Minimize(context.Background(), p, alone, all[k], m)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Confirmed || r.F != one.F || !slices.Equal(r.X, one.X) || r.Evaluations != one.Evaluations || r.Status != one.Status {
					t.Errorf("run %d: %v after %d, alone %v after %d", k, r.F, r.Evaluations, one.F, one.Evaluations)
				}
				if !slices.Equal(together, traces[k]) {
					t.Errorf("run %d: samples %+v, alone %+v", k, together, traces[k])
				}
				if k > 0 && r.F == results[k-1].F {
					t.Errorf("runs %d and %d are copies", k-1, k)
				}
			}
		})
	}
}

// Runs of a schedule end with it, all of them.
func TestMinimizeRunsSchedule(t *testing.T) {
	p := parse(t, "classic/F1_a")
	m := sa(t, "chains=128 N=3 T0=1 Tmin=0.1 rho=0.5")
	all := make([]Settings, 3)
	for k := range all {
		all[k] = Settings{Key: draw.Key{Seed: 1, Run: uint32(k)}}
	}
	results, errs := MinimizeRuns(context.Background(), p, open(t, 1, shard.Options{}), all, m)
	for k, r := range results {
		if errs[k] != nil || r.Status != Finished || r.Evaluations != m.Schedule(p) {
			t.Errorf("run %d: %+v, %v", k, r, errs[k])
		}
	}
	for _, set := range []string{"variant=v0", "variant=hybrid", "variant=sweeps"} {
		if n := Together(p, problems.FP64, sa(t, set)); n != 1 {
			t.Errorf("%s: %d runs together", set, n)
		}
	}
	if n := Together(p, problems.FP64, sa(t, "chains=16384")); n != 64 {
		t.Errorf("%d runs of 16384 chains together", n)
	}
}

// A run that meets its target leaves the others to go on, and its point is that
// of its value.
func TestMinimizeRunsTarget(t *testing.T) {
	p := parse(t, "cec2013/f1")
	m, err := New("masw-seq", map[string]string{"population": "6", "iterations": "9"})
	if err != nil {
		t.Fatal(err)
	}
	g := open(t, 1, shard.Options{})
	settings := func(target float64, k int) Settings {
		return Settings{Key: draw.Key{Seed: 1, Run: uint32(k)}, Budget: Budget{Evaluations: 1000, Target: &target}}
	}
	all := make([]Settings, 4)
	for k := range all {
		all[k] = settings(-1, k)
	}
	half := settings(-1, 2)
	half.Budget.Evaluations = 500
	early, err := Minimize(context.Background(), p, g, half, m)
	if err != nil {
		t.Fatal(err)
	}
	all[2] = settings(early.F, 2)
	results, errs := MinimizeRuns(context.Background(), p, g, all, m)
	for k, r := range results {
		switch {
		case errs[k] != nil:
			t.Fatal(errs[k])
		case !r.Confirmed:
			t.Errorf("run %d: %v is %v", k, r.F, r.Again)
		case k == 2 && (r.Status != Target || r.Evaluations >= 1000), k != 2 && (r.Status != Evaluations || r.Evaluations != 1000):
			t.Errorf("run %d ended with %v after %d", k, r.Status, r.Evaluations)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	all[1].Recorder = recorderFunc(func(s Sample) error {
		if s.Step == 3 {
			cancel()
		}
		return nil
	})
	results, errs = MinimizeRuns(ctx, p, g, all, m)
	for k, r := range results {
		if r == nil || r.Status != Cancelled || !errors.Is(errs[k], context.Canceled) || !r.Confirmed || math.IsInf(r.F, 1) {
			t.Errorf("run %d after a signal: %+v, %v", k, r, errs[k])
		}
	}
}
