package solvertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// Checkpoint is a checkpoint in memory.
type Checkpoint struct {
	Host   []byte
	Shards [][]byte
	Loop   solvers.Progress
}

type memory struct {
	bytes.Buffer
	done func([]byte)
}

func (m *memory) Close() error {
	m.done(m.Bytes())
	return nil
}

func KeepCheckpoint(t *testing.T, st *solvers.State, at solvers.Progress) *Checkpoint {
	t.Helper()
	k := &Checkpoint{Shards: make([][]byte, len(st.Shards)), Loop: at}
	var host bytes.Buffer
	w := checkpoint.NewWriter(&host)
	if err := errors.Join(st.SaveHost(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	k.Host = host.Bytes()
	var mu sync.Mutex
	if err := st.SaveShards(func(s int) (io.WriteCloser, error) {
		return &memory{done: func(b []byte) {
			mu.Lock()
			defer mu.Unlock()
			k.Shards[s] = b
		}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return k
}

// Load is what Settings.Resume is given.
func (k *Checkpoint) Load(st *solvers.State) (solvers.Progress, error) {
	host, err := checkpoint.Open(bytes.NewReader(k.Host), int64(len(k.Host)))
	if err == nil {
		err = st.LoadHost(host)
	}
	var files []*checkpoint.File
	for _, b := range k.Shards {
		f, bad := checkpoint.Open(bytes.NewReader(b), int64(len(b)))
		files, err = append(files, f), errors.Join(err, bad)
	}
	if err == nil && len(st.Vectors) > 0 {
		err = st.LoadShards(files)
	}
	return k.Loop, err
}

// Cutter keeps a checkpoint after some steps, and at the end.
type Cutter struct {
	T     *testing.T
	After []int64
	Kept  map[int64]*Checkpoint
	ended solvers.Status
}

func (c *Cutter) Due(s solvers.Sample) bool { return slices.Contains(c.After, s.Step) }

func (c *Cutter) Keep(st *solvers.State, at solvers.Progress, ended solvers.Status) {
	c.Kept[at.Last.Step] = KeepCheckpoint(c.T, st, at)
	c.ended = ended
}

// Samples keeps the samples without their times.
type Samples struct {
	all []solvers.Sample
	do  func(solvers.Sample)
}

func (r *Samples) Record(s solvers.Sample) error {
	s.Elapsed = 0
	r.all = append(r.all, s)
	if r.do != nil {
		r.do(s)
	}
	return nil
}

// CutCase is a run and the steps after which it is cut.
type CutCase struct {
	Method solvers.Solver
	Spec   string
	Prec   problems.Precision
	Evals  int64
	After  []int64
}

// remainder says that the last step of a budget may be one that a larger budget would not have.
func (c CutCase) remainder() bool {
	return c.Method.Name() != "masw"
}

// Resume cuts and continues the run; it returns the result of the uninterrupted one.
func (c CutCase) Resume(t *testing.T) *solvers.Result {
	t.Helper()
	p := ParseProblem(t, c.Spec)
	group := map[int]*shard.Devices{1: OpenDevices(t, 1, shard.Options{}), 2: OpenDevices(t, 2, shard.Options{}),
		3: OpenDevices(t, 3, shard.Options{})}
	base := solvers.Settings{Key: rng.Key{Seed: 5, Run: 2}, Precision: c.Prec,
		Budget: solvers.Budget{Evaluations: c.Evals}}
	do := func(on int, s solvers.Settings) (*solvers.Result, []solvers.Sample) {
		t.Helper()
		var rec Samples
		s.Recorder = &rec
		res, err := solvers.Minimize(context.Background(), p, group[on], s, c.Method)
		if err != nil {
			t.Fatalf("%s on %d devices: %v", c.Spec, on, err)
		}
		return res, rec.all
	}
	cuts := &Cutter{T: t, After: c.After, Kept: map[int64]*Checkpoint{}}
	whole := base
	whole.Keeper = cuts
	want, samples := do(1, whole)
	if cuts.ended != solvers.Evaluations || len(cuts.Kept) != len(c.After)+1 {
		t.Fatalf("%s: %d checkpoints, the last at %v", c.Spec, len(cuts.Kept), cuts.ended)
	}
	for i, step := range c.After {
		on := []int{3, 1, 2}[i%3]
		resumed := base
		resumed.Resume = cuts.Kept[step].Load
		again := &Cutter{T: t, After: []int64{step + 1}, Kept: map[int64]*Checkpoint{}}
		resumed.Keeper = again
		got, tail := do(on, resumed)
		if !slices.Equal(tail, samples[step:]) {
			t.Fatalf("%s cut after step %d, resumed on %d: %+v…, want %+v…", c.Spec, step, on, tail[0], samples[step])
		}
		if got.F != want.F || !slices.Equal(got.X, want.X) || math.Float64bits(got.HostF) != math.Float64bits(want.HostF) ||
			got.Steps != want.Steps || got.NonFinite != want.NonFinite {
			t.Errorf("%s cut after step %d, resumed on %d: another result", c.Spec, step, on)
		}
		// Cut once more, by the resumed run on its number of devices.
		second := base
		second.Resume = again.Kept[step+1].Load
		if got, tail := do(1, second); !slices.Equal(tail, samples[step+1:]) || !slices.Equal(got.X, want.X) {
			t.Errorf("%s cut after steps %d and %d: another result", c.Spec, step, step+1)
		}
	}
	// The end is a checkpoint as well, from which a larger budget goes on.
	more := base
	more.Budget.Evaluations = c.Evals + 40
	_, longer := do(1, more)
	more.Resume = cuts.Kept[samples[len(samples)-1].Step].Load
	if _, tail := do(2, more); !c.remainder() && !slices.Equal(tail, longer[len(samples):]) {
		t.Errorf("%s: a raised budget gives another trace", c.Spec)
	}
	more.Budget = base.Budget
	if res, tail := do(2, more); len(tail) > 0 || res.Status != solvers.Evaluations || !slices.Equal(res.X, want.X) {
		t.Errorf("%s: nothing left to do, and it made %d steps", c.Spec, len(tail))
	}
	return want
}

func (c CutCase) Cancel(t *testing.T) {
	t.Helper()
	p, g := ParseProblem(t, c.Spec), OpenDevices(t, 2, shard.Options{})
	s := solvers.Settings{Key: rng.Key{Seed: 5, Run: 2}, Precision: c.Prec, Budget: solvers.Budget{Evaluations: c.Evals}}
	var rec Samples
	s.Recorder = &rec
	want, err := solvers.Minimize(context.Background(), p, g, s, c.Method)
	if err != nil {
		t.Fatal(err)
	}
	var keeper *Cutter
	at := 0
	for rounds := 0; ; rounds++ {
		ctx, cancel := context.WithCancel(context.Background())
		part := Samples{do: func(s solvers.Sample) {
			if s.Step%5 == 3 {
				cancel()
			}
		}}
		keeper = &Cutter{T: t, Kept: map[int64]*Checkpoint{}}
		s.Recorder, s.Keeper = &part, keeper
		got, err := solvers.Minimize(ctx, p, g, s, c.Method)
		cancel()
		if got == nil || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !slices.Equal(part.all, rec.all[at:at+len(part.all)]) {
			t.Fatalf("round %d: other samples from step %d on", rounds, at+1)
		}
		at += len(part.all)
		if got.Status != solvers.Cancelled {
			if at != len(rec.all) || !slices.Equal(got.X, want.X) || rounds < 1 {
				t.Errorf("after %d rounds: %d steps of %d, or another point", rounds, at, len(rec.all))
			}
			return
		}
		s.Resume = keeper.Kept[int64(at)].Load
	}
}
