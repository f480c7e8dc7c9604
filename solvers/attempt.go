package solvers

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// A device can fail, or hang, at any call of its driver. The run then goes on without it: the same method starts again
// on the devices that are left, from the newest stored state. Since tiles, draws and sums do not depend on the devices,
// the run has the bits that it would have had. Each start is an attempt. What the attempts share is a course.

// attempts calls try until no device of any rank fails, and returns what it returned. After an error of a device it
// calls lost, which prepares the next attempt, and leaves the device out; nil: there is nothing to prepare. If lost
// returns false, or a rank has no device left, attempts returns the error. After the end of ctx there is no other
// attempt, and a call of a device that does not return soon is a failure; the error then is that of ctx as well. try
// runs in a goroutine of its own, which may never end.
func attempts[T any](ctx context.Context, g *shard.Devices, slow Slow, try func() (T, error),
	lost func(error) bool) (T, error) {
	if g.Shared() {
		ctx = context.WithoutCancel(ctx) // rank 0 decides for all when a run ends
	}
	for {
		var v T // one for each attempt: one that hangs may still write it
		err := g.Watch(ctx, func() (err error) { v, err = try(); return err }, slow)
		failed, err := g.Settle(err)
		if failed == nil {
			return v, err
		}
		if ctx.Err() != nil {
			err = errors.Join(ctx.Err(), err)
		}
		if !g.CanDrop(failed) || ctx.Err() == nil && lost != nil && !lost(err) {
			var none T
			return none, err
		}
		g.Drop(failed)
		if ctx.Err() != nil {
			var none T
			return none, err
		}
	}
}

// course is what is known of a run on the host. It outlives the devices.
type course struct {
	clock   *Clock
	mu      sync.Mutex
	run     Run // the latest attempt that has started; nil: none
	last    Sample
	x       []float64 // the best point as it was read last; nil: file has it, or another rank
	file    string    // with this point; "": it is in x
	at      Sample    // when it was read, or of Settings.Incumbent; its Best is +Inf if there is none
	read    time.Time
	reading time.Duration // time that it took, or a guess
}

const (
	// The best point is read at most once a second, and at most for 2 % of the time.
	soonestRead = time.Second
	readShare   = 49
	// guessedRead is the time to read a variable that is assumed before the first time.
	guessedRead = 16 * time.Nanosecond
)

// newCourse returns the course of a run that starts up now.
func newCourse(clock *Clock, s Settings) *course {
	c := &course{clock: clock, at: Sample{Best: math.Inf(1)}}
	if best := s.Incumbent; best != nil {
		c.x, c.file, c.at.F, c.at.Best = best.X, best.XFile, best.F, best.F
	}
	return c
}

// due remembers the latest sample, and reports whether to read the best point.
func (c *course) due(s Sample) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = s
	return s.Best < c.at.Best && time.Since(c.read) >= max(soonestRead, readShare*c.reading)
}

// note reads the best point, that of the latest sample.
func (c *course) note(p problems.Problem, s Settings, run Run) error {
	now := time.Now()
	x, err := readBest(p, c.clock.devices, s, run)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.x, c.file, c.at, c.read, c.reading = x, fileOf(c.clock.devices, s), c.last, time.Now(), time.Since(now)
	return nil
}

// knows reports whether the best point that was read is better than one of value f.
func (c *course) knows(f float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at.Best < f
}

// give makes the best point that was read that of a result.
func (c *course) give(r *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.X = c.x
	r.XFile = c.file
	r.F = c.at.Best
}

// started notes the run of an attempt.
func (c *course) started(run Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = run
}

// begin notes that the loop of an attempt begins. elapsed is the time in the loop of a run that was stored before.
func (c *course) begin(n int, elapsed time.Duration) {
	c.clock.begin(elapsed)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read.IsZero() {
		c.read, c.reading = time.Now(), time.Duration(n)*guessedRead
	}
}

// close closes the run of the latest attempt. A driver may hang here, too.
func (c *course) close(g *shard.Devices) {
	c.mu.Lock()
	run := c.run
	c.run = nil
	c.mu.Unlock()
	if run != nil {
		g.Watch(context.Background(), func() error { run.Close(); return nil }, nil)
	}
}

// result returns the best point that is known after a device has failed. If none was read, it is the first start point,
// if the problem has a host reference. It returns nil if there is no point.
func (c *course) result(p problems.Problem, s Settings) *Result {
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	res := &Result{HostF: math.NaN(), Again: math.NaN(), Status: Failed, Evaluations: last.Evaluations,
		Work: last.Work, Moves: last.Moves, Steps: last.Step, NonFinite: last.NonFinite, Elapsed: c.clock.Elapsed(),
		StartUp: c.clock.startUp(), Waiting: c.clock.waiting()}
	if c.knows(math.Inf(1)) {
		c.give(res)
		return res
	}
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil
	}
	res.X = startPoint(p, s)
	f, err := problems.Eval(h, res.X)
	if err != nil || !host.Finite(f) {
		return nil
	}
	res.F = f
	return res
}

// startPoint returns the first start point that was given, which is the best one, or one that is drawn.
func startPoint(p problems.Problem, s Settings) []float64 {
	n := p.Domain().N
	switch {
	case len(s.X0) > 0:
		return p.Domain().Stored(s.Precision, 0, s.X0[0])
	case p.Domain().Binary:
		return make([]float64, n)
	}
	return host.Drawn(p, s.Precision, s.Key, 0, 0, rng.Init, 0, n)
}

// atStart makes the start point the result of a run that ended in its first step, and records it.
func (r *Result) atStart(p problems.Problem, g *shard.Devices, s Settings) (err error) {
	r.X = startPoint(p, s)
	r.Evaluations = 1
	r.Work = 1
	if h, ok := p.(problems.Referenced); ok {
		r.F, err = problems.Eval(h, r.X)
	} else {
		err = r.evaluate(p, g, s.Precision)
	}
	if err == nil && !host.Finite(r.F) {
		err = &NonFiniteError{Evaluations: 1}
	}
	if err != nil || s.Recorder == nil {
		return err
	}
	return s.Recorder.Record(Sample{Evaluations: 1, Work: 1, F: r.F, Best: r.F, Elapsed: r.Elapsed})
}

// evaluate sets F to the value of the best point, by the devices.
func (r *Result) evaluate(p problems.Problem, g *shard.Devices, prec problems.Precision) error {
	x, err := r.point(p.Domain().N)
	if err != nil {
		return err
	}
	ctx, cancel := r.afterwards(p)
	defer cancel()
	sums, err := shard.Accumulate(ctx, g, p, prec, [][]float64{x})
	if errors.Is(err, context.DeadlineExceeded) {
		return &NonFiniteError{}
	} else if err == nil {
		r.F = p.Objective(sums)
	}
	return err
}

// minimize is Minimize for a method whose settings are valid.
func minimize(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) (*Result, error) {
	c := newCourse(openClock(g), s)
	g.Stages().Next(stages.Choose)
	method, err := attempts(ctx, g, s.Slow, func() (Solver, error) { return checkRun(ctx, p, g, s, method) }, nil)
	if err != nil {
		return nil, err
	}
	g.Stages().Next(stages.Points)
	s.X0, err = ordered(ctx, p, g, s, method)
	if err != nil {
		return nil, err
	}
	res, err := attempts(ctx, g, s.Slow, func() (*Result, error) {
		s := s // this attempt may still read it while the next one runs
		setup := Setup{Key: s.Key, Precision: s.Precision, X0: s.X0, Dropped: s.Dropped,
			GTol: s.Budget.GTol}
		if s.Budget.Time > 0 {
			setup.Left = func() time.Duration {
				left := s.Budget.Time - c.clock.Elapsed()
				if shard.Decide(g, &left) != nil {
					return 0 // the next exchange fails, too
				}
				return left
			}
		}
		g.Stages().Next(stages.Build)
		if err := trial.Sums(g); err != nil {
			return nil, err
		}
		run, err := start(ctx, p, g, setup, method, s.Resume != nil)
		if err != nil {
			return nil, err
		}
		if s.Around != nil {
			run = s.Around(run, method, p, g, setup)
		}
		c.started(run)
		if s.Started != nil {
			info := run.Info()
			info.Clock = c.clock
			s.Started(info)
		}
		res, err := proceed(ctx, p, s, method, run, c)
		return res, late(err)
	}, func(err error) (goesOn bool) {
		c.close(g)
		if s.Keeper != nil {
			s.Resume, goesOn = s.Keeper.Lost(err)
		}
		return goesOn
	})
	if shard.Lost(err) {
		if res = c.result(p, s); res != nil && ctx.Err() != nil {
			res.Status = Cancelled
		}
	}
	c.close(g) // its memory may be needed to confirm
	err = res.confirmed(ctx, p, g, s, err)
	res.sampled(ctx, p, g, s, method)
	return res, err
}

// start starts a method. A driver may compile kernels for many seconds, so none is begun after the end of ctx, unless
// the run has a state to end with. Several hosts start together: one that does not would leave the others waiting.
func start(ctx context.Context, p problems.Problem, g *shard.Devices, setup Setup, method Solver,
	resumed bool) (Run, error) {
	if !g.Shared() && !resumed {
		g.BeforeBuild(ctx.Err)
		defer g.BeforeBuild(nil)
	}
	return method.Start(ctx, p, g, setup)
}

// late returns an error of a run that has started. Memory that is refused then is a failure of the device, since the
// plan had room for it.
func late(err error) error {
	if e, ok := errors.AsType[*cl.MemoryError](err); ok && shard.Failed(err) == nil {
		return &cl.DeviceError{Device: e.Device, Call: "clCreateBuffer", Err: err}
	}
	return err
}

// confirmed confirms a result, which may be nil, and returns err together with the error of that.
func (r *Result) confirmed(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, err error) error {
	if r == nil {
		return err
	}
	got, e := attempts(ctx, g, s.Slow, func() (*Result, error) {
		own := *r
		return &own, own.confirm(p, g, s)
	}, nil)
	if got == nil { // no device is left
		got = r
		got.Confirmer, got.Tolerance = "device", p.Tolerance(s.Precision)
	}
	*r = *got
	if e != nil {
		return errors.Join(err, &ConfirmError{e})
	}
	return err
}
