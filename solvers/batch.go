package solvers

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/internal/host"
)

// Batcher is a Solver that can make independent runs in the launches of one. That
// pays for small problems, of which one run leaves most of a device idle.
type Batcher interface {
	Solver
	// StartBatch starts as many runs, of s.Key and of the next runs of the same
	// seed. Each has the bits that Start gives with its key.
	StartBatch(ctx context.Context, p problems.Problem, g *shard.Group, s Setup, runs int) (Batch, error)
	// BatchSize is the most runs of p that it makes at a time; 1: it makes one after the other.
	BatchSize(p problems.Problem, prec problems.Precision) int
}

// Batch is several runs in one: its Step and its Sample are those of all of
// them, which are alike but for values.
type Batch interface {
	Run
	// Values are, for each run, the best value of this step and the number of
	// values so far that were not finite. The next Step overwrites them.
	Values() (f []float64, nonFinite []int64)
	// IncumbentOf is Incumbent of one run, numbered from 0.
	IncumbentOf(run int, x []float64) error
}

// MaxBatch is the most runs that a batch may have: one for each super-tile.
const MaxBatch = problems.MaxSuperTiles

// BatchSize is the most runs of p that MinimizeRuns makes at a time; 1: it makes one
// after the other.
func BatchSize(p problems.Problem, prec problems.Precision, method Solver) int {
	if t, ok := method.(Batcher); ok {
		return t.BatchSize(p, prec)
	}
	return 1
}

// MinimizeRuns makes independent runs, which have one seed, consecutive
// numbers, and otherwise the same settings but for Recorder and Started: the
// result and the error of each are what Minimize gives for it. Where the method can
// (BatchSize), the runs share launches, and their Recorders are called from
// goroutines of their own. It then keeps no checkpoints, and budgets of time count
// the time of all.
func MinimizeRuns(ctx context.Context, p problems.Problem, g *shard.Group, runs []Settings, method Solver) ([]*Result,
	[]error) {
	if len(runs) == 0 {
		return nil, nil
	}
	if err := method.Validate(); err != nil {
		return make([]*Result, len(runs)), slices.Repeat([]error{err}, len(runs))
	}
	var results []*Result
	var errs []error
	for some := range slices.Chunk(runs, BatchSize(p, runs[0].Precision, method)) {
		r, e := minimizeBatch(ctx, p, g, some, method)
		results, errs = append(results, r...), append(errs, e...)
	}
	return results, errs
}

// minimizeBatch makes one batch of runs, which may be a single one.
func minimizeBatch(ctx context.Context, p problems.Problem, g *shard.Group, runs []Settings,
	method Solver) ([]*Result, []error) {
	results, errs := make([]*Result, len(runs)), make([]error, len(runs))
	if len(runs) == 1 {
		results[0], errs[0] = minimize(ctx, p, g, runs[0], method)
		return results, errs
	}
	fail := func(err error) ([]*Result, []error) {
		for k := range errs {
			errs[k] = err
		}
		return results, errs
	}
	for k, s := range runs {
		if s.Resume != nil || s.Key != (rng.Key{Seed: runs[0].Key.Seed, Run: runs[0].Key.Run + uint32(k)}) {
			return fail(errors.New("solvers: runs that are made together begin, with one seed and consecutive numbers"))
		}
	}
	if err := accepts(ctx, p, g, runs[0], method); err != nil {
		return fail(err)
	}
	all, err := method.(Batcher).StartBatch(ctx, p, g, Setup{Key: runs[0].Key, Precision: runs[0].Precision,
		X0: runs[0].X0}, len(runs))
	if err != nil {
		return fail(err)
	}
	step := &lockstep{run: all, active: len(runs), limit: math.MaxInt64,
		best: slices.Repeat([]float64{math.Inf(1)}, len(runs))}
	step.arrived.L = &step.mu
	for _, s := range runs {
		if s.Started != nil {
			s.Started(all.Info())
		}
	}
	var wg sync.WaitGroup
	for k, s := range runs {
		wg.Go(func() {
			one := &oneOfRuns{lockstep: step, k: k}
			defer one.Close()
			results[k], errs[k] = proceed(ctx, p, s, method, one)
		})
	}
	wg.Wait()
	for k, r := range results {
		if r == nil {
			continue
		}
		if e := r.confirm(p, g, runs[k].Precision); e != nil {
			errs[k] = errors.Join(errs[k], &ConfirmError{e})
		}
	}
	return results, errs
}

// lockstep has all runs make their steps at the same time.
type lockstep struct {
	mu      sync.Mutex
	arrived sync.Cond
	run     Batch
	active  int   // runs that have not ended
	waiting int   // of them, for the next step
	limit   int64 // the smallest that they have
	turn    int   // steps made
	ctx     context.Context

	sample    Sample
	ok        bool
	err       error
	f, best   []float64
	nonFinite []int64
}

// oneOfRuns is run k of those in lockstep.
type oneOfRuns struct {
	*lockstep
	k      int
	closed bool
}

// Step waits until every run that has not ended asks for the next step.
func (r *oneOfRuns) Step(ctx context.Context, limit int64) (Sample, bool, error) {
	l := r.lockstep
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx, l.limit = ctx, min(l.limit, limit)
	l.waiting++
	for turn := l.turn; l.turn == turn; {
		if l.waiting == l.active {
			l.step()
		} else {
			l.arrived.Wait()
		}
	}
	s := l.sample
	if l.err == nil && l.ok {
		s.F, s.NonFinite = math.Inf(1), l.nonFinite[r.k]
		if f := l.f[r.k]; host.Finite(f) {
			s.F = f
		}
		l.best[r.k] = min(l.best[r.k], s.F)
	}
	s.Best = l.best[r.k]
	return s, l.ok, l.err
}

// step makes a step of all runs; the lock is held.
func (l *lockstep) step() {
	l.sample, l.ok, l.err = l.run.Step(l.ctx, l.limit)
	if l.err == nil && l.ok {
		l.f, l.nonFinite = l.run.Values()
	}
	l.waiting, l.limit = 0, math.MaxInt64
	l.turn++
	l.arrived.Broadcast()
}

// Incumbent is read before any run makes a further step.
func (r *oneOfRuns) Incumbent(x []float64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.IncumbentOf(r.k, x)
}

func (r *oneOfRuns) Info() Info { return r.run.Info() }

// Ended says whether the runs, which are at the same step, have come to the end
// of a schedule.
func (r *oneOfRuns) Ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.run.(Ending)
	return ok && e.Ended()
}

// Close leaves the others; the last one frees the memory.
func (r *oneOfRuns) Close() {
	l := r.lockstep
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.closed {
		return
	}
	r.closed = true
	switch l.active--; {
	case l.active == 0:
		l.run.Close()
	case l.waiting == l.active:
		l.step()
	}
}
