package solvers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/clopt/clopt/shard"
)

// Clock measures the time in the loop of a run. It stands still while drivers compile kernels, since some do so when a
// kernel is launched for the first time, in the middle of a run. It may be used from any goroutine.
type Clock struct {
	devices *shard.Devices
	opened  time.Time
	built   time.Duration // on the devices, before opened

	mu       sync.Mutex
	began    time.Time     // the loop; zero: not yet
	prepared time.Duration // BuildTime before the loop
	before   time.Duration // time in the loop before the run was resumed
}

// openClock returns the clock of a run that starts up now.
func openClock(g *shard.Devices) *Clock {
	return &Clock{devices: g, opened: time.Now(), built: g.BuildTime()}
}

// begin starts the clock at the given time, unless it goes already.
func (c *Clock) begin(before time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		c.began, c.prepared, c.before = time.Now(), c.BuildTime(), before
	}
}

// BuildTime returns for how long drivers have compiled kernels since the run started up.
func (c *Clock) BuildTime() time.Duration { return c.devices.BuildTime() - c.built }

// Elapsed returns the time in the loop since the first start of the run; 0 before the loop.
func (c *Clock) Elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		return 0
	}
	return c.before + time.Since(c.began) - (c.BuildTime() - c.prepared)
}

// StartUp returns the time since the run started up that is not in the loop.
func (c *Clock) StartUp() time.Duration {
	elapsed := c.Elapsed()
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Since(c.opened) - (elapsed - c.before)
}

// overrun divides the time limit; a step that exceeds the limit by the quotient is given up.
const overrun = 10

// errOver is the cause for which within cancels a context.
var errOver = errors.New("the time limit is over")

// within returns a context that is cancelled when a time limit is exceeded by a tenth. stop releases it. The work of
// the step is then lost, so methods with long steps or with schedules also fit these to the limit (Fit, Setup.Left).
func (c *Clock) within(ctx context.Context, limit time.Duration) (_ context.Context, stop func()) {
	limit += limit / overrun
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
