package shard

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// Programs is a solver's own text on every device, without the components of a problem. It is for methods
// that hold the problem in tables of their own and are split by replicas.
type Programs struct {
	on []*Program          // per device
	of func(place int) int // device of a place
}

// Programs builds the prelude, the draws and parts for every device. defines may depend on the kind of device, but not
// on the number of devices. The caller closes the result.
func (g *Devices) Programs(defines func(info cl.Info) []kernels.Define, parts ...kernels.Part) (ps *Programs,
	err error) {
	ps = &Programs{of: func(i int) int { return i }}
	ps.on, err = g.Build(func(int) bool { return true }, func(_ int, d *cl.Device) (Assembly, error) {
		return Assembly{Precision: problems.FP32, Defines: defines(d.Info()), Parts: parts}, nil
	})
	if err != nil {
		return nil, err
	}
	return ps, nil
}

// Program returns the program of a place, which is a device unless Placement.Beside says otherwise, and its device.
func (ps *Programs) Program(place int) (p *Program, device int) {
	device = ps.of(place)
	return ps.on[device], device
}

// Close releases the programs. A second Close does nothing, and nil is allowed.
func (ps *Programs) Close() {
	if ps != nil {
		closePrograms(ps.on)
	}
}

// Slices calls launch for the units [0, n), each a work-group or more, in launches of about LaunchTime that fill the
// device, and waits after each. pieces is the number of launches into which one is divided that takes too long although
// it only fills the device. pace is kept between calls.
func (g *Devices) Slices(ctx context.Context, d *cl.Device, pace *Pacer, n int,
	launch func(lo, hi, pieces int) error) error {
	units := max(d.Info().ComputeUnits, 1)
	p := g.paceLike(pace, d, &Pacer{unit: g.opt.LaunchTime / float64(units)})
	for lo := 0; lo < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		rounds := p.units() / float64(units)
		hi := min(n, lo+units*max(int(rounds), 1))
		pieces := 1
		if rounds < 1 {
			pieces = int(min(1/rounds, 1e6)) + 1
		}
		if err := launch(lo, hi, pieces); err != nil {
			return err
		}
		p.queue(float64(hi - lo))
		if err := p.Wait(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		lo = hi
	}
	return ctx.Err()
}
