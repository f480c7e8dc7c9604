package solvers

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
)

// annealer is annealing on the devices of an engine.
type annealer interface {
	// anneal runs sweeps [from, to) on each device's individuals among the
	// parents of p. It returns the sweeps that were made, over all individuals,
	// and whether all have come to rest.
	anneal(ctx context.Context, p *population, from, to int, when uint32) (made int64, rest bool, err error)
	// show has every device see the parents of p as they are by now.
	show(p *population) error
	schedule() *annealing
	// cooled has the devices take the temperatures of the schedule.
	cooled() error
	close()
}

func (e *parallelEngine) newAnneal(a *annealing) (annealer, error) {
	if a.sliced != nil {
		return e.newSliced(a)
	}
	return e.newChains(a)
}

// annealDevices anneals chains one by one, over rows of the engine's order of
// vertices.
type annealDevices struct {
	*annealing
	e        *parallelEngine
	programs *shard.Programs
	sweeps   []*cl.Kernel
	class    []*cl.Kernel
	count    []*cl.Kernel
	on       []*annealTables
	made     int64 // sweeps of the population in progress, over all individuals
}

type annealTables struct {
	vertices, classes, done *cl.Buffer[uint32]
	temps                   *cl.Buffer[float32]
	pace                    float64
}

func (d *annealDevices) schedule() *annealing { return d.annealing }

func (d *annealDevices) show(p *population) error { return d.e.spread(p) }

func (d *annealDevices) cooled() error {
	return d.e.g.Do(func(i int, dev *cl.Device) error { return replace(&d.on[i].temps, dev, d.temps) })
}

// replace fills a new buffer in place of an old one, or of none.
func replace(at **cl.Buffer[float32], d *cl.Device, v []float32) error {
	b, err := buffer(d, v)
	if err != nil {
		return err
	}
	if *at != nil {
		(*at).Close()
	}
	*at = b
	return nil
}

func (e *parallelEngine) newChains(a *annealing) (_ *annealDevices, err error) {
	d := &annealDevices{annealing: a, e: e, on: make([]*annealTables, len(e.on))}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if err = d.build(); err != nil {
		return nil, err
	}
	err = e.g.Do(func(i int, dev *cl.Device) (err error) {
		t := &annealTables{}
		d.on[i] = t
		if t.vertices, err = buffer(dev, a.classes.Vertices); err != nil {
			return err
		}
		offsets := make([]uint32, 0, a.classes.N()+1)
		for _, at := range a.classes.Offsets {
			offsets = append(offsets, uint32(at))
		}
		if t.classes, err = buffer(dev, offsets); err != nil {
			return err
		}
		t.temps, err = buffer(dev, a.temps)
		return err
	})
	return d, err
}

func (d *annealDevices) close() {
	for _, t := range d.on {
		if t != nil {
			closeAll(t.vertices, t.classes, t.done)
			if t.temps != nil {
				t.temps.Close()
			}
		}
	}
	if d.programs != nil {
		d.programs.Close()
	}
}

func (d *annealDevices) anneal(ctx context.Context, p *population, from, to int, when uint32) (made int64, rest bool, err error) {
	done := make([]uint32, 2*p.n)
	err = d.e.g.Do(func(i int, dev *cl.Device) error {
		r, t := d.e.live[p][i], d.on[i]
		if from == 0 {
			closeAll(t.done)
			t.done = nil
			var err error
			if t.done, err = cl.Alloc[uint32](dev, 2*p.n); err != nil {
				return err
			}
		}
		err := d.e.g.Slices(ctx, dev, &t.pace, r.count, func(lo, hi, pieces int) error {
			return d.launch(ctx, i, dev, p, r.first+lo, hi-lo, from, to, when, pieces)
		})
		if err != nil {
			return err
		}
		return t.done.Read(2*r.first, done[2*r.first:2*(r.first+r.count)])
	})
	if err != nil {
		return 0, false, err
	}
	rest = true
	for i := range p.n {
		made += int64(done[2*i])
		rest = rest && done[2*i+1] == 1
	}
	if from == 0 {
		d.made = 0
	}
	made, d.made = made-d.made, made
	return made, rest, nil
}

// launch runs sweeps [from, to) of n individuals from offset on, in pieces.
func (d *annealDevices) launch(ctx context.Context, i int, dev *cl.Device, p *population, offset, n, from, to int, when uint32, pieces int) error {
	e, t := d.e, d.on[i]
	o, rows, key := e.on[i], e.live[p][i].parents, d.key
	if e.resident {
		pieces = min(pieces, to-from)
		group := d.group(dev.Info())
		for k := range pieces {
			a, b := from+(to-from)*k/pieces, from+(to-from)*(k+1)/pieces
			if err := d.sweeps[i].Launch([]int{n * group}, []int{group}, o.off, o.nbr, o.weights(), t.vertices, t.classes, t.temps,
				uint32(a), uint32(b), rows, t.done, uint32(offset), p.who(0), when, key.Seed, key.Run, cl.LocalBytes(4*e.plan.words+16)); err != nil {
				return err
			}
			if pieces > 1 {
				if err := dev.Finish(); err != nil {
					return err
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		return nil
	}
	for s := from; s < to; s++ {
		for k := range d.classes.N() {
			begin, end := d.classes.Offsets[k], d.classes.Offsets[k+1]
			if err := d.class[i].Launch([]int{(end+3)/4 - begin/4, n}, nil, o.off, o.nbr, o.weights(), t.vertices, uint32(begin), uint32(end),
				d.temps[s], rows, t.done, uint32(offset), p.who(0), when+uint32(s), key.Seed, key.Run); err != nil {
				return err
			}
		}
		if err := d.count[i].Launch([]int{n}, nil, d.temps[s], t.done, uint32(offset)); err != nil {
			return err
		}
		if err := dev.Finish(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if d.temps[s] == 0 {
			if rest, err := t.atRest(offset, n); err != nil || rest {
				return err
			}
		}
	}
	return nil
}

// atRest says whether a sweep at T = 0 flipped nothing in any of the individuals.
func (t *annealTables) atRest(offset, n int) (bool, error) {
	done := make([]uint32, 2*n)
	if err := t.done.Read(2*offset, done); err != nil {
		return false, err
	}
	for j := range n {
		if done[2*j+1] != 1 {
			return false, nil
		}
	}
	return true, nil
}

// group is the work-items of a group: a quarter of a class, as each decides four
// vertices.
func (d *annealDevices) group(info cl.Info) int {
	if info.Type == cl.CPU {
		return 1
	}
	size := 32
	for size < d.e.plan.x.graph.N()/max(4*d.classes.N(), 1) && size < 256 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

func (d *annealDevices) build() (err error) {
	e := d.e
	d.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define {
		return append(e.defines(d.group(info)), define("CLASSES", d.classes.N()))
	}, kernels.Get("solvers/gomea.cl"), kernels.Get("solvers/annealgraph.cl"))
	if err != nil {
		return err
	}
	u, w, f := cl.Mem[uint32](), e.weightArg(), cl.Mem[float32]()
	if e.resident {
		d.sweeps, err = d.programs.Kernel("annealgraph_sweep", u, u, w, u, u, f, cl.U32, cl.U32, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.Local)
		return err
	}
	if d.class, err = d.programs.Kernel("annealgraph_class", u, u, w, u, cl.U32, cl.U32, cl.F32, u, u, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32); err != nil {
		return err
	}
	d.count, err = d.programs.Kernel("annealgraph_count", cl.F32, u, cl.U32)
	return err
}
