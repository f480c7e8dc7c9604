package shard

import (
	"context"
	"fmt"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems/rng"
)

// Programs is a solver's own text on every device of a group, without the
// components of a problem: for methods that hold a problem in tables of their
// own and split by replicas.
type Programs struct {
	g  *Group
	on []*cl.Program

	BuildTime time.Duration // of the slowest device
}

// Programs builds prelude, draws and parts for every device; defines may depend
// on the kind of device, never on their number.
func (g *Group) Programs(defines func(info cl.Info) []kernels.Define, parts ...kernels.Part) (*Programs, error) {
	ps := &Programs{g: g, on: make([]*cl.Program, len(g.devices))}
	built := make([]time.Duration, len(g.devices))
	err := g.Do(func(i int, d *cl.Device) (err error) {
		start := time.Now()
		all := []kernels.Define{
			{Name: "REAL_BITS", Value: "32"}, {Name: "SUM_FP64", Value: "0"}, {Name: "ROOT_BY_FP64", Value: "0"},
			{Name: "BOX_LO", Value: "0.0f"}, {Name: "BOX_HI", Value: "1.0f"},
		}
		for _, name := range rng.Sorted() {
			all = append(all, kernels.Define{Name: "DRAW_" + name, Value: fmt.Sprintf("%du", rng.Names[name])})
		}
		all = append(all, defines(d.Info())...)
		src := kernels.Assemble(all, append([]kernels.Part{kernels.Get("lib/prelude.cl"), kernels.Get("lib/draw.cl")}, parts...)...)
		ps.on[i], err = d.Build(src.Text, "-cl-std=CL1.2", src.Locate)
		built[i] = time.Since(start)
		return err
	})
	if err != nil {
		ps.Close()
		return nil, err
	}
	for _, t := range built {
		ps.BuildTime = max(ps.BuildTime, t)
	}
	return ps, nil
}

// Kernel finds a kernel on every device, indexed by device.
func (ps *Programs) Kernel(name string, args ...cl.Arg) (ks []*cl.Kernel, err error) {
	ks = make([]*cl.Kernel, len(ps.on))
	for i, p := range ps.on {
		if ks[i], err = p.Kernel(name, args...); err != nil {
			return nil, err
		}
	}
	return ks, nil
}

// Close gives the programs back.
func (ps *Programs) Close() {
	for _, p := range ps.on {
		if p != nil {
			p.Close()
		}
	}
}

// Slices has launch do the units [0, n) of something, each unit a work-group or
// more, in launches of about LaunchTime that fill the device; pieces is into how
// many a launch is cut that takes longer though it is no larger than that. It
// waits after each. pace is kept between calls.
func (g *Group) Slices(ctx context.Context, d *cl.Device, pace *Pacer, n int, launch func(lo, hi, pieces int) error) error {
	units := max(d.Info().ComputeUnits, 1)
	p := g.Pace(pace, d, g.opt.LaunchTime/float64(units))
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
		p.queued += float64(hi - lo)
		if err := p.Wait(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		lo = hi
	}
	return ctx.Err()
}
