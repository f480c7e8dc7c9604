package solvers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// kept is a checkpoint in memory.
type kept struct {
	host   []byte
	shards [][]byte
	loop   Loop
}

type memory struct {
	bytes.Buffer
	done func([]byte)
}

func (m *memory) Close() error {
	m.done(m.Bytes())
	return nil
}

func keep(t *testing.T, st *State, at Loop) *kept {
	t.Helper()
	k := &kept{shards: make([][]byte, len(st.Shards)), loop: at}
	var host bytes.Buffer
	w := checkpoint.NewWriter(&host)
	if err := errors.Join(st.SaveHost(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	k.host = host.Bytes()
	var mu sync.Mutex
	if err := st.SaveShards(func(s int) (io.WriteCloser, error) {
		return &memory{done: func(b []byte) {
			mu.Lock()
			defer mu.Unlock()
			k.shards[s] = b
		}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return k
}

// load is what Settings.Resume is given.
func (k *kept) load(st *State) (Loop, error) {
	host, err := checkpoint.Open(bytes.NewReader(k.host), int64(len(k.host)))
	if err == nil {
		err = st.LoadHost(host)
	}
	var files []*checkpoint.File
	for _, b := range k.shards {
		f, bad := checkpoint.Open(bytes.NewReader(b), int64(len(b)))
		files, err = append(files, f), errors.Join(err, bad)
	}
	if err == nil && len(st.Vectors) > 0 {
		err = st.LoadShards(files)
	}
	return k.loop, err
}

// cutter keeps a checkpoint after some steps, and at the end.
type cutter struct {
	t     *testing.T
	after []int64
	kept  map[int64]*kept
	ended Status
}

func (c *cutter) Due(s Sample) bool { return slices.Contains(c.after, s.Step) }
func (c *cutter) Keep(st *State, at Loop, ended Status) {
	c.kept[at.Last.Step] = keep(c.t, st, at)
	c.ended = ended
}

// recorder keeps the samples without their times.
type recorder struct {
	all []Sample
	do  func(Sample)
}

func (r *recorder) Record(s Sample) error {
	s.Elapsed = 0
	r.all = append(r.all, s)
	if r.do != nil {
		r.do(s)
	}
	return nil
}

// cutCase is a run and the steps after which it is cut.
type cutCase struct {
	method Solver
	spec   string
	prec   problems.Precision
	evals  int64
	after  []int64
}

// cases for cutting: each reaches all phases, with the cuts in them.
var cutCases = []cutCase{
	// 5 generations and 5 local search steps a cycle; a cut after the first, in, between and after the phases.
	{&MASW{Population: 8, Iterations: 5, Portions: 3}, "cec2013/f12:n=7000,mode=paper", problems.FP64, 8 * 26, []int64{1, 3, 6, 7, 9, 11, 14, 18}},
	{&MASW{Population: 6, Iterations: 4, Portion: 2000}, "cec2013/f4:n=5000", problems.FP32, 6 * 15, []int64{2, 5, 8, 13}},
	{&Random{Batch: 40}, "cec2013/f2:n=3000", problems.FP64, 390, []int64{1, 4, 9}},
}

// A run that is cut after any step and continued equals the uninterrupted one
// in every bit, on another number of devices too.
func TestResume(t *testing.T) {
	for _, c := range cutCases {
		c.resume(t)
	}
}

// remainder says that the last step of a budget may be one that a larger budget would not have.
func (c cutCase) remainder() bool {
	_, ok := c.method.(*MASW)
	return !ok
}

// resume cuts and continues the run; it returns the result of the uninterrupted one.
func (c cutCase) resume(t *testing.T) *Result {
	t.Helper()
	p := parse(t, c.spec)
	group := map[int]*shard.Group{1: open(t, 1, shard.Options{}), 2: open(t, 2, shard.Options{}), 3: open(t, 3, shard.Options{})}
	base := Settings{Key: draw.Key{Seed: 5, Run: 2}, Precision: c.prec, Budget: Budget{Evaluations: c.evals}}
	do := func(on int, s Settings) (*Result, []Sample) {
		t.Helper()
		var rec recorder
		s.Recorder = &rec
		res, err := Minimize(context.Background(), p, group[on], s, c.method)
		if err != nil {
			t.Fatalf("%s on %d devices: %v", c.spec, on, err)
		}
		return res, rec.all
	}
	cuts := &cutter{t: t, after: c.after, kept: map[int64]*kept{}}
	whole := base
	whole.Keeper = cuts
	want, samples := do(1, whole)
	if cuts.ended != Evaluations || len(cuts.kept) != len(c.after)+1 {
		t.Fatalf("%s: %d checkpoints, the last at %v", c.spec, len(cuts.kept), cuts.ended)
	}
	for i, step := range c.after {
		on := []int{3, 1, 2}[i%3]
		resumed := base
		resumed.Resume = cuts.kept[step].load
		again := &cutter{t: t, after: []int64{step + 1}, kept: map[int64]*kept{}}
		resumed.Keeper = again
		got, tail := do(on, resumed)
		if !slices.Equal(tail, samples[step:]) {
			t.Fatalf("%s cut after step %d, resumed on %d: %+v…, want %+v…", c.spec, step, on, tail[0], samples[step])
		}
		if got.F != want.F || !slices.Equal(got.X, want.X) || math.Float64bits(got.HostF) != math.Float64bits(want.HostF) || got.Steps != want.Steps || got.NonFinite != want.NonFinite {
			t.Errorf("%s cut after step %d, resumed on %d: another result", c.spec, step, on)
		}
		// Cut once more, by the resumed run on its number of devices.
		second := base
		second.Resume = again.kept[step+1].load
		if got, tail := do(1, second); !slices.Equal(tail, samples[step+1:]) || !slices.Equal(got.X, want.X) {
			t.Errorf("%s cut after steps %d and %d: another result", c.spec, step, step+1)
		}
	}
	// The end is a checkpoint as well, from which a larger budget goes on.
	more := base
	more.Budget.Evaluations = c.evals + 40
	_, longer := do(1, more)
	more.Resume = cuts.kept[samples[len(samples)-1].Step].load
	if _, tail := do(2, more); !c.remainder() && !slices.Equal(tail, longer[len(samples):]) {
		t.Errorf("%s: a raised budget gives another trace", c.spec)
	}
	more.Budget = base.Budget
	if res, tail := do(2, more); len(tail) > 0 || res.Status != Evaluations || !slices.Equal(res.X, want.X) {
		t.Errorf("%s: nothing left to do, and it made %d steps", c.spec, len(tail))
	}
	return want
}

// A cancelled run keeps its last complete step.
func TestResumeCancelled(t *testing.T) {
	for _, c := range []cutCase{cutCases[0], cutBlocks["chains, some states"], cutBlocks["two colours"], cutBlocks["synchronous"]} {
		c.cancel(t)
	}
}

func (c cutCase) cancel(t *testing.T) {
	t.Helper()
	p, g := parse(t, c.spec), open(t, 2, shard.Options{})
	s := Settings{Key: draw.Key{Seed: 5, Run: 2}, Precision: c.prec, Budget: Budget{Evaluations: c.evals}}
	var rec recorder
	s.Recorder = &rec
	want, err := Minimize(context.Background(), p, g, s, c.method)
	if err != nil {
		t.Fatal(err)
	}
	var keeper *cutter
	at := 0
	for rounds := 0; ; rounds++ {
		ctx, cancel := context.WithCancel(context.Background())
		part := recorder{do: func(s Sample) {
			if s.Step%5 == 3 {
				cancel()
			}
		}}
		keeper = &cutter{t: t, kept: map[int64]*kept{}}
		s.Recorder, s.Keeper = &part, keeper
		got, err := Minimize(ctx, p, g, s, c.method)
		cancel()
		if got == nil || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !slices.Equal(part.all, rec.all[at:at+len(part.all)]) {
			t.Fatalf("round %d: other samples from step %d on", rounds, at+1)
		}
		at += len(part.all)
		if got.Status != Cancelled {
			if at != len(rec.all) || !slices.Equal(got.X, want.X) || rounds < 1 {
				t.Errorf("after %d rounds: %d steps of %d, or another point", rounds, at, len(rec.all))
			}
			return
		}
		s.Resume = keeper.kept[int64(at)].load
	}
}

// A state that fits neither the method nor the devices is refused.
func TestResumeRefused(t *testing.T) {
	c := cutCases[0]
	p, g := parse(t, c.spec), open(t, 1, shard.Options{})
	s := Settings{Key: draw.Key{Seed: 5}, Precision: c.prec, Budget: Budget{Evaluations: c.evals}}
	cuts := &cutter{t: t, after: []int64{3, 9}, kept: map[int64]*kept{}}
	s.Keeper = cuts
	if _, err := Minimize(context.Background(), p, open(t, 3, shard.Options{}), s, c.method); err != nil {
		t.Fatal(err)
	}
	s.Keeper = nil
	good := cuts.kept[9]
	for want, change := range map[string]func(k *kept) Solver{
		"the vectors are": func(k *kept) Solver { return &MASW{Population: 9, Iterations: 5} },
		"has the fields":  func(k *kept) Solver { return &Random{} },
		"variables 0 to":  func(k *kept) Solver { k.shards = k.shards[1:]; return c.method },
		"the files hold":  func(k *kept) Solver { k.shards = k.shards[:2]; return c.method },
		"in no file, or in two": func(k *kept) Solver {
			k.shards = []([]byte){k.shards[0], k.shards[0], k.shards[2]}
			return c.method
		},
		// The population of another step: every byte is in order, and the values are not those of the points.
		"a stored point has": func(k *kept) Solver { k.shards = cuts.kept[3].shards; return c.method },
		"is damaged": func(k *kept) Solver {
			k.shards[1] = slices.Clone(k.shards[1])
			k.shards[1][len(k.shards[1])/2]++
			return c.method
		},
	} {
		k := &kept{host: good.host, shards: slices.Clone(good.shards), loop: good.loop}
		m := change(k)
		s.Resume = k.load
		if _, err := Minimize(context.Background(), p, g, s, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// plain is a method whose runs cannot be stored.
type plain struct{ Solver }

func (p plain) Start(ctx context.Context, problem problems.Problem, g *shard.Group, s Setup) (Run, error) {
	run, err := p.Solver.Start(ctx, problem, g, s)
	return struct{ Run }{run}, err // without State
}

// A method whose runs cannot be stored runs as ever, says so, and is not resumed.
func TestNotResumable(t *testing.T) {
	p, g := parse(t, "cec2013/f2"), open(t, 1, shard.Options{})
	told := false
	s := Settings{Budget: Budget{Evaluations: 30}, Keeper: &cutter{t: t, after: []int64{1, 2, 3}, kept: map[int64]*kept{}}}
	for _, method := range []Solver{&Random{Batch: 10}, plain{&Random{Batch: 10}}} {
		s.Started = func(i Info) { told = i.Resumable }
		if _, err := Minimize(context.Background(), p, g, s, method); err != nil {
			t.Fatal(err)
		}
		if _, hides := method.(plain); told == hides {
			t.Errorf("%T: resumable is %v", method, told)
		}
	}
	if n := len(s.Keeper.(*cutter).kept); n != 3 {
		t.Errorf("%d checkpoints; those of the first run are wanted", n)
	}
	s.Resume = func(*State) (Loop, error) { t.Error("loaded"); return Loop{}, nil }
	if _, err := Minimize(context.Background(), p, g, s, plain{&Random{}}); err == nil || !strings.Contains(err.Error(), "cannot be resumed") {
		t.Errorf("%v", err)
	}
}

// The budget counts from the first start.
func TestResumeBudget(t *testing.T) {
	b := Budget{Evaluations: 100, Time: 60e9, Stall: 10e9, Target: new(float64)}
	for want, s := range map[Status]struct {
		evals          int64
		elapsed, since float64
		best           float64
	}{
		NotEnded: {99, 59, 9, 1}, Evaluations: {100, 59, 9, 1}, Time: {99, 60, 9, 1}, Stall: {99, 59, 10, 1}, Target: {99, 59, 9, 0},
	} {
		sample := Sample{Best: s.best, Elapsed: time.Duration(s.elapsed * 1e9)}
		if got := b.ended(sample, s.evals, time.Duration(s.since*1e9)); got != want {
			t.Errorf("%+v: %v, want %v", s, got, want)
		}
	}
	if got := (Budget{}).ended(Sample{Elapsed: math.MaxInt64, Best: math.Inf(-1)}, math.MaxInt64, math.MaxInt64); got != NotEnded {
		t.Errorf("no limit: %v", got)
	}
}
