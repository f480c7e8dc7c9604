package engine

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Annealing of a dense graph: a work-group anneals a chain and keeps the fields of all vertices (mixing/dense.cl) or,
// if all weights have one magnitude, the number of gained edges of each (mixing/signs.cl).

// mostDenseItems bounds the work-items of a group. Several small groups on a compute unit are better than a large one,
// because a group waits for memory at each flip.
const mostDenseItems = 256

// densePacks returns the number of packs of a row, of which each work-item has some.
func (d *annealDevices) densePacks(info cl.Info) int {
	switch s := d.Dense.Signs; {
	case s == nil:
		return d.Dense.Row / host.PackSize
	case shard.Wide(info) && d.e.Form.Group == 0:
		return s.Row / host.SignsPack
	default:
		return s.Row
	}
}

// denseGroup returns the work-items of a group: a multiple of 32 that leaves few items idle, or one on a processor.
func (d *annealDevices) denseGroup(info cl.Info) int {
	switch {
	case d.e.Form.Group > 0:
		return d.e.Form.Group
	case info.Type == cl.CPU:
		return 1
	}
	packs, most := d.densePacks(info), min(mostDenseItems, info.MaxGroup)
	each := (packs + most - 1) / most
	return device.RoundUp((packs+each-1)/each, 32)
}

// denseDefines returns the defines of mixing/dense.cl or mixing/signs.cl.
func (d *annealDevices) denseDefines(info cl.Info) []kernels.Define {
	group := d.denseGroup(info)
	packs := d.densePacks(info)
	s := d.Dense.Signs
	sum, entry := "int", "char"
	if d.Dense.Wide {
		sum = "long"
	}
	all := append(d.e.defines(group), kernels.Number("PACKS", (packs+group-1)/group),
		kernels.Number("ANCHOR", int(d.Dense.Anchor)), kernels.Define{Name: "SUM", Value: sum})
	if s != nil {
		return append(all, kernels.Number("ROW", s.Row),
			kernels.Number("DIGITS", s.Digits), kernels.Number("MAGNITUDE", int(s.Magnitude)),
			kernels.Flag("COMPLETE", s.Complete), kernels.Flag("WIDE", s.Row > packs))
	}
	if _, ok := d.Dense.Matrix.([]uint8); !ok {
		entry = sum
	}
	return append(all, kernels.Number("ROW", packs), kernels.Define{Name: "ENTRY", Value: entry})
}

// denseKernels builds the programs of a dense graph and lists the parameters of their kernels.
func (d *annealDevices) denseKernels() (err error) {
	text := "solvers/mixing/dense.cl"
	if d.Dense.Signs != nil {
		text = "solvers/mixing/signs.cl"
	}
	d.programs, err = d.e.g.Programs(d.denseDefines, kernels.Get("solvers/mixing/rest.cl"),
		kernels.Get("solvers/mixing/gomea.cl"), kernels.Get(text))
	if err != nil {
		return err
	}
	get := func(name, params string) *device.Kernel { return d.e.memory.Kernel(d.programs, name, params) }
	k := &d.kernels
	if d.Dense.Signs != nil {
		k.start = get("mixing_signs_start", "matrix parents mates fields first count offset")
		k.sweep = get("mixing_signs_sweep",
			"matrix edges temps from to parents fields done first offset who when seed run room")
		k.follow = get("mixing_signs_follow", "matrix edges parents next mates fields first offset")
		k.evaluate = get("mixing_signs_evaluate", "zobrist parents fields states total first offset room")
		return nil
	}
	k.start = get("mixing_dense_start", "matrix anchored parents mates fields first count offset")
	k.sweep = get("mixing_dense_sweep", "matrix temps from to parents fields done first offset who when seed run room")
	k.follow = get("mixing_dense_follow", "matrix parents next mates fields first offset")
	k.evaluate = get("mixing_dense_evaluate", "anchored zobrist parents fields states total first offset room")
	return nil
}

// none is the mate of a new chain.
const none = math.MaxUint32

// startFields sets the fields of all chains: those of a new one are computed, and those of a copy are copied if both
// are on the same device.
func (d *annealDevices) startFields(ctx context.Context, p *host.Population, mates []uint32) error {
	return d.e.g.Do(func(i int, dev *cl.Device) error {
		t := d.on[i]
		v := d.values(i, p)
		group := d.denseGroup(dev.Info())
		if err := d.e.live[p].on[i].mates.Write(0, mates); err != nil {
			return err
		}
		return d.e.g.Slices(ctx, dev, &t.slow, t.count, func(lo, hi, _ int) error {
			v["offset"], v["count"] = lo, t.count
			return d.kernels.start.Launch(i, []int{(hi - lo) * group}, []int{group}, v)
		})
	})
}

// evaluateFields computes the cuts and hashes of p from fields, and reads the states of all individuals.
func (d *annealDevices) evaluateFields(ctx context.Context, p *host.Population, states []uint32) error {
	if d.of != p { // p has been restored
		p.Annealed = make([]uint32, 2*p.N)
		err := d.begin(ctx, p)
		p.Annealed = nil
		if err != nil {
			return err
		}
	}
	return d.e.g.Do(func(i int, dev *cl.Device) error {
		t := d.on[i]
		r := d.e.live[p].on[i]
		v := d.values(i, p)
		group := d.denseGroup(dev.Info())
		if t.count == 0 {
			return nil
		}
		v["total"], v["offset"], v["room"] = d.Dense.Total, 0, cl.LocalBytes(16*group)
		if err := d.kernels.evaluate.Launch(i, []int{t.count * group}, []int{group}, v); err != nil {
			return err
		}
		return r.states.Read(0, d.e.own(r, states))
	})
}
