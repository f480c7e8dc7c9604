package graybox

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/solvertest"
)

// A run in blocks finds the point that a run without them finds, on any number of devices.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		spec           string
		evals          int64
		block, devices []int
	}{
		{"cec2013/f4:n=9000", 120, []int{blockVars, 2000, 2000, 4000}, []int{1, 1, 3, 2}},
		{"cec2013/f10:n=3000", 300, []int{blockVars, 1000}, []int{1, 2}}, // with inner sums
	} {
		p := solvertest.ParseProblem(t, c.spec)
		var first *solvers.Result
		for k, block := range c.block {
			s := solvers.Settings{Key: rng.Key{Seed: 1}, Budget: solvers.Budget{Evaluations: c.evals}}
			g := solvertest.OpenDevices(t, c.devices[k], shard.Options{})
			r, err := solvers.Minimize(context.Background(), p, g, s, &Graybox{Search: "mts", block: block})
			if err != nil || !r.Confirmed {
				t.Fatalf("%s in blocks of %d: %+v, %v", c.spec, block, r, err)
			}
			if first == nil {
				first = r
			}
			if !slices.Equal(r.X, first.X) || r.F != first.F || !slices.Equal(r.Searches, first.Searches) {
				t.Errorf("%s in blocks of %d on %d devices: value %v by %v, without blocks %v by %v", c.spec, block,
					c.devices[k], r.F, r.Searches, first.F, first.Searches)
			}
		}
	}
}

// In further rounds, blocks of any size find the same point, within the limit of the work.
func TestRounds(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1:n=9000")
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	var first *solvers.Result
	for _, block := range []int{2000, 3000, 5000} {
		r, err := solvers.Minimize(context.Background(), p, g, solvers.Settings{Key: rng.Key{Seed: 1},
			Budget: solvers.Budget{Evaluations: 700}}, &Graybox{block: block})
		if err != nil || !r.Confirmed || r.Work > 700 || r.Work < 699 {
			t.Fatalf("blocks of %d: %+v, %v", block, r, err)
		}
		if first == nil {
			first = r
		}
		if !slices.Equal(r.X, first.X) || r.F != first.F || r.Work != first.Work ||
			!slices.Equal(r.Searches, first.Searches) {
			t.Errorf("blocks of %d: value %v after %v, want %v after %v", block, r.F, r.Work, first.F, first.Work)
		}
	}
}

// A run in blocks is stopped and resumed with the same bits on other numbers of devices: in a block of the first round,
// between two blocks, and in a further round.
func TestBlocksResume(t *testing.T) {
	solvertest.ResumeCase{Method: &Graybox{Search: "mts", block: 2000}, Spec: "cec2013/f4:n=9000", Prec: problems.FP32,
		Evals: 133, After: []int64{1, 3, 8}}.Resume(t)
	solvertest.ResumeCase{Method: &Graybox{block: 4000}, Spec: "cec2013/f1:n=9000", Evals: 500,
		After: []int64{2, 9, 14}}.Resume(t)
}

// A block that is stopped goes on in smaller blocks, and in larger ones, to the same point.
func TestOtherBlocks(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1:n=9000")
	g := solvertest.OpenDevices(t, 2, shard.Options{})
	for _, sizes := range [][2]int{{5000, 2000}, {2000, 5000}} {
		keeper := &solvertest.StepKeeper{T: t, After: []int64{3, 6, 11, 16}, Kept: map[int64]*solvertest.Checkpoint{}}
		s := solvers.Settings{Key: rng.Key{Seed: 2}, Budget: solvers.Budget{Evaluations: 500}}
		whole := s
		whole.Keeper = keeper
		want, err := solvers.Minimize(context.Background(), p, g, whole, &Graybox{block: sizes[0]})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range keeper.After {
			// The second stop comes when parts wait for their block.
			again := &solvertest.StepKeeper{T: t, After: []int64{step + 1}, Kept: map[int64]*solvertest.Checkpoint{}}
			once := s
			once.Resume, once.Keeper = keeper.Kept[step].Load, again
			twice := s
			for _, s := range []*solvers.Settings{&once, &twice} {
				got, err := solvers.Minimize(context.Background(), p, g, *s, &Graybox{block: sizes[1]})
				if err != nil || !got.Confirmed || got.F != want.F || got.Work != want.Work ||
					!slices.Equal(got.X, want.X) {
					t.Fatalf("blocks of %d after step %d: %+v, %v; want %v", sizes[1], step, got, err, want.F)
				}
				twice.Resume = again.Kept[step+1].Load
			}
		}
	}
}

// Blocks share the time, so that all of them begin, and a run ends when it is over.
func TestBlocksTime(t *testing.T) {
	const limit = 2 * time.Second
	p := solvertest.ParseProblem(t, "cec2013/f4:n=9000")
	key := rng.Key{Seed: 1}
	r, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Key: key, Budget: solvers.Budget{Time: limit}}, &Graybox{Search: "mts", block: 3000})
	if err != nil || !r.Confirmed || r.Status != solvers.Time {
		t.Fatalf("%+v, %v", r, err)
	}
	drawn := host.Drawn(p, problems.FP64, key, 0, 0, rng.Init, 0, len(r.X))
	for lo := 0; lo < len(drawn); lo += 1000 {
		if slices.Equal(r.X[lo:lo+1000], drawn[lo:lo+1000]) {
			t.Errorf("after %v variables %d to %d are those of the start point", r.Elapsed, lo, lo+1000)
		}
	}
}

// The first step of a run in blocks compares values with the host reference.
func TestBlocksCheck(t *testing.T) {
	p := wrong{solvertest.ParseProblem(t, "cec2013/f4:n=9000").(problems.Referenced)}
	_, err := solvers.Minimize(context.Background(), p, solvertest.OpenDevices(t, 1, shard.Options{}),
		solvers.Settings{Budget: solvers.Budget{Evaluations: 20}}, &Graybox{Search: "mts", block: 3000})
	if err == nil {
		t.Error("a wrong device was accepted")
	}
}

// A step has more evaluations where few parts of the block go on, up to a limit.
func TestBlocksQuota(t *testing.T) {
	p := solvertest.ParseProblem(t, "cec2013/f1")
	const width, cost = 1 + reported, 1000
	e := engine{p: p, classes: []class{{cost: cost}}, stepCost: costOfGPU}
	for _, c := range []struct{ cost, want float64 }{ // of the parts of two super-tiles that do not rest
		{0, mostQuota}, {2 * cost, mostQuota}, {2 * cost / 3.5, 3 * mostQuota}, {1, mostTimes * mostQuota},
	} {
		rows := make([]float64, 4*width)
		rows[0*width+3], rows[1*width+3], rows[2*width+3] = cost, c.cost/4, c.cost*3/4
		r := &blocksRun{engine: e, open: &run{engine: e, tiles: 2}, end: 3, state: blocksState{Done: 1,
			Rows: [][]float64{rows}}}
		if got := r.quota(); got != int64(c.want) {
			t.Errorf("parts of the cost %v of %v: %d evaluations, want %v", c.cost, 2*cost, got, c.want)
		}
	}
}
