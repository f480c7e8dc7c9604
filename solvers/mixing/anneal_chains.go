package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// chainDevices anneals chains one by one, over rows of the engine's order of
// vertices.
type chainDevices struct {
	annealDevices
	sweep, class []*cl.Kernel
	tables       []chainTables
}

// chainTables is one device's.
type chainTables struct{ vertices, classes *cl.Buffer[uint32] }

// share lists the vectors of t.
func (t *chainTables) share(a *host.Annealing) device.Share {
	offsets := make([]uint32, 0, a.Classes.N()+1)
	for _, at := range a.Classes.Offsets {
		offsets = append(offsets, uint32(at))
	}
	const what = "classes of vertices"
	return device.Share{Vectors: []device.Vector{
		list(&t.vertices, "vertices", what, a.Classes.Vertices),
		list(&t.classes, "classes", what, offsets),
	}}
}

func (d *chainDevices) start() (err error) {
	if err := d.build(); err != nil {
		return err
	}
	d.lists, err = device.AllocateOn(d.e.g.Do,
		func(i int, _ *cl.Device) device.Share { return d.tables[i].share(d.Annealing) })
	return err
}

func (d *chainDevices) show(p *host.Population) error { return d.e.spread(p) }

func (d *chainDevices) anneal(ctx context.Context, p *host.Population, from, to int,
	when uint32) (made int64, rest bool, err error) {
	if from == 0 {
		d.growing.Close()
		d.growing, err = device.AllocateOn(d.e.g.Do,
			func(i int, _ *cl.Device) device.Share { return d.on[i].growing(p.N) })
		if err != nil {
			return 0, false, err
		}
	}
	done := make([]uint32, 2*p.N)
	err = d.e.g.Do(func(i int, dev *cl.Device) error {
		r, t := d.e.live[p].on[i], d.on[i]
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
	made, rest = d.total(from, done, func(int) int { return 1 })
	return made, rest, nil
}

// launch runs sweeps [from, to) of n individuals from offset on, in pieces.
func (d *chainDevices) launch(ctx context.Context, i int, dev *cl.Device, p *host.Population, offset, n, from, to int,
	when uint32, pieces int) error {
	e, t, tables := d.e, d.on[i], d.tables[i]
	o, rows, key := e.on[i], e.live[p].on[i].parents, d.Key
	if e.resident {
		group := d.group(dev.Info())
		return sweepInPieces(ctx, dev, from, to, pieces, func(from, to uint32) error {
			return d.sweep[i].Launch([]int{n * group}, []int{group}, o.off, o.nbr, o.weights(), tables.vertices,
				tables.classes, t.temps, from, to, rows, t.done, uint32(offset), p.Who(0), when, key.Seed, key.Run,
				cl.LocalBytes(4*e.plan.words+16))
		})
	}
	return d.byClass(ctx, i, dev, offset, n, from, to, 1, func(s int) error {
		for k := range d.Classes.N() {
			begin, end := d.Classes.Offsets[k], d.Classes.Offsets[k+1]
			if err := d.class[i].Launch([]int{(end+3)/4 - begin/4, n}, nil, o.off, o.nbr, o.weights(), tables.vertices,
				uint32(begin), uint32(end), d.Temps[s], rows, t.done, uint32(offset), p.Who(0), when+uint32(s),
				key.Seed, key.Run); err != nil {
				return err
			}
		}
		return nil
	})
}

// group is the work-items of a group: a quarter of a class, as each decides four
// vertices.
func (d *chainDevices) group(info cl.Info) int {
	if info.Type == cl.CPU {
		return 1
	}
	size := 32
	for size < d.e.plan.x.Graph.N()/max(4*d.Classes.N(), 1) && size < 256 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

func (d *chainDevices) build() (err error) {
	e := d.e
	if err := d.annealDevices.build(func(info cl.Info) []kernels.Define {
		return append(e.defines(d.group(info)), device.Define("CLASSES", d.Classes.N()))
	}, kernels.Get("solvers/mixing/gomea.cl"), kernels.Get("solvers/mixing/anneal.cl")); err != nil {
		return err
	}
	u, w, f := cl.Mem[uint32](), e.weightArg(), cl.Mem[float32]()
	if e.resident {
		d.sweep, err = d.programs.Kernel("mixing_anneal_sweep", u, u, w, u, u, f, cl.U32, cl.U32, u, u, cl.U32, cl.U32,
			cl.U32, cl.U32, cl.U32, cl.Local)
		return err
	}
	d.class, err = d.byClasses("mixing_anneal_class", u, u, w, u, cl.U32, cl.U32, cl.F32, u, u, cl.U32, cl.U32, cl.U32,
		cl.U32, cl.U32)
	return err
}
