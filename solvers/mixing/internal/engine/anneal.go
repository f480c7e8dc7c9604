package engine

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/deadline"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// annealDevices anneals new individuals on the devices of an engine. A unit is what one work-group anneals: a word of
// 32 chains or, on a dense graph, a single chain, which keeps the fields of all vertices. A word of chains of two
// devices is annealed on both, with the same bits. Processors anneal a bundle of words at once if gains are counted.
type annealDevices struct {
	*host.Annealing
	e        *parallel
	programs *shard.Programs
	kernels  struct {
		sweep, class, count, gather, scatter, start, follow, evaluate *device.Kernel
	}
	on     []*annealShare
	pace   shard.Pacer    // of a sweep of a population, on all devices
	leaps  deadline.Leaps // of the schedule of the population in progress
	latest int            // sweeps made since its latest leap

	of               *host.Population // the population in progress
	cooling, growing *device.Memory   // growing is for it
}

func (e *parallel) newAnneal() (_ *annealDevices, err error) {
	d := &annealDevices{Annealing: e.annealing, e: e}
	for _, info := range e.g.Infos() {
		d.on = append(d.on, e.newAnnealShare(e.annealing, info))
	}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.Dense != nil {
		err = d.denseKernels()
	} else {
		err = d.wordKernels()
	}
	if err != nil {
		return nil, err
	}
	return d, d.cooled()
}

// cooled copies the temperatures of the schedule to the devices.
func (d *annealDevices) cooled() (err error) {
	d.cooling.Close()
	d.cooling, err = device.AllocateOn(d.e.g.Do, d.e.g.Away(nil),
		func(i int, _ *cl.Device) device.Share { return d.on[i].schedule(d.Annealing) })
	return err
}

func (d *annealDevices) close() {
	if d != nil {
		d.cooling.Close()
		d.growing.Close()
		d.programs.Close()
	}
}

// values returns the arguments for device i and the population in progress.
func (d *annealDevices) values(i int, p *host.Population) device.Values {
	v, t := d.e.values(i, p), d.on[i]
	v["temps"] = t.temps
	v["done"] = t.done
	v["words"] = t.words
	v["first"] = t.first
	v["chains"] = p.N
	v["groups"], v["fields"] = t.count, t.fields
	return v
}

// begin allocates memory for a population whose annealing begins or continues, and gathers its chains in words or
// computes their fields.
func (d *annealDevices) begin(ctx context.Context, p *host.Population) (err error) {
	d.leaps, d.latest = deadline.Leaps{Left: d.e.Setup.Left}, 0
	if d.of == p { // the chains are there
		return d.e.g.Do(func(i int, _ *cl.Device) error {
			t := d.on[i]
			return t.done.Write(0, p.Annealed[2*t.first:2*(t.first+t.count)])
		})
	}
	d.of = p
	d.growing.Close()
	d.growing, err = device.AllocateOn(d.e.g.Do, d.e.g.Away(nil), func(i int, _ *cl.Device) device.Share {
		r, t := d.e.live[p].on[i], d.on[i]
		t.span(d.Annealing, r.first, r.first+r.count)
		return t.growing(d.Annealing, p.Annealed[2*t.first:2*(t.first+t.count)])
	})
	if err != nil {
		return err
	}
	return d.load(ctx, p, slices.Repeat([]uint32{none}, p.N))
}

// load gathers the chains of p in words or sets their fields. Chain i has become a copy of chain mates[i], or is new if
// that is none.
func (d *annealDevices) load(ctx context.Context, p *host.Population, mates []uint32) error {
	if d.Dense != nil {
		return d.startFields(ctx, p, mates)
	}
	return d.e.g.Do(func(i int, _ *cl.Device) error {
		t := d.on[i]
		if t.count == 0 {
			return nil
		}
		return d.kernels.gather.Launch(i, []int{d.Sliced.Places, t.bundles() * t.bundle}, nil, d.values(i, p))
	})
}

// units returns the number of units of a population of n.
func (d *annealDevices) units(n int) int { return (n + d.Width() - 1) / d.Width() }

// anneal sweeps the parents of p up to sweep number to, from p.Swept on, or until all have come to rest. It returns how
// many sweeps it made, over all individuals. It can be cancelled after every few sweeps, which take about LaunchTime;
// p.Swept is then where it stopped. Sweeps above T = 0 for which the run has no time are left out, and over is true
// when there is no time at all.
func (d *annealDevices) anneal(ctx context.Context, p *host.Population, to int) (made int64, rest, over bool,
	err error) {
	if p.Annealed == nil {
		p.Annealed = make([]uint32, 2*d.units(p.N))
		d.pace.Slow(hotSlower)
		if err := d.begin(context.WithoutCancel(ctx), p); err != nil {
			return 0, false, false, err
		}
	}
	for p.Swept < to && !rest {
		if err := ctx.Err(); err != nil {
			return made, false, false, err
		}
		if hot := min(to, d.Sweeps()) - p.Swept; hot > 0 {
			all := d.Sweeps() - p.Swept + coldSweeps
			p.Swept += int(d.leaps.Next(int64(d.latest), int64(all), int64(all-hot), 1))
			d.latest = 0
			if p.Swept == to {
				break
			}
		} else if left := d.e.Setup.Left; left != nil && p.Swept > d.Sweeps() && left() <= 0 {
			over = true
			break
		}
		if err := d.e.g.Together(&d.pace, to-p.Swept, func(sweeps int) (err error) {
			var more int64
			more, rest, err = d.sweep(context.WithoutCancel(ctx), p, sweeps)
			made += more
			d.latest += sweeps
			return err
		}); err != nil {
			return made, false, false, err
		}
	}
	return made, rest, over, nil
}

// hotSlower is how many times longer the first sweep of a population may take than the last one of the population
// before it, which was cold and had fewer individuals.
const hotSlower = 16

// coldSweeps is about the number of sweeps at T = 0 after which few vertices flip.
const coldSweeps = 8

// sweep makes the next sweeps of the parents of p. It returns how many it made, over all individuals, and whether all
// have come to rest.
func (d *annealDevices) sweep(ctx context.Context, p *host.Population, sweeps int) (made int64, rest bool,
	err error) {
	from := p.Swept
	to := p.Swept + sweeps
	when := p.Generation
	done := make([]uint32, 2*d.units(p.N))
	err = d.e.g.Do(func(i int, dev *cl.Device) error {
		t := d.on[i]
		if t.count == 0 {
			return nil
		}
		err := d.e.g.Slices(ctx, dev, &t.pace, t.bundles(), func(lo, hi, _ int) error {
			if d.whole(dev.Info(), hi-lo) {
				return d.sweeps(i, dev, p, lo, hi, from, to, when)
			}
			return d.byClass(i, dev, p, lo, hi, from, to, when)
		})
		if err != nil {
			return err
		}
		return t.done.Read(0, done[2*t.first:2*(t.first+t.count)])
	})
	if err == nil {
		err = shard.Gather(d.e.g, done, d.end)
	}
	if err != nil {
		return 0, false, err
	}
	width := d.Width()
	for u := range len(done) / 2 {
		made += int64(done[2*u]-p.Annealed[2*u]) * int64(min(width, p.N-u*width))
	}
	p.Swept, p.Annealed = to, done
	return made, host.AtRest(done), nil
}

// end returns where the counts of the units of a device end, two for each.
func (d *annealDevices) end(i int) (last int) {
	for _, t := range d.on[:i+1] {
		last = max(last, 2*(t.first+t.count))
	}
	return last
}

// show copies the individuals that each device has annealed to every device.
func (d *annealDevices) show(p *host.Population) error {
	if err := d.scatter(p); err != nil {
		return err
	}
	return d.e.spread(p)
}

// scatter copies the chains of words to the parents of the device that anneals them.
func (d *annealDevices) scatter(p *host.Population) error {
	if d.Sliced == nil {
		return nil
	}
	return d.e.g.Do(func(i int, _ *cl.Device) error {
		r := d.e.live[p].on[i]
		return d.e.rowByRow(d.kernels.scatter, i, (len(d.Sliced.Place)+31)/32, r.first, r.first+r.count, d.values(i, p))
	})
}

// sweeps makes sweeps [from, to) of the bundles [lo, hi) of device i, with one work-group for each.
func (d *annealDevices) sweeps(i int, dev *cl.Device, p *host.Population, lo, hi, from, to int, when uint32) error {
	group, v := d.group(dev.Info()), d.values(i, p)
	v["offset"], v["when"], v["room"], v["from"], v["to"] = lo, when, d.room(dev.Info()), from, to
	return d.kernels.sweep.Launch(i, []int{(hi - lo) * group}, []int{group}, v)
}

// byClass makes sweeps [from, to) of the bundles [lo, hi) of device i, with a launch for each class of vertices, until
// all units of these bundles have come to rest.
func (d *annealDevices) byClass(i int, dev *cl.Device, p *host.Population, lo, hi, from, to int,
	when uint32) error {
	t, v := d.on[i], d.values(i, p)
	first, units := lo*t.bundle, min(hi*t.bundle, t.count)-lo*t.bundle
	for s := from; s < to; s++ {
		v["T"] = d.Temps[s]
		v["when"] = when + uint32(s)
		v["offset"] = lo
		if err := d.classes(i, dev, hi-lo, v); err != nil {
			return err
		}
		v["offset"] = first
		if err := d.kernels.count.Launch(i, []int{units}, nil, v); err != nil {
			return err
		}
		if d.Temps[s] == 0 {
			done := make([]uint32, 2*units)
			if err := t.done.Read(2*first, done); err != nil || host.AtRest(done) {
				return err
			}
		}
	}
	return nil
}

// classes makes a sweep of n bundles, class after class.
func (d *annealDevices) classes(i int, dev *cl.Device, n int, v device.Values) error {
	s, items := d.Sliced, d.items(dev.Info())
	for k := 0; k < len(s.Classes); k += 3 {
		bands := int(s.Classes[k+1] - s.Classes[k])
		class := classOf{Begin: s.Classes[k], Vertices: s.Classes[k+2]}
		if c := s.Counters; c != nil {
			class.Bunch = c.Bunches[k/3]
		}
		v["set"] = class
		if err := d.kernels.class.Launch(i, []int{bands * items, n}, nil, v); err != nil {
			return err
		}
	}
	return nil
}

// placesAlone is the largest number of places that a work-group sweeps alone if there are fewer words of chains than
// compute units.
const placesAlone = 1 << 15

// Whole reports whether a work-group makes whole sweeps of a bundle, if n bundles are annealed together.
func (d *annealDevices) whole(info cl.Info, n int) bool {
	return d.Dense != nil || d.local(info) ||
		!d.e.Form.Spill && (d.Sliced.Places <= placesAlone || n >= info.ComputeUnits)
}

// room returns the local memory of a work-group that makes whole sweeps.
func (d *annealDevices) room(info cl.Info) cl.LocalBytes {
	switch {
	case d.Dense != nil:
		return cl.LocalBytes(16)
	case d.local(info):
		return cl.LocalBytes(8 + d.counts(info) + 4*d.Sliced.Places)
	}
	return cl.LocalBytes((8 + d.counts(info)) * d.e.newAnnealShare(d.Annealing, info).bundle)
}

// group returns the work-items of a group that makes whole sweeps.
func (d *annealDevices) group(info cl.Info) int {
	switch {
	case d.Dense != nil:
		return d.denseGroup(info)
	case d.e.Form.Group > 0:
		return d.e.Form.Group
	case info.Type == cl.CPU:
		return 1
	}
	return d.wordGroup(info)
}
