package shard

import (
	"context"
	"time"

	"github.com/clopt/clopt/cl"
)

// Pacer sizes the launches of one kind of work on one device by the clock, so that each takes about
// Options.LaunchTime. Results never depend on it. The zero value knows nothing yet.
type Pacer struct {
	d      *cl.Device
	builds func() time.Duration // for how long drivers have compiled, which does not count
	launch float64              // seconds that a launch may take
	unit   float64              // seconds that a unit of work takes, measured
	queued float64              // units that nobody has waited for
	began  time.Time            // when the first of them was about to be launched, less builds
}

// mostQueued is how many seconds of work are queued before a wait, so that a cancelled run stops soon.
const mostQueued = 0.2

// Pace prepares a pacer for device d, with a guess of the seconds that a unit of work takes, unless it is prepared
// already. It returns p.
func (g *Devices) Pace(p *Pacer, d *cl.Device, guess float64) *Pacer {
	if p.d == nil {
		*p = Pacer{d: d, builds: d.BuildTime, launch: g.opt.LaunchTime, unit: guess}
	}
	return p
}

// Fit returns how many units of work fit in a launch, at least 1. It starts the clock, so call it before a launch.
func (p *Pacer) Fit() int { return max(1, int(p.units())) }

// units returns Fit without rounding.
func (p *Pacer) units() float64 {
	if p.queued == 0 {
		p.began = time.Now().Add(-p.builds())
	}
	return min(p.launch/p.unit, 1<<30)
}

// Launched counts units of work that were queued. If there is much of it, it waits for the device and returns the error
// of ctx.
func (p *Pacer) Launched(ctx context.Context, units float64) error {
	if p.queued += units; p.queued*p.unit <= mostQueued {
		return nil
	}
	return p.Wait(ctx)
}

// Together calls f with a number of units of work for all devices, which take about LaunchTime together: at least 1 and
// at most limit. f waits for the devices. All ranks get the same number. A pacer of zero value begins with one unit.
func (g *Devices) Together(p *Pacer, limit int, f func(n int) error) error {
	if p.unit == 0 {
		*p = Pacer{builds: g.BuildTime, launch: g.opt.LaunchTime, unit: g.opt.LaunchTime}
	}
	n := int64(min(p.Fit(), limit))
	if err := Decide(g, &n); err != nil {
		return err
	}
	if err := f(int(n)); err != nil {
		return err
	}
	p.queued = float64(n)
	p.waited()
	return nil
}

// Slow makes the pacer expect units of work that take longer by a factor than those before.
func (p *Pacer) Slow(factor float64) { p.unit *= factor }

// Takes returns for how long units of work take; 0 before any was measured or guessed.
func (p *Pacer) Takes(units float64) time.Duration {
	return time.Duration(units * p.unit * float64(time.Second))
}

// Wait waits for the device if anything is queued, and then returns the error of ctx.
func (p *Pacer) Wait(ctx context.Context) error {
	if p.queued == 0 {
		return ctx.Err()
	}
	if err := p.d.Finish(); err != nil {
		return err
	}
	p.waited()
	return ctx.Err()
}

// waited updates the time of a unit after a wait.
func (p *Pacer) waited() {
	if p.queued > 0 {
		// Half weight damps one slow call.
		p.unit = (p.unit + max(0, time.Since(p.began)-p.builds()).Seconds()/p.queued) / 2
		p.queued, p.began = 0, time.Now().Add(-p.builds())
	}
}
