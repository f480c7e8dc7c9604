package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// loop is the loop around the steps of a run.
//
// If other ranks make the run, too, rank 0 decides after every step whether it ends and whether it is stored. A step
// is then not cancelled, since the other ranks would wait for it.
type loop struct {
	p      problems.Problem
	g      *shard.Devices
	s      Settings
	method Solver
	run    Run
	course *course
	last   Sample        // after the latest step
	held   Sample        // of the best point of the run: last, or that of a step that was cancelled
	torn   bool          // the state is of no use: the last step was abandoned
	better time.Duration // last.Elapsed when the best value fell last
	gained float64       // last.Work then
	least  float64       // the smallest value, NaN unless it is proven
	finite int64         // the most parts that had a finite value, while the whole has none
	grew   int64         // last.Evaluations when finite grew last
}

// proceed makes steps of a run until it ends, and reads its best point. If there is no point, or a device has failed,
// it returns no result.
func proceed(ctx context.Context, p problems.Problem, s Settings, method Solver, run Run, c *course) (*Result, error) {
	l := &loop{p: p, g: c.clock.devices, s: s, method: method, run: run, course: c}
	l.last.Best = math.Inf(1)
	l.least = leastSeen(p)
	if e, ok := p.(problems.Exact); ok && s.Budget.Target != nil { // methods see rounded values
		l.s.Budget.Target = new(*s.Budget.Target - e.Rounding())
	}
	status := NotEnded
	if s.Resume != nil {
		at, err := Resume(ctx, run.State(), s.Resume)
		if err != nil {
			return nil, err
		}
		l.last = at.Last
		l.held = at.Held
		l.better = at.Last.Elapsed - at.SinceBetter
		l.gained = at.Last.Work - at.Idle
		status = l.ended(at.Held.Elapsed)
	}
	if l.last.Step == 0 && ctx.Err() != nil {
		return nil, ctx.Err() // before the run began
	}
	l.g.Stages().Next(stages.First)
	c.begin(p.Domain().N, max(l.last.Elapsed, l.held.Elapsed))
	stepping := ctx
	if l.g.Shared() {
		stepping = context.WithoutCancel(ctx)
	} else if s.Budget.Time > 0 {
		var stop func()
		stepping, stop = c.clock.within(ctx, s.Budget.Time)
		defer stop()
	}
	var err error
	for status == NotEnded && err == nil {
		status, err = l.step(ctx, stepping)
	}
	if status == NotEnded {
		return nil, err
	}
	return l.end(status, err)
}

// leastSeen returns the smallest value of the objective as methods see it, which is that of the proven optimum, or NaN.
// Where others may be the same float64, the result is compared with the point of the optimum in full.
func leastSeen(p problems.Problem) float64 {
	info := p.Info()
	h, ok := p.(problems.Referenced)
	if !info.Proven {
		return math.NaN()
	} else if x, known := info.Optimum(); ok && known {
		if _, ok := p.(problems.Exact); ok {
			if f, err := problems.Eval(h, x); err == nil {
				return f
			}
		}
	}
	if math.Abs(*info.Best) >= 1<<53 {
		return math.NaN()
	}
	return *info.Best
}

// step makes a step under the context stepping, and returns how the run has ended with it. After an error together with
// NotEnded the run has no result.
func (l *loop) step(ctx, stepping context.Context) (Status, error) {
	room := l.s.Budget.Room(l.last)
	sample, ok, err := l.run.Step(stepping, room)
	l.g.Stages().Next("")
	if ok || cancelled(err) {
		l.held = sample
	}
	_, l.torn = errors.AsType[*AbandonedError](err)
	switch {
	case err != nil && l.g.Shared():
		return NotEnded, err // the other ranks may be in another step
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return Cancelled, ctx.Err()
	case cancelled(err): // ctx is not
		return Time, nil
	case shard.Lost(late(err)):
		return NotEnded, err
	case err != nil:
		return Failed, err
	case !ok:
		if info := l.run.Info(); info.Ended && info.Optimal {
			return Optimal, nil
		} else if info.Ended {
			return Finished, nil
		}
		return l.s.Budget.full(room), nil
	case sample.Step != l.last.Step+1:
		return NotEnded, fmt.Errorf("solvers: a method counts step %d after step %d; each Step must add 1 "+
			"to Sample.Step", sample.Step, l.last.Step)
	}
	sample.Elapsed = l.course.clock.Elapsed()
	if sample.Best < l.last.Best {
		l.better, l.gained = sample.Elapsed, sample.Work
	}
	l.last = sample
	return l.after(ctx)
}

// after records a step, decides whether the run ends with it, and stores the run if it is time. It returns what step
// does.
func (l *loop) after(ctx context.Context) (status Status, err error) {
	if l.s.Recorder != nil {
		err = l.s.Recorder.Record(l.last)
	}
	switch {
	case err != nil:
		status = Failed
	case math.IsInf(l.last.Best, 1) && l.hopeless():
		return NotEnded, l.nonFinite()
	default:
		status = l.ended(l.last.Elapsed)
	}
	if status == NotEnded && ctx.Err() != nil {
		status = Cancelled
	}
	note := l.course.due(l.last) && !l.run.Info().Ahead
	keep := status == NotEnded && l.s.Keeper != nil && l.g.Rank() == 0 && l.s.Keeper.Due(l.last)
	if e := decide(l.g, &status, &keep, &note); e != nil {
		return NotEnded, e
	}
	switch status {
	case Cancelled:
		return status, cmp.Or(ctx.Err(), context.Canceled)
	case NotEnded:
	default:
		return status, err
	}
	if note {
		// A file that cannot be written now may be written later.
		if e := l.course.note(l.p, l.s, l.run); shard.Lost(late(e)) || errors.As(e, new(*ranks.Error)) {
			return NotEnded, e
		}
	}
	if keep && l.s.Keeper != nil {
		err = l.keep(NotEnded)
	}
	return NotEnded, err
}

// cancelled reports whether an error of a Step says that its context was cancelled.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// ended reports whether a run ends after its latest step, and why. elapsed is the time in the loop.
func (l *loop) ended(elapsed time.Duration) Status {
	now := l.last
	now.Elapsed = max(now.Elapsed, elapsed)
	status := l.s.Budget.ended(now, l.last.Elapsed-l.better, l.last.Work-l.gained)
	if status != Target && l.last.Best <= l.least {
		return Optimal
	}
	return status
}

// decide gives all ranks what rank 0 has decided after a step.
func decide(g *shard.Devices, status *Status, keep, note *bool) error {
	decided := uint8(*status)
	kept := uint8(problems.Flag(*keep))
	noted := uint8(problems.Flag(*note))
	err := shard.Decide(g, &decided, &kept, &noted)
	*status = Status(decided)
	*keep = kept == 1
	*note = noted == 1
	return err
}

// keep stores the run. A first step that was cancelled begins anew, so its best point is not in the state; the stored
// result has it.
func (l *loop) keep(status Status) error {
	held := l.held
	if l.last.Step == 0 {
		held = l.last
	}
	held.Elapsed = l.course.clock.Elapsed()
	at := Progress{l.last, held, l.last.Elapsed - l.better, l.last.Work - l.gained}
	return l.s.Keeper.Keep(l.run.State(), at, status)
}

// end returns the result of a run that has ended with a status and an error. Its point is the best one of the run, or
// that which was known before, if that is better.
func (l *loop) end(status Status, err error) (*Result, error) {
	if l.s.Ended != nil {
		l.s.Ended()
	}
	clock := l.course.clock
	last := l.last
	held := l.held
	held.Elapsed = max(held.Elapsed, clock.Elapsed())
	info := l.run.Info()
	res := &Result{Status: status, F: held.Best, HostF: math.NaN(), Again: math.NaN(), Evaluations: held.Evaluations,
		Work: held.Work, Moves: held.Moves, Steps: held.Step, NonFinite: held.NonFinite, Elapsed: clock.Elapsed(),
		StartUp: clock.startUp(), Waiting: clock.waiting(), Searches: info.Searches, Differences: info.Differences}
	res.seen = held.Slope
	if at := held.Slope; (at.Exact || status == Flat) && math.Abs(at.At-res.F) <= 1e-9*math.Abs(res.F) {
		res.Slope = at
	}
	none := math.IsInf(held.Best, 1) || held.Step == 0 && held.Work == 0 // there is no point
	if none {
		res.F = math.Inf(1)
	}
	known := l.course.knows(res.F)
	switch {
	case known:
	case none && (status == Cancelled || status == Time) && held.Step == 0:
		if e := res.atStart(l.p, l.g, l.s); e != nil {
			return nil, errors.Join(err, e)
		}
		return res, err
	case none && last.Step == 0 && err == nil:
		return nil, Settingf("evaluations are limited to %d, below one step of %s; use a larger limit",
			l.s.Budget.Evaluations, l.method.Traits().Name)
	case none && (last.Step == 0 || status == Failed):
		return nil, err
	case none:
		return nil, l.nonFinite()
	}
	if l.s.Keeper != nil && status != Failed && !l.torn && !none { // a step may have failed half-way
		if e := l.keep(status); e != nil {
			return nil, e
		}
	}
	if e := l.point(res, known); e != nil {
		return nil, errors.Join(err, e)
	}
	if l.s.Recorder != nil && (held.Work > last.Work || held.Best > res.F) {
		held.Best = res.F
		if math.IsNaN(held.F) {
			held.F = res.F
		}
		err = errors.Join(err, l.s.Recorder.Record(held))
	}
	return res, err
}

// point reads the best point of a run, or takes the one that is known. A point of which only the devices know the value
// is evaluated, and compared with the known one.
func (l *loop) point(res *Result, known bool) (err error) {
	if known {
		l.course.give(res)
		return nil
	}
	res.X, err = readBest(l.p, l.g, l.s, l.run)
	if err != nil {
		return err
	}
	res.XFile = fileOf(l.g, l.s)
	if !math.IsNaN(res.F) {
		return nil
	}
	if err = res.evaluate(l.p, l.g, l.s.Precision); err != nil {
		return err
	}
	if l.course.knows(res.F) && (res.XFile == "" || l.course.file != res.XFile) { // it was not written over
		l.course.give(res)
	}
	return nil
}
