package shard

import (
	"context"
	"time"

	"github.com/clopt/clopt/cl"
)

// Pacer sizes the launches of one kind of work on one device by the clock, so that each takes about
// Options.LaunchTime. The first launch has one unit of work. Results never depend on it. The zero value is unprepared.
type Pacer struct {
	d      *cl.Device
	builds func() time.Duration // for how long drivers have compiled, which does not count
	launch float64              // seconds that a launch may take
	unit   float64              // seconds that a unit of work takes, measured; at first launch
	queued float64              // units that nobody has waited for
	began  time.Time            // when the first of them was about to be launched, less builds
	known  bool                 // unit was measured
}

// mostQueued is how many launches of the usual length are queued before a wait, so that a cancelled run stops soon.
const mostQueued = 4

// growth is how many times more work a launch may have than one before that was too short to be measured well.
const growth = 16

// Pace prepares a pacer for device d, unless it is prepared already. It returns p.
func (g *Devices) Pace(p *Pacer, d *cl.Device) *Pacer {
	if p.d == nil {
		*p = Pacer{d: d, builds: d.BuildTime, launch: g.opt.LaunchTime, unit: g.opt.LaunchTime}
	}
	return p
}

// paceLike is Pace for work whose units take as long as those of another pacer.
func (g *Devices) paceLike(p *Pacer, d *cl.Device, other *Pacer) *Pacer {
	if p.d == nil {
		g.Pace(p, d).unit = other.unit
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

// Launched counts units of work that were queued. If there is much of it, or nobody knows how much, it waits for the
// device and returns the error of ctx.
func (p *Pacer) Launched(ctx context.Context, units float64) error {
	if p.queue(units); p.known && p.queued*p.unit <= mostQueued*p.launch {
		return nil
	}
	return p.Wait(ctx)
}

// queue counts units of work that were queued. The watchdog then waits long enough for them.
func (p *Pacer) queue(units float64) {
	p.queued += units
	p.d.Expect(p.takes(p.queued))
}

// Together calls f with a number of units of work for all devices, which take about LaunchTime together: at least 1 and
// at most limit. f waits for the devices. All ranks get the same number. The pacer need not be prepared.
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

// takes returns for how long units of work take, as far as is known; 0 if the pacer is not prepared.
func (p *Pacer) takes(units float64) time.Duration {
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
	if p.queued == 0 {
		return
	}
	took := max(0, time.Since(p.began)-p.builds()).Seconds()
	if unit := took / p.queued; took < p.launch/4 {
		p.unit = max(unit, p.unit/growth)
	} else {
		p.unit = (p.unit + unit) / 2 // half weight damps one slow call
	}
	p.known, p.queued, p.began = true, 0, time.Now().Add(-p.builds())
}
