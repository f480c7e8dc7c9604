package shard

import (
	"context"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
)

// A pacer measures the time of a unit when it waits, and its launches have at least one unit.
func TestPacer(t *testing.T) {
	infos, err := cl.Discover()
	if err != nil {
		t.Fatal(err)
	}
	d, err := cl.Open(infos[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewDevices([]*cl.Device{d}, Options{LaunchTime: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var p Pacer
	g.Pace(&p, d)
	if n := p.Fit(); n != 1 {
		t.Errorf("the first launch has %d units", n)
	}
	p.queued = 1
	if p.waited(); p.unit != 0.01/growth {
		t.Errorf("a unit takes %g s after one took no time", p.unit)
	}
	p.unit = 1e-3
	g.Pace(&p, d) // is prepared already
	if n := p.Fit(); n != 10 {
		t.Errorf("%d units of 1 ms fit in 10 ms", n)
	}
	var like Pacer
	if g.paceLike(&like, d, &p); like.Fit() != 10 {
		t.Errorf("%d units of 1 ms fit in 10 ms with another pacer", like.Fit())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Launched(ctx, 10); err != nil || p.queued != 10 {
		t.Errorf("10 ms queued: %v, %g units", err, p.queued)
	}
	p.began = p.began.Add(-time.Second)
	if err := p.Launched(ctx, 300); err != context.Canceled || p.queued != 0 {
		t.Errorf("310 ms queued: %v, %g units", err, p.queued)
	}
	if p.unit < (1e-3+1/310.)/2 || p.unit > 0.1 {
		t.Errorf("a unit takes %g s after 310 took a second", p.unit)
	}
	// The second in which the driver compiles does not count.
	compiled := time.Minute
	p.builds = func() time.Duration { return compiled }
	p.Wait(ctx)
	p.unit = 1e-3
	p.Fit()
	p.began, compiled = p.began.Add(-time.Second), compiled+time.Second
	if p.Launched(ctx, 300); p.unit != 1e-3/growth {
		t.Errorf("a unit takes %g s after 300 while the driver has compiled", p.unit)
	}
	p.unit = 1
	if n := p.Fit(); n != 1 {
		t.Errorf("%d units of a second fit in 10 ms", n)
	}
	// Work of all devices together begins with one unit.
	for unit, want := range map[float64]int{0: 1, 0.0019: 3, 0.0049: 2, 7: 1} {
		q := Pacer{builds: g.BuildTime, unit: unit, launch: 0.01}
		if err := g.Together(&q, 3, func(n int) error {
			if n != want {
				t.Errorf("units of %g s: %d, want %d", unit, n, want)
			}
			return nil
		}); err != nil || q.unit >= max(unit, 0.01) {
			t.Errorf("units of %g s are of %g s after a short call: %v", unit, q.unit, err)
		}
	}
	p.unit = 0.125
	p.Slow(2)
	if d := p.takes(2); d != time.Second/2 {
		t.Errorf("two units of 250 ms take %v", d)
	}
}
