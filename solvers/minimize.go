package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// NonFiniteError says that the objective gave no finite value in the first
// batches of a run.
type NonFiniteError struct{ Evaluations int64 }

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the objective gave no finite value in %d evaluations; check its domain and the bounds",
		e.Evaluations)
}

// ConfirmError says that the best point could not be evaluated once more, for
// a failure of the device or of the text. The Result beside it is not confirmed.
type ConfirmError struct{ Err error }

func (e *ConfirmError) Error() string {
	return fmt.Sprintf("the best point could not be confirmed: %v", e.Err)
}

func (e *ConfirmError) Unwrap() error { return e.Err }

// batchesBeforeNonFinite is how many steps may pass without a finite value.
const batchesBeforeNonFinite = 3

// Validate reports all that is wrong with a budget at once.
func (b Budget) Validate() error {
	var errs []error
	if b.Evaluations < 0 {
		errs = append(errs, fmt.Errorf("a limit of %d evaluations; give a positive number", b.Evaluations))
	}
	if b.Time < 0 {
		errs = append(errs, fmt.Errorf("a time limit of %v; give a positive duration", b.Time))
	}
	if b.Stall < 0 {
		errs = append(errs, fmt.Errorf("a stall limit of %v; give a positive duration", b.Stall))
	}
	if b.Target != nil && math.IsNaN(*b.Target) {
		errs = append(errs, errors.New("the target is NaN"))
	}
	return errors.Join(errs...)
}

// ended says whether a budget is used up after a sample, and by what; spent is
// what counts against Budget.Evaluations.
func (b Budget) ended(s Sample, spent int64, sinceBetter time.Duration) Status {
	switch {
	case b.Target != nil && s.Best <= *b.Target:
		return Target
	case b.Evaluations > 0 && spent >= b.Evaluations:
		return Evaluations
	case b.Time > 0 && s.Elapsed >= b.Time:
		return Time
	case b.Stall > 0 && sinceBetter >= b.Stall:
		return Stall
	}
	return NotEnded
}

// Resume gives a run its state back.
func Resume(ctx context.Context, st *State, load func(*State) (Progress, error)) (Progress, error) {
	at, err := load(st)
	if err == nil && st.Restored != nil {
		err = st.Restored(ctx)
	}
	return at, err
}

// Minimize runs a method on a problem until the budget is used up, the target
// is met, or ctx is cancelled. Cancelling returns the best point so far and
// ctx's error, both. So does a step or a Recorder that fails after the first step, if the
// point can still be read: the Status is Failed. So does a best point that could not be confirmed, with
// Confirmed false and a *ConfirmError. Reaching a limit is a Status, not an
// error. Two calls with equal arguments give equal results in every bit, on any
// number of devices of one kind, unless a limit on time ends them.
func Minimize(ctx context.Context, p problems.Problem, g *shard.Group, s Settings, method Solver) (*Result, error) {
	if err := method.Validate(); err != nil {
		return nil, err
	}
	return minimize(ctx, p, g, s, method)
}

// minimize is Minimize with settings of the method that are right.
func minimize(ctx context.Context, p problems.Problem, g *shard.Group, s Settings, method Solver) (*Result, error) {
	if err := accepts(ctx, p, g, s, method); err != nil {
		return nil, err
	}
	run, err := method.Start(ctx, p, g, Setup{Key: s.Key, Precision: s.Precision, X0: s.X0})
	if err != nil {
		return nil, err
	}
	if s.Started != nil {
		info := run.Info()
		_, info.Resumable = run.(Resumable)
		s.Started(info)
	}
	res, err := proceed(ctx, p, s, method, run)
	run.Close() // its memory may be needed to confirm
	if res == nil {
		return nil, err
	}
	if e := res.confirm(p, g, s.Precision); e != nil {
		err = errors.Join(err, &ConfirmError{e})
	}
	return res, err
}

// accepts says, before anything is allocated, what is wrong with settings.
func accepts(ctx context.Context, p problems.Problem, g *shard.Group, s Settings, method Solver) error {
	if err := s.Budget.Validate(); err != nil {
		return fmt.Errorf("solvers: %w", err)
	}
	if err := Suits(method, p, s.Precision); err != nil {
		return err
	}
	if err := Check(p, s, method); err != nil {
		return err
	}
	return g.Try(ctx, p, s.Precision)
}

// proceed has a run make steps until it ends, and reads its best point. Without
// any point there is no result.
func proceed(ctx context.Context, p problems.Problem, s Settings, method Solver, run Run) (_ *Result, err error) {
	state, resumable := run.(Resumable)
	start := time.Now()
	res := &Result{F: math.Inf(1), HostF: math.NaN(), Again: math.NaN()}
	var last Sample
	last.Best = math.Inf(1)
	improved := start
	if s.Resume != nil {
		if !resumable {
			return nil, Settingf("%s cannot be resumed", method.Name())
		}
		at, err := Resume(ctx, state.State(), s.Resume)
		if err != nil {
			return nil, err
		}
		start = time.Now().Add(-at.Last.Elapsed)
		last, improved = at.Last, start.Add(at.Last.Elapsed-at.SinceBetter)
		res.Status = s.Budget.ended(last, spent(run, last), at.SinceBetter)
	}
	progress := func() Progress { return Progress{last, start.Add(last.Elapsed).Sub(improved)} }
	for res.Status == NotEnded && err == nil {
		limit := int64(math.MaxInt64)
		if s.Budget.Evaluations > 0 {
			limit = s.Budget.Evaluations - spent(run, last)
		}
		sample, ok, stepErr := run.Step(ctx, limit)
		switch {
		case stepErr != nil && ctx.Err() != nil && errors.Is(stepErr, ctx.Err()):
			res.Status, err = Cancelled, ctx.Err()
			continue
		case stepErr != nil:
			res.Status, err = Failed, stepErr
			continue
		case !ok:
			if res.Status = Evaluations; ended(run) {
				res.Status = Finished
			}
			continue
		}
		now := time.Now()
		sample.Elapsed = now.Sub(start)
		if sample.Best < last.Best {
			improved = now
		}
		last = sample
		if s.Recorder != nil {
			if err = s.Recorder.Record(sample); err != nil {
				res.Status = Failed
				continue
			}
		}
		if math.IsInf(sample.Best, 1) && sample.Step >= batchesBeforeNonFinite {
			return nil, &NonFiniteError{sample.Evaluations}
		}
		res.Status = s.Budget.ended(sample, spent(run, sample), now.Sub(improved))
		if res.Status == NotEnded && ctx.Err() != nil {
			res.Status, err = Cancelled, ctx.Err()
		}
		if res.Status == NotEnded && resumable && s.Keeper != nil && s.Keeper.Due(sample) {
			s.Keeper.Keep(state.State(), progress(), NotEnded)
		}
	}
	res.Elapsed = time.Since(start)
	res.F, res.Evaluations, res.Work, res.Steps, res.NonFinite = last.Best, last.Evaluations, last.Work, last.Step,
		last.NonFinite
	if last.Step == 0 {
		if err == nil {
			return nil, Settingf("the limit of %d evaluations is below one step of %s (%s)", s.Budget.Evaluations,
				method.Name(), method)
		}
		return nil, err // ended before there was any point
	}
	if math.IsInf(last.Best, 1) {
		if res.Status == Failed {
			return nil, err
		}
		return nil, &NonFiniteError{last.Evaluations}
	}
	if resumable && s.Keeper != nil && res.Status != Failed { // a step may have failed half-way
		s.Keeper.Keep(state.State(), progress(), res.Status)
	}
	res.X = make([]float64, p.Domain().N)
	if e := run.Incumbent(res.X); e != nil {
		if res.Status == Failed {
			return nil, err // the device is gone, and err says how
		}
		return nil, e
	}
	return res, err
}

// workLimited is a Run whose limit of evaluations applies to the work: its
// values come from partial evaluations.
type workLimited interface{ LimitsWork() }

// spent is what a run has used of a limit of evaluations.
func spent(run Run, s Sample) int64 {
	if _, ok := run.(workLimited); ok {
		return int64(math.Ceil(s.Work))
	}
	return s.Evaluations
}

// ended says whether a run came to its own end.
func ended(run Run) bool {
	e, ok := run.(Ending)
	return ok && e.Ended()
}

// confirm evaluates the best point once more, independently of the run: by the
// host reference, or, where a problem has none, as a stored point on the
// devices in float64 if they have it.
func (r *Result) confirm(p problems.Problem, g *shard.Group, prec problems.Precision) error {
	start := time.Now()
	defer func() { r.HostTime = time.Since(start) }()
	ran := prec
	r.Tolerance = p.Tolerance(prec)
	if h, ok := p.(problems.Referenced); ok {
		r.Confirmer = "host"
		f, err := problems.Eval(h, r.X)
		if err != nil {
			return err
		}
		r.HostF, r.Again = f, f
	} else {
		r.Confirmer = "device"
		for _, i := range g.Infos() {
			if i.FP64 && prec == problems.FP32 {
				prec = problems.FP64
			} else if !i.FP64 {
				prec = problems.FP32
				break
			}
		}
		// Not the run's context: a cancelled run is confirmed as well. A text
		// may be good in the run's precision alone.
		f, err := shard.Evaluate(context.Background(), g, p, prec, [][]float64{r.X})
		if err != nil && prec != ran {
			f, err = shard.Evaluate(context.Background(), g, p, ran, [][]float64{r.X})
		}
		if err != nil {
			return err
		}
		r.Again = f[0]
	}
	r.Confirmed = Agree(r.F, r.Again, r.Tolerance)
	return nil
}

// Agree compares two values of one point: within tol relative to the larger
// of 1 and their size, so that values next to an optimum of 0 are compared by
// their distance.
func Agree(f, again, tol float64) bool {
	return math.Abs(f-again) <= tol*max(1, math.Abs(again))
}
