package solvers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Batch is several runs that step together. Its Step and its Sample stand for all of them, since they
// differ only in their values.
type Batch interface {
	Run
	// Samples returns the sample of each run after the latest Step.
	Samples() []Sample
	// IncumbentOf is Incumbent for one run, numbered from 0.
	IncumbentOf(run, first int, x []float64) error
	// StateOf is State for one run. The state can be loaded into a run that is made alone, and the other way round.
	// When the states of all runs are loaded, Restored of each of them is called.
	StateOf(run int) *State
}

// MaxBatch is the largest number of runs in a batch: one for each super-tile.
const MaxBatch = problems.MaxSuperTiles

// BatchSize returns the largest number of runs of p with the precision and the budget of s that MinimizeRuns makes
// together. 1 means that it makes one run after the other, as it does if Budget.Time or Budget.Stall is set.
func BatchSize(p problems.Problem, s Settings, method Solver) int {
	size := Adapted(method, p, s.Precision).Traits().BatchSize
	if size != nil && s.Budget.Time == 0 && s.Budget.Stall == 0 {
		return size(p, s.Precision)
	}
	return 1
}

// MinimizeRuns makes independent runs. They must have the same seed, consecutive run numbers, and equal
// settings except for Recorder, Keeper, Resume and Started. It returns a result and an error for each run, the same
// as Minimize would.
//
// If the method allows it (see BatchSize), the runs share launches. Their Recorders and Keepers are then called from
// different goroutines, one after the other, and the time of each is that of all runs together. If a Keeper wants a
// checkpoint, all runs store theirs after the next step. Runs that were stored at different steps do not share
// launches, and with a limit of time no runs do, so that each has the devices to itself.
func MinimizeRuns(ctx context.Context, p problems.Problem, g *shard.Devices, runs []Settings, method Solver) ([]*Result,
	[]error) {
	if len(runs) == 0 {
		return nil, nil
	}
	for _, s := range runs {
		if err := checkArguments(ctx, p, g, s, method); err != nil {
			return make([]*Result, len(runs)), slices.Repeat([]error{err}, len(runs))
		}
	}
	done, err := g.Use()
	if err != nil {
		return make([]*Result, len(runs)), slices.Repeat([]error{err}, len(runs))
	}
	defer done()
	var results []*Result
	var errs []error
	for some := range slices.Chunk(runs, BatchSize(p, runs[0], method)) {
		r, e := minimizeBatch(ctx, p, g, some, method)
		results, errs = append(results, r...), append(errs, e...)
	}
	return results, errs
}

// minimizeBatch makes one batch of runs, possibly a single one.
func minimizeBatch(ctx context.Context, p problems.Problem, g *shard.Devices, runs []Settings,
	method Solver) ([]*Result, []error) {
	results, errs := make([]*Result, len(runs)), make([]error, len(runs))
	if len(runs) == 1 {
		results[0], errs[0] = minimize(ctx, p, g, runs[0], method)
		return results, errs
	}
	fail := func(err error) ([]*Result, []error) { return results, slices.Repeat([]error{err}, len(runs)) }
	for k, s := range runs {
		if s.Key != (rng.Key{Seed: runs[0].Key.Seed, Run: runs[0].Key.Run + uint32(k)}) {
			return fail(errors.New("solvers: runs of a batch must have one seed and consecutive numbers"))
		}
	}
	courses, clock := make([]*course, len(runs)), openClock(g)
	for k, s := range runs {
		courses[k] = newCourse(clock, s)
	}
	g.Stages().Next(stages.Choose)
	method, err := attempts(ctx, g, runs[0].Slow, func() (Solver, error) {
		return checkRun(ctx, p, g, runs[0], method)
	}, nil)
	if err != nil {
		return fail(err)
	}
	g.Stages().Next(stages.Points)
	x0, err := ordered(ctx, p, g, runs[0], method)
	if err != nil {
		return fail(err)
	}
	runs = slices.Clone(runs)
	for k := range runs {
		runs[k].X0 = x0
	}
	made, err := attempts(ctx, g, runs[0].Slow, func() (*batchEnd, error) {
		return proceedBatch(ctx, p, g, runs, method, courses)
	}, func(err error) bool {
		courses[0].close(g)
		next := slices.Clone(runs) // the attempt that has failed may still read the others
		for k, s := range runs {
			if s.Keeper == nil {
				return false
			}
			var goesOn bool
			next[k].Resume, goesOn = s.Keeper.Lost(err)
			if !goesOn {
				return false
			}
		}
		runs = next
		return true
	})
	parted, isParted := errors.AsType[*partedError](err)
	switch {
	case made != nil:
		results, errs = made.results, made.errs
	case isParted:
		courses[0].close(g)
		return minimizeParted(ctx, p, g, runs, method, parted.steps)
	case shard.Lost(err):
		for k := range results {
			results[k], errs[k] = courses[k].result(p, runs[k]), err
		}
	default:
		return fail(err)
	}
	courses[0].close(g)
	for k, r := range results {
		errs[k] = r.confirmed(ctx, p, g, runs[k], errs[k])
		r.sampled(ctx, p, g, runs[k], method)
	}
	return results, errs
}

// batchEnd is how the runs of a batch have ended.
type batchEnd struct {
	results []*Result
	errs    []error
}

// proceedBatch starts the runs of a batch and makes them to their ends. It fails if a device does.
func proceedBatch(ctx context.Context, p problems.Problem, g *shard.Devices, runs []Settings, method Solver,
	courses []*course) (*batchEnd, error) {
	g.Stages().Next(stages.Build)
	if err := trial.Sums(g); err != nil {
		return nil, err
	}
	all, err := method.Traits().StartBatch(ctx, p, g, Setup{Key: runs[0].Key, Precision: runs[0].Precision,
		X0: runs[0].X0}, len(runs))
	if err != nil {
		return nil, err
	}
	courses[0].started(all)
	together := &lockstep{run: all, room: Unlimited}
	for k, s := range runs {
		if s.Started != nil {
			info := all.Info()
			info.Clock = courses[k].clock
			s.Started(info)
		}
	}
	if runs, err = resumeBatch(ctx, all, runs); err != nil {
		return nil, err
	}
	end := &batchEnd{make([]*Result, len(runs)), make([]error, len(runs))}
	var turns []func() (struct{}, bool) // by run: it works until it waits for a step, or ends
	for k, s := range runs {
		if s.Keeper != nil {
			s.Keeper = sameStep{s.Keeper, together}
		}
		turn, _ := iter.Pull(func(yield func(struct{}) bool) {
			err := together.err
			if err == nil {
				one := &oneOfRuns{together, k, func() { yield(struct{}{}) }}
				end.results[k], err = proceed(ctx, p, s, method, one, courses[k])
			}
			end.errs[k] = err
			if shard.Lost(late(err)) {
				together.err = err // the other runs end, too
			}
		})
		turns = append(turns, turn)
	}
	for left := len(turns); left > 0; {
		left = 0
		for _, turn := range turns {
			if _, waits := turn(); waits {
				left++
			}
		}
		if left > 0 {
			together.step()
		}
	}
	for _, err := range end.errs {
		if err := late(err); shard.Lost(err) {
			return nil, err
		}
	}
	return end, nil
}

// resumeBatch loads the stored states of runs. The settings that it returns resume runs whose states are loaded.
func resumeBatch(ctx context.Context, all Batch, runs []Settings) ([]Settings, error) {
	runs = slices.Clone(runs)
	steps, restored := make([]int64, len(runs)), []func(context.Context) error{}
	for k, s := range runs {
		if s.Resume == nil {
			continue
		}
		st := all.StateOf(k)
		at, err := s.Resume(st)
		if err != nil {
			return nil, err
		}
		steps[k] = at.Last.Step
		if st.Restored != nil {
			restored = append(restored, st.Restored)
		}
		runs[k].Resume = func(*State) (Progress, error) { return at, nil }
	}
	if slices.Min(steps) < slices.Max(steps) {
		return nil, &partedError{steps}
	}
	for _, compare := range restored {
		if err := compare(ctx); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// partedError says that runs were stored at different steps, and cannot be made together.
type partedError struct{ steps []int64 } // of each run; 0: it is new

func (e *partedError) Error() string { return fmt.Sprintf("solvers: runs at the steps %d", e.steps) }

// minimizeParted makes runs that are at different steps, those of one step together.
func minimizeParted(ctx context.Context, p problems.Problem, g *shard.Devices, runs []Settings, method Solver,
	steps []int64) (results []*Result, errs []error) {
	for lo := 0; lo < len(runs); {
		hi := lo + 1
		for hi < len(runs) && steps[hi] == steps[lo] {
			hi++
		}
		r, e := minimizeBatch(ctx, p, g, runs[lo:hi], method)
		results = append(results, r...)
		errs = append(errs, e...)
		lo = hi
	}
	return results, errs
}

// sameStep is the Keeper of one of the runs of a lockstep.
type sameStep struct {
	Keeper
	*lockstep
}

// Due reports whether all runs store a checkpoint after this step.
func (k sameStep) Due(s Sample) bool {
	k.wanted = k.wanted || !k.keep && k.Keeper.Due(s)
	return k.keep
}

// lockstep makes all runs step at the same time. Between two steps they work one after the other, in their order, since
// all ranks must come to the exchanges of the runs in one order.
type lockstep struct {
	run    Batch
	ctx    context.Context
	room   Room // the smallest one among the runs that wait for the next step
	wanted bool // a run wants a checkpoint after the next step
	keep   bool // all runs store one after this step

	samples []Sample // of each run, after the latest step
	ok      bool
	err     error
}

// step makes a step of all runs, unless an error ends them.
func (l *lockstep) step() {
	if l.err == nil {
		_, l.ok, l.err = l.run.Step(l.ctx, l.room)
		l.samples, l.room = l.run.Samples(), Unlimited
		l.keep, l.wanted = l.wanted, false
	}
}

// oneOfRuns is run k of a lockstep.
type oneOfRuns struct {
	*lockstep
	k     int
	pause func() // lets the other runs work, and returns after the next step of all
}

// Step waits until every run that has not ended asks for the next step.
func (r *oneOfRuns) Step(ctx context.Context, room Room) (Sample, bool, error) {
	r.ctx, r.room = ctx, Room{min(r.room.Evaluations, room.Evaluations), min(r.room.Moves, room.Moves)}
	r.pause()
	return r.samples[r.k], r.ok, r.err
}

// Incumbent is called before any run makes another step.
func (r *oneOfRuns) Incumbent(first int, x []float64) error {
	return r.run.IncumbentOf(r.k, first, x)
}

// State returns the state of the run. When a run is resumed, the batch has called Restored.
func (r *oneOfRuns) State() *State {
	st := r.run.StateOf(r.k)
	st.Restored = nil
	return st
}

// Info describes all runs, which are at the same step.
func (r *oneOfRuns) Info() Info { return r.run.Info() }

// Close does nothing: the batch frees its memory.
func (r *oneOfRuns) Close() {}
