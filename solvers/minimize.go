package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/judge"
	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// ConfirmError means that the best point could not be evaluated again, because the device or the text
// failed. If the text does what it must not do at this point, such as to read a variable that is not declared, Err is
// the error of package trial. The Result that is returned with it is not confirmed.
type ConfirmError struct{ Err error }

func (e *ConfirmError) Error() string {
	return fmt.Sprintf("the best point could not be confirmed: %v", e.Err)
}

func (e *ConfirmError) Unwrap() error { return e.Err }

// Validate reports all errors of a budget, joined.
func (b Budget) Validate() error {
	var errs []error
	if b.Evaluations < 0 {
		errs = append(errs, fmt.Errorf("a limit of %d evaluations; give a positive number", b.Evaluations))
	}
	if b.Moves < 0 {
		errs = append(errs, fmt.Errorf("a limit of %d moves; give a positive number", b.Moves))
	}
	if b.Time < 0 {
		errs = append(errs, fmt.Errorf("a time limit of %v; give a positive duration", b.Time))
	}
	if b.Stall < 0 {
		errs = append(errs, fmt.Errorf("a stall limit of %v; give a positive duration", b.Stall))
	}
	if b.StallEvaluations < 0 {
		errs = append(errs, fmt.Errorf("a stall limit of %d evaluations; give a positive number", b.StallEvaluations))
	}
	if b.Target != nil && math.IsNaN(*b.Target) {
		errs = append(errs, errors.New("the target is NaN"))
	}
	if b.GTol < 0 || math.IsNaN(b.GTol) {
		errs = append(errs, fmt.Errorf("a limit of the slope of %v; give a positive number", b.GTol))
	}
	return errors.Join(errs...)
}

// ended reports whether a budget is used up after a sample, and by which limit. sinceBetter and idle are the time and
// the work since the best value fell last.
func (b Budget) ended(s Sample, sinceBetter time.Duration, idle float64) Status {
	switch {
	case b.Target != nil && s.Best <= *b.Target:
		return Target
	case b.GTol > 0 && s.Slope.Within(b.GTol, s.Best):
		return Flat
	case b.Evaluations > 0 && s.Evaluations >= b.Evaluations:
		return Evaluations
	case b.Moves > 0 && s.Moves >= b.Moves:
		return Moves
	case b.Time > 0 && s.Elapsed >= b.Time:
		return Time
	case b.Stall > 0 && sinceBetter >= b.Stall, b.StallEvaluations > 0 && idle >= float64(b.StallEvaluations):
		return Stall
	}
	return NotEnded
}

// full returns which limit ends a run of which no step fits into the room that is left.
func (b Budget) full(left Room) Status {
	if b.Moves > 0 && (b.Evaluations == 0 ||
		float64(left.Moves)/float64(b.Moves) < float64(left.Evaluations)/float64(b.Evaluations)) {
		return Moves
	}
	return Evaluations
}

// Resume restores the state of a run.
func Resume(ctx context.Context, st *State, load func(*State) (Progress, error)) (Progress, error) {
	at, err := load(st)
	if err == nil && st.Restored != nil {
		err = st.Restored(ctx)
	}
	return at, err
}

// Minimize runs a method on a problem until the budget is used up, the target is reached, or ctx is
// cancelled. Reaching a limit is a Status, not an error.
//
// If ctx is cancelled, Minimize returns the best point so far together with the error of ctx. If a device fails, the
// run goes on with the others (see Keeper.Lost). If it cannot go on, or a Recorder fails, Minimize returns the best
// point that can still be read, with Status Failed, together with the error. If the best point could not be confirmed,
// it returns a Result with Confirmed false, together with a *ConfirmError.
//
// If the devices are those of several ranks (ranks.Hosts), all ranks call Minimize with the same arguments. The
// Recorder, the clock and the context of rank 0 hold for all, and all ranks have a Keeper or none. Rank 0 returns the
// Result; the others may return one without the best point. A run goes on without a device that fails as long as each
// rank has another one.
//
// Two calls with equal arguments return equal results in every bit, on any number of devices of one kind,
// unless a limit of time ends them.
func Minimize(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) (*Result, error) {
	if err := checkArguments(ctx, p, g, s, method); err != nil {
		return nil, err
	}
	done, err := g.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	return minimize(ctx, p, g, s, method)
}

// checkRun refuses settings, a problem or devices with which the run cannot be made, and returns the method to run. It
// keeps nothing allocated. A new run is fitted to its budget; a resumed one keeps the method that it began with.
func checkRun(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) (Solver, error) {
	if err := Suits(method, p, s.Precision); err != nil {
		return nil, err
	}
	if s.Resume == nil {
		method = Fit(method, p, s.Budget, g.Infos())
	}
	if err := Check(p, s, method); err != nil {
		return nil, err
	}
	defer g.Stages().During(stages.Trial)()
	return Adapted(method, p, s.Precision), trial.Try(ctx, g, p, s.Precision)
}

// Try evaluates a point of a problem whose text nobody has checked, with every read watched. Minimize does this before
// a run begins, if it was not done before on these devices. A program that makes files for a run can do it earlier.
func Try(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision) error {
	if err := checkInputs(ctx, p, g, prec); err != nil {
		return err
	}
	done, err := g.Use()
	if err != nil {
		return err
	}
	defer done()
	_, err = attempts(ctx, g, nil, func() (struct{}, error) { return struct{}{}, trial.Try(ctx, g, p, prec) }, nil)
	return err
}

// confirm evaluates the best point again, independently of the run. It uses the host reference. Problems without one
// are evaluated by the text as the host reads it, in float64, or, where it does not or that takes long, as a stored
// point on the devices, in float64 if the devices support it. A function of the host is called again, and has to return
// the same bits.
func (r *Result) confirm(p problems.Problem, g *shard.Devices, s Settings) error {
	start := time.Now()
	defer func() { r.HostTime = time.Since(start) }()
	ran, prec := s.Precision, s.Precision
	r.Tolerance = p.Tolerance(prec)
	if h, ok := p.(problems.Referenced); ok && r.X == nil && r.XFile == "" {
		return nil // rank 0 confirms it
	} else if ok {
		r.Confirmer = "host"
		if err := r.keep(p, s); err != nil {
			return err
		}
		if err := r.settle(p, h); err != nil {
			return err
		}
		f, err := r.eval(h)
		if err != nil {
			return err
		}
		if f, err = r.inFull(h, f, s.X0); err != nil {
			return err
		}
		r.HostF, r.Again = f, f
		r.Rounding = judge.HostRounding(h, r.F, r.X, ran, time.Since(start))
	} else if problems.CallOf(p) != nil {
		if err := r.again(p, g, prec); err != nil {
			return err
		}
	} else {
		r.Confirmer = "device"
		prec = confirming(g, prec)
		x, err := r.point(p.Domain().N)
		if err != nil {
			return err
		}
		at, err := watched(g, p, ran, x)
		if err != nil {
			return err
		}
		r.Rounding = judge.Rounding(p, r.F, at, ran)
		if !r.byText(p, ran, x) {
			// The context of the run is not used, since a cancelled run is confirmed too. A text may be valid only in
			// the precision of the run.
			sums, err := shard.Accumulate(context.Background(), g, p, prec, [][]float64{x})
			if err != nil && prec != ran {
				sums, err = shard.Accumulate(context.Background(), g, p, ran, [][]float64{x})
			}
			if err != nil {
				return err
			}
			r.Sums, r.Again = sums, p.Objective(sums)
		}
		r.Lost = judge.Lost(p, r.Sums)
		if at := slope.OnHost(p, x, r.Sums, r.F); at.Known {
			r.Slope = r.seen.Then(at)
		}
		met := r.Status == Flat || r.Slope.Least && !slope.Falls(p, x, r.Sums, r.Again)
		r.Converged = r.Slope.Exact && slope.Smooth(p) && met
	}
	r.Confirmed = r.Confirmed || Agree(r.F, r.Again, r.Tolerance) ||
		!math.IsInf(r.Again, 0) && math.Abs(r.F-r.Again) <= r.Rounding
	return nil
}

// again calls a function of the host at the best point once more. A run that was cancelled is confirmed, too. A
// function that does not answer in time does not repeat its value.
func (r *Result) again(p problems.Problem, g *shard.Devices, prec problems.Precision) error {
	r.Confirmer = "function"
	x, err := r.point(p.Domain().N)
	if err != nil {
		return err
	}
	ctx, cancel := r.afterwards(p)
	defer cancel()
	sums, err := shard.Accumulate(ctx, g, p, prec, [][]float64{x})
	if errors.Is(err, context.DeadlineExceeded) {
		r.Again, r.HostF = math.NaN(), math.NaN()
		return nil
	} else if err != nil {
		return err
	}
	r.Sums, r.Again = sums, p.Objective(sums)
	r.HostF = r.Again
	return nil
}

// afterwards returns a context for values after the end of a run. It is not that of the run, which may be cancelled. A
// function of the host, which may hang, has as long as the run took, and ten seconds.
func (r *Result) afterwards(p problems.Problem) (context.Context, context.CancelFunc) {
	if problems.CallOf(p) == nil {
		return context.Background(), func() {}
	}
	return context.WithTimeout(context.Background(), r.Elapsed+10*time.Second)
}

// constrained is a problem with constraints, of which the value has a penalty where one is broken.
type constrained interface {
	// Settled returns a point of the same values of all variables but the slack variables, which have those without a
	// penalty, and says for each constraint that the point breaks what is wrong.
	Settled(x []float64) (settled []float64, broken []string)
}

// settle gives slack variables the values without a penalty, and says which constraints the best point breaks.
func (r *Result) settle(p problems.Problem, h problems.Referenced) error {
	c, ok := p.(constrained)
	if !ok || r.X == nil {
		return nil
	}
	x, broken := c.Settled(r.X)
	r.Broken = broken
	if !slices.Equal(x, r.X) {
		f, err := problems.Eval(h, x)
		if err != nil {
			return err
		}
		r.X, r.F = x, f
	}
	return nil
}

// inFull returns the value of the best point that is to be reported, where f is that of the host reference. If that of
// the run agrees with f, but there are other values that methods cannot tell from it, the result gets the value in
// full; and the point of the known optimum, if that is better. Where methods see rounded values, it gets the best of
// its point and the start points, and goes down from there in full.
func (r *Result) inFull(p problems.Referenced, f float64, starts [][]float64) (float64, error) {
	e, ok := p.(problems.Exact)
	if !ok || r.X == nil {
		return f, nil
	}
	full := problems.Reported(p, r.X, f)
	if !Agree(r.F, f, r.Tolerance) && !Agree(r.F, full, r.Tolerance) {
		return full, nil
	}
	if e.Rounding() != 0 {
		for _, x := range starts {
			if excess, _ := problems.Excess(p, r.X, x); excess > 0 {
				r.X = x
			}
		}
		r.X = e.Descend(r.X)
		full = problems.Reported(p, r.X, f)
	}
	if x, known := p.Info().Optimum(); known {
		seen, err := problems.Eval(p, x)
		if err != nil {
			return 0, err
		}
		if excess, _ := problems.Excess(p, r.X, x); excess > 0 && f <= seen {
			r.X, full = x, problems.Reported(p, x, seen)
		}
	}
	if e.Rounding() != 0 {
		r.F = full
	}
	return full, nil
}

// confirming returns the precision in which devices confirm a result of a run of a precision.
func confirming(g *shard.Devices, prec problems.Precision) problems.Precision {
	for _, i := range g.Infos() {
		if i.FP64 && prec == problems.FP32 {
			prec = problems.FP64
		} else if !i.FP64 {
			return problems.FP32
		}
	}
	return prec
}

// watched evaluates a point with every read watched, on rank 0, and returns what is wrong on all ranks. A text may be
// wrong in a branch that is taken nowhere but at points to which this draws the search. Without checks it does nothing.
// It also returns what the components add there, as far as rank 0 knows it.
func watched(g *shard.Devices, p problems.Problem, prec problems.Precision, x []float64) (at trial.Terms, err error) {
	if !g.Checked() {
		return at, nil
	}
	if g.Rank() == 0 {
		at, err = trial.At(context.Background(), g, p, prec, x)
		if shard.Lost(err) {
			return at, err
		}
	}
	if h := g.Hosts(); h != nil { // rank 0 may need long
		if e := h.Barrier(); e != nil {
			return at, &ranks.Error{Err: e}
		}
	}
	wrong := uint8(problems.Flag(err != nil))
	if e := shard.Decide(g, &wrong); e != nil {
		return at, e
	}
	if wrong == 1 && err == nil {
		err = errors.New("rank 0 has found an error of the text at the best point")
	}
	return at, err
}

// elapsing returns a function that returns the time since the call of elapsing.
func elapsing() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

// Agree reports whether two values of one point differ by at most tol, relative to the larger of 1 and
// their magnitude. Values near an optimum of 0 are therefore compared by their absolute difference. None
// agrees with one that is not finite.
func Agree(f, again, tol float64) bool {
	return !math.IsInf(again, 0) && math.Abs(f-again) <= tol*max(1, math.Abs(again))
}
