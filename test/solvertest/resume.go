package solvertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Checkpoint is a checkpoint in memory.
type Checkpoint struct {
	Host   []byte
	Shards [][]byte
	Loop   solvers.Progress
}

// memory is a file in memory. Closing it passes its content to done.
type memory struct {
	bytes.Buffer
	done func([]byte)
}

func (m *memory) Close() error {
	m.done(m.Bytes())
	return nil
}

// KeepCheckpoint stores a state in memory.
func KeepCheckpoint(t *testing.T, st *solvers.State, at solvers.Progress) *Checkpoint {
	t.Helper()
	k, err := keep(st, at)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func keep(st *solvers.State, at solvers.Progress) (*Checkpoint, error) {
	k := &Checkpoint{Loop: at}
	if len(st.Vectors) > 0 {
		k.Shards = make([][]byte, st.Pieces)
	}
	var host bytes.Buffer
	w := checkpoint.NewWriter(&host)
	if err := errors.Join(st.SaveHost(w), w.Close()); err != nil {
		return nil, err
	}
	k.Host = host.Bytes()
	var mu sync.Mutex
	return k, st.SavePieces(func(s int) (io.WriteCloser, error) {
		return &memory{done: func(b []byte) {
			mu.Lock()
			defer mu.Unlock()
			k.Shards[s] = b
		}}, nil
	})
}

// Load loads the checkpoint into the state of a run. It is a value for solvers.Settings.Resume.
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
	if err == nil {
		err = st.LoadPieces(files)
	}
	return k.Loop, err
}

// StepKeeper is a solvers.Keeper that keeps a checkpoint after some steps, and at the end.
type StepKeeper struct {
	T     *testing.T
	After []int64               // steps
	Kept  map[int64]*Checkpoint // by step; made by the caller
	ended solvers.Status
}

func (c *StepKeeper) Due(s solvers.Sample) bool { return slices.Contains(c.After, s.Step) }

func (c *StepKeeper) Keep(st *solvers.State, at solvers.Progress, ended solvers.Status) error {
	k, err := keep(st, at)
	if shard.Failed(err) != nil {
		return err
	}
	if err != nil {
		c.T.Error(err)
	}
	c.Kept[at.Last.Step], c.ended = k, ended
	return nil
}

// Lost returns the newest checkpoint.
func (c *StepKeeper) Lost(error) (func(*solvers.State) (solvers.Progress, error), bool) {
	if len(c.Kept) == 0 {
		return nil, true
	}
	return c.Kept[slices.Max(slices.Collect(maps.Keys(c.Kept)))].Load, true
}

// ResumeCase is a run and the steps after which it is stopped and resumed.
type ResumeCase struct {
	Method solvers.Solver
	Spec   string
	Prec   problems.Precision
	Evals  int64 // as in Budget
	After  []int64
	// Around is that of the settings.
	Around func(solvers.Run, solvers.Solver, problems.Problem, *shard.Devices, solvers.Setup) solvers.Run
}

// Resume makes the run without a stop, and then resumes it from the checkpoint after each step of After, on other
// numbers of devices. All must have the same samples and results. It returns the result.
func (c ResumeCase) Resume(t *testing.T) *solvers.Result {
	t.Helper()
	p := ParseProblem(t, c.Spec)
	group := map[int]*shard.Devices{1: OpenDevices(t, 1, shard.Options{}), 2: OpenDevices(t, 2, shard.Options{}),
		3: OpenDevices(t, 3, shard.Options{})}
	base := solvers.Settings{Key: rng.Key{Seed: 5, Run: 2}, Precision: c.Prec, Around: c.Around,
		Budget: Budget(c.Method, p, c.Prec, c.Evals)}
	do := func(on int, s solvers.Settings) (*solvers.Result, []solvers.Sample) {
		t.Helper()
		var record samples
		s.Recorder = &record
		res, err := solvers.Minimize(context.Background(), p, group[on], s, c.Method)
		if err != nil {
			t.Fatalf("%s on %d devices: %v", c.Spec, on, err)
		}
		return res, record.all
	}
	keeper := &StepKeeper{T: t, After: c.After, Kept: map[int64]*Checkpoint{}}
	whole := base
	whole.Keeper = keeper
	want, trace := do(1, whole)
	if keeper.ended != solvers.Evaluations && keeper.ended != solvers.Moves || len(keeper.Kept) != len(c.After)+1 {
		t.Fatalf("%s: %d checkpoints, want %d; the run ended by %v", c.Spec, len(keeper.Kept), len(c.After)+1,
			keeper.ended)
	}
	for i, step := range c.After {
		on := []int{3, 1, 2}[i%3]
		resumed := base
		resumed.Resume = keeper.Kept[step].Load
		again := &StepKeeper{T: t, After: []int64{step + 1}, Kept: map[int64]*Checkpoint{}}
		resumed.Keeper = again
		got, tail := do(on, resumed)
		if !slices.Equal(tail, trace[step:]) {
			t.Fatalf("%s resumed after step %d on %d devices: %+v…, want %+v…", c.Spec, step, on, tail[0], trace[step])
		}
		if got.F != want.F || !slices.Equal(got.X, want.X) ||
			math.Float64bits(got.HostF) != math.Float64bits(want.HostF) ||
			got.Steps != want.Steps || got.NonFinite != want.NonFinite ||
			!slices.Equal(got.Searches, want.Searches) {
			t.Errorf("%s resumed after step %d on %d devices: another result", c.Spec, step, on)
		}
		// The resumed run has stored a checkpoint too. A third run goes on from it.
		second := base
		second.Resume = again.Kept[step+1].Load
		if got, tail := do(1, second); !slices.Equal(tail, trace[step+1:]) || !slices.Equal(got.X, want.X) {
			t.Errorf("%s resumed after steps %d and %d: another result", c.Spec, step, step+1)
		}
	}
	// A run with a larger budget goes on from the checkpoint of the end. Only masw is sure to make the same steps as
	// an unbroken run with that budget; others may have shortened the last step to fit the smaller one.
	more := base
	more.Budget = Budget(c.Method, p, c.Prec, c.Evals+40)
	_, longer := do(1, more)
	more.Resume = keeper.Kept[trace[len(trace)-1].Step].Load
	if _, tail := do(2, more); c.Method.Traits().Name == "masw" && !slices.Equal(tail, longer[len(trace):]) {
		t.Errorf("%s: the run with a larger budget has other samples", c.Spec)
	}
	more.Budget = base.Budget
	if res, tail := do(2, more); len(tail) > 0 || res.Status != keeper.ended || !slices.Equal(res.X, want.X) {
		t.Errorf("%s: resumed at its end, the run made %d steps and ended by %v", c.Spec, len(tail), res.Status)
	}
	return want
}

// Cancel makes the run without a stop, and then cancels it again and again while it makes steps, and resumes it from
// the state that it stored last. The run must have the same samples and the same point. It is cancelled when it looks
// at its context: the given number of times while the run goes on, and once or twice more if it looks rarely.
func (c ResumeCase) Cancel(t *testing.T, times int) {
	t.Helper()
	// Launches are short, so that it is cancelled in the middle of steps.
	p, g := ParseProblem(t, c.Spec), OpenDevices(t, 2, shard.Options{LaunchTime: 1e-9})
	s := solvers.Settings{Key: rng.Key{Seed: 5, Run: 2}, Precision: c.Prec, Around: c.Around,
		Budget: Budget(c.Method, p, c.Prec, c.Evals)}
	// run makes the run until it looks at its context for the k-th time after it has started.
	run := func(k int64) (*solvers.Result, []solvers.Sample, *StepKeeper, *watched) {
		t.Helper()
		var record samples
		keeper, ctx := &StepKeeper{T: t, Kept: map[int64]*Checkpoint{}}, watch(k)
		defer ctx.cancel()
		s.Recorder, s.Keeper = &record, keeper
		s.Started = func(solvers.Info) { ctx.started.Store(true) }
		res, err := solvers.Minimize(ctx, p, g, s, c.Method)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return res, record.all, keeper, ctx
	}
	want, all, _, looks := run(math.MaxInt64)
	stride, at := looks.looks.Load()/int64(times+1)+1, 0
	late := int64(0) // looks more, after rounds without a step
	for round := int64(0); ; round++ {
		got, part, keeper, _ := run(stride + round + late)
		if round > 20*int64(times) {
			t.Fatalf("%s: after %d rounds the run is at step %d of %d", c.Spec, round, at, len(all))
		}
		if n := len(part); n > 0 && part[n-1].Step < int64(at+n) {
			part = part[:n-1] // of the step that was cancelled
		}
		kept := keeper.Kept[int64(at+len(part))]
		if got != nil && got.Status == solvers.Cancelled && round < 4 {
			c.over(t, p, g, s, kept, got)
		}
		if got == nil || got.Status == solvers.Cancelled && kept == nil {
			late = 2*late + stride
			continue // it was cancelled while it was resumed, or in its first step
		}
		if late = 2*late + stride; len(part) > 0 {
			late = 0
		}
		if at+len(part) > len(all) || !slices.Equal(part, all[at:at+len(part)]) {
			t.Fatalf("%s, round %d: from step %d on the samples are %+v, want %+v", c.Spec, round, at+1, part, all[at:])
		}
		at += len(part)
		if got.Status != solvers.Cancelled {
			if at != len(all) || !slices.Equal(got.X, want.X) || got.F != want.F || round == 0 {
				t.Errorf("%s: after %d rounds %d steps of %d, value %v, want %v", c.Spec, round, at, len(all), got.F,
					want.F)
			}
			return
		}
		s.Resume = kept.Load
	}
}

// over resumes a run that was cancelled, when its time is already over. Its best point is at least as good as that of
// got: it is in the checkpoint of the end, or is the incumbent, if the run has kept no such checkpoint, or was
// cancelled in its first step.
func (c ResumeCase) over(t *testing.T, p problems.Problem, g *shard.Devices, s solvers.Settings, kept *Checkpoint,
	got *solvers.Result) {
	t.Helper()
	s.Recorder = nil
	s.Keeper = nil
	s.Started = nil
	s.Budget.Time = 1
	if kept != nil {
		s.Resume = kept.Load
	}
	if kept == nil || got.Steps == 0 {
		s.Incumbent = &solvers.Incumbent{X: got.X, F: got.F}
	}
	res, err := solvers.Minimize(context.Background(), p, g, s, c.Method)
	if err != nil || res.Status != solvers.Time || !(res.F <= got.F) || !res.Confirmed {
		t.Errorf("%s: stored with %v in a step after %d; resumed without time: %+v, %v", c.Spec, got.F, got.Steps, res,
			err)
	}
}

// watched is a context that counts how often a run looks at it, and is cancelled when that happens for the k-th time.
type watched struct {
	context.Context
	cancel  func()
	k       int64
	started atomic.Bool // it counts
	looks   atomic.Int64
}

func watch(k int64) *watched {
	ctx, cancel := context.WithCancel(context.Background())
	return &watched{Context: ctx, cancel: cancel, k: k}
}

func (w *watched) look() {
	if w.started.Load() && w.looks.Add(1) == w.k {
		w.cancel()
	}
}

func (w *watched) Err() error {
	w.look()
	return w.Context.Err()
}

func (w *watched) Done() <-chan struct{} {
	w.look()
	return w.Context.Done()
}
