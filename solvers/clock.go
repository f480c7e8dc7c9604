package solvers

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/clopt/clopt/shard"
)

// Clock measures the time in the loop of a run. It stands still while drivers compile kernels, since some do so when a
// kernel is launched for the first time, in the middle of a run. It never goes back, whatever the clock of the machine
// does. It may be used from any goroutine.
type Clock struct {
	devices *shard.Devices
	built   time.Duration // on the devices, before the run started up

	mu      sync.Mutex
	watch   stopwatch     // since the run started up
	running bool          // the loop has begun
	ready   time.Duration // of the watch, without BuildTime, when the loop began
	kernels time.Duration // BuildTime then
	before  time.Duration // time in the loop before the run was resumed
	elapsed time.Duration // the latest
}

// stopwatch adds up the time that passes. If the clock of the machine is set back, that adds nothing.
type stopwatch struct {
	now func() time.Time // time.Now, or another clock in tests
	at  time.Time        // of the latest look
	sum time.Duration
}

// read returns the time since the stopwatch was made.
func (w *stopwatch) read() time.Duration {
	now := w.now()
	w.sum += max(0, now.Sub(w.at))
	w.at = now
	return w.sum
}

// openClock returns the clock of a run that starts up now.
func openClock(g *shard.Devices) *Clock {
	return &Clock{devices: g, built: g.BuildTime(), watch: stopwatch{now: time.Now, at: time.Now()}}
}

// begin starts the clock at the given time, unless it goes already.
func (c *Clock) begin(before time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		c.kernels = c.BuildTime()
		c.running, c.ready, c.before, c.elapsed = true, c.watch.read()-c.kernels, before, before
	}
}

// BuildTime returns for how long drivers have compiled kernels since the run started up.
func (c *Clock) BuildTime() time.Duration { return c.devices.BuildTime() - c.built }

// Elapsed returns the time in the loop since the first start of the run; 0 before the loop.
func (c *Clock) Elapsed() time.Duration {
	elapsed, _ := c.look()
	return elapsed
}

// waiting returns for how long drivers have compiled kernels in the loop.
func (c *Clock) waiting() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return 0
	}
	return c.BuildTime() - c.kernels
}

// startUp returns the time since the run started up that is not in the loop.
func (c *Clock) startUp() time.Duration {
	_, startUp := c.look()
	return startUp
}

func (c *Clock) look() (elapsed, before time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.watch.read()
	if c.running {
		c.elapsed = max(c.elapsed, c.before+all-c.BuildTime()-c.ready)
	}
	return c.elapsed, all - (c.elapsed - c.before)
}

// overrun divides the time limit; a step that exceeds the limit by the quotient is given up.
const overrun = 10

// errOver is the cause for which within cancels a context.
var errOver = errors.New("the time limit is over")

// within returns a context that is cancelled when a time limit is exceeded by a tenth. stop releases it. The work of
// the step is then lost, so methods with long steps or with schedules also fit these to the limit (Fit, Setup.Left).
func (c *Clock) within(ctx context.Context, limit time.Duration) (_ context.Context, stop func()) {
	limit += min(limit/overrun, math.MaxInt64-limit)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for left := limit - c.Elapsed(); left > 0; left = limit - c.Elapsed() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(left):
			}
		}
		cancel(errOver)
	}()
	return ctx, func() { cancel(nil) }
}

// finishing is how long a step that cannot be cut goes on after its context was cancelled.
const finishing = 200 * time.Millisecond

// AbandonedError is the error of a Step that was cancelled in the middle and cannot go on there. The sample of the Step
// and Incumbent are those of the last complete step, but the State is of no use.
type AbandonedError struct{ Err error } // of the context

func (e *AbandonedError) Error() string { return "the step was abandoned: " + e.Err.Error() }

func (e *AbandonedError) Unwrap() error { return e.Err }

// Finish calls rest, the part of a Step that changes the run in such a way that it cannot go on in the middle. If ctx
// is cancelled, the context of rest is cancelled soon after, so that short steps are completed. If rest does not get to
// its end, Finish returns an *AbandonedError.
func Finish(ctx context.Context, rest func(ctx context.Context) error) error {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishing, cancel) })()
	err := rest(late)
	if err != nil && late.Err() != nil && errors.Is(err, late.Err()) {
		return &AbandonedError{ctx.Err()}
	}
	return err
}
