package cgrasp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// A run that is cancelled in the middle of a step, and stored, goes on in that step on another number of devices.
func TestCancelledStepIsStored(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/levy_chain:n=150")
	m := grasp(t, "starts=7")
	start := func(g *shard.Devices) solvers.Run {
		t.Helper()
		return solvertest.Start(t, m, p, g, solvers.Setup{Key: rng.Key{Seed: 3}})
	}
	whole := start(solvertest.OpenDevices(t, 1, shard.Options{}))
	var want []solvers.Sample
	for range 3 {
		s, ok, err := whole.Step(context.Background(), solvers.Unlimited)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		want = append(want, s)
	}
	x, y := make([]float64, 150), make([]float64, 150)
	if err := whole.Incumbent(0, x); err != nil {
		t.Fatal(err)
	}
	// Short launches, so that a step has many of them.
	one := solvertest.OpenDevices(t, 1, shard.Options{LaunchTime: 1e-4})
	three := solvertest.OpenDevices(t, 3, shard.Options{LaunchTime: 1e-4})
	partial := 0
	for _, left := range []int{1, 2, 5, 20} {
		run := start(one)
		var got []solvers.Sample
		for turn := range 1000 {
			s, ok, err := run.Step(solvertest.AfterLooks(left+turn), solvers.Unlimited)
			if err == nil && ok {
				if got = append(got, s); len(got) == len(want) {
					break
				}
				continue
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(ok, err)
			}
			if st := run.(*graspRun).state; st.Partial {
				partial++
			}
			if len(got) == 0 {
				continue // a state is stored after the first step at the earliest
			}
			kept := solvertest.KeepCheckpoint(t, run.State(), solvers.Progress{})
			run = start([]*shard.Devices{three, one}[turn%2])
			if _, err := solvers.Resume(context.Background(), run.State(), kept.Load); err != nil {
				t.Fatal(err)
			}
		}
		if err := run.Incumbent(0, y); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || !slices.Equal(x, y) {
			t.Errorf("cancelled after %d questions: %+v, want %+v", left, got, want)
		}
	}
	if partial < 10 {
		t.Errorf("%d steps were cancelled after they had begun: the test shows nothing", partial)
	}
}

// A state with which a kernel would leave its buffers, or whose starts are not those of the host's share, is refused.
func TestWrongStatesAreRefused(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/G4")
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	for what, change := range map[string]func(r *graspRun) error{
		"the end of the range": func(r *graspRun) error {
			return r.on[1].words.Write(graspWordEnd, []uint32{uint32(p.Domain().N + 1)})
		},
		"the phase":      func(r *graspRun) error { return r.on[0].words.Write(graspWordPhase, []uint32{99}) },
		"the best value": func(r *graspRun) error { return r.on[0].reals.Write(graspRealBest, []float64{-1e9}) },
		"the counts":     func(r *graspRun) error { return r.on[0].counts.Write(0, []uint64{1 << 40}) },
		"the starts":     func(r *graspRun) error { r.state.Before = r.state.Before[1:]; return nil },
		"the best point": func(r *graspRun) error { r.state.X[0]++; return nil },
	} {
		run := solvertest.Start(t, grasp(t, "starts=4"), p, g, solvers.Setup{Key: rng.Key{Seed: 3}})
		if _, ok, err := run.Step(context.Background(), solvers.Unlimited); !ok || err != nil {
			t.Fatal(ok, err)
		}
		r := run.(*graspRun)
		if err := r.restored(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := change(r); err != nil {
			t.Fatal(err)
		}
		err := r.restored(context.Background())
		_, damage := errors.AsType[*checkpoint.Damage](err)
		if _, other := errors.AsType[*solvers.RestoreError](err); !damage && !other {
			t.Errorf("%s is changed: %v", what, err)
		}
		run.Close()
	}
}

// On the host, a run can be stored after every step.
func TestHostRunIsStored(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/rastrigin:n=12").(problems.Referenced)
	g := solvertest.OpenDevices(t, 1, shard.Options{})
	start := func() *graspHostRun {
		run := solvertest.Start(t, grasp(t, "variant=seq"), p, g, solvers.Setup{Key: rng.Key{Seed: 3}})
		return run.(*graspHostRun)
	}
	whole, stopped := start(), start()
	for range 20 {
		want, _, err := whole.Step(context.Background(), solvers.Room{Evaluations: math.MaxInt64, Moves: 777})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := stopped.Step(context.Background(), solvers.Room{Evaluations: math.MaxInt64, Moves: 777})
		if err != nil || got != want {
			t.Fatalf("%+v, want %+v, %v", got, want, err)
		}
		kept := solvertest.KeepCheckpoint(t, stopped.State(), solvers.Progress{})
		stopped = start()
		if _, err := solvers.Resume(context.Background(), stopped.State(), kept.Load); err != nil {
			t.Fatal(err)
		}
	}
}

// A run that is cancelled in its first step ends with the best point that the step has found. Another one that begins
// with its checkpoint goes on in that step.
func TestFirstStepIsKept(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/levy_chain:n=8")
	for _, set := range []string{"starts=2", "variant=seq"} {
		s := solvers.Settings{Key: rng.Key{Seed: 3}, Budget: solvers.Budget{Evaluations: 20000}}
		run := func(looks int, k *solvertest.Checkpoint) (*solvers.Result, *solvertest.Checkpoint) {
			t.Helper()
			keeper := &solvertest.StepKeeper{T: t, Kept: map[int64]*solvertest.Checkpoint{}}
			s := s
			if s.Keeper = keeper; k != nil {
				s.Resume = k.Load
			}
			g := solvertest.OpenDevices(t, 1, shard.Options{LaunchTime: 1e-5})
			res, err := solvers.Minimize(solvertest.AfterLooks(looks), p, g, s, grasp(t, set))
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if res == nil { // it ended before the first step
				return nil, nil
			}
			return res, keeper.Kept[res.Steps]
		}
		looks := 3
		start, _ := run(looks, nil)
		for ; start == nil; start, _ = run(looks, nil) {
			looks++
		}
		stopped, k := start, (*solvertest.Checkpoint)(nil)
		for ; stopped.Steps == 0 && !(stopped.F < start.F); stopped, k = run(looks, nil) {
			looks += looks / 2
		}
		if stopped.Status != solvers.Cancelled || stopped.Steps > 0 || !stopped.Confirmed || k == nil {
			t.Fatalf("%s: %v after %d steps and %d evaluations, value %g", set, stopped.Status, stopped.Steps,
				stopped.Evaluations, stopped.F)
		}
		whole, _ := run(math.MaxInt, nil)
		if resumed, _ := run(math.MaxInt, k); !slices.Equal(resumed.X, whole.X) || resumed.F != whole.F {
			t.Errorf("%s: the resumed run ends at %v, the whole one at %v", set, resumed.F, whole.F)
		}
	}
}

// A launch may end within a batch of points, so that a batch of a slow function is no longer than a point. The next
// launch goes on there, with the same bits.
func TestLaunchesCutBatches(t *testing.T) {
	p := solvertest.ParseProblem(t, "classic/levy_chain:n=8")
	g := solvertest.OpenDevices(t, 1, shard.Options{LaunchTime: 1e-9})
	start := func() *graspRun {
		run := solvertest.Start(t, grasp(t, "starts=2"), p, g, solvers.Setup{Key: rng.Key{Seed: 3}})
		return run.(*graspRun)
	}
	room := solvers.Room{Evaluations: math.MaxInt64, Moves: 3000}
	want, _, err := start().Step(context.Background(), room)
	if err != nil {
		t.Fatal(err)
	}
	within := 0
	for run := start(); ; {
		got, ok, err := run.Step(solvertest.AfterLooks(20), room)
		if w := run.on[0].hostWords; w[graspWordPart] > 0 || w[graspWords+graspWordPart] > 0 {
			within++
		}
		if ok {
			if got != want || within == 0 {
				t.Errorf("%+v after %d stops within a batch, want %+v", got, within, want)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}
