package shard

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// Placement is a problem that is compiled under one view on devices, with its tables and room for
// partial sums on each. It is not safe for concurrent use.
type Placement struct {
	g      *Devices
	p      problems.Problem
	prec   problems.Precision
	tiling problems.Tiling
	shards []Shard
	width  int       // sums per tile there is room for
	serial bool      // see View
	on     []*placed // per device; nil where a device has no shard
	held   []*shardSums
	writer *writer   // nil: points are evaluated under the view
	last   []float64 // the sums that reduce has read: rows of this rank's super-tiles, or their total
}

// placed is the part of a Placement on one device.
type placed struct {
	*Program
	groups
	text    problems.Text // of the program, with all tables
	late    int           // sizes that follow the tables as arguments
	tiles   *cl.Kernel    // nil where points are written first
	write   *cl.Kernel
	fold    *cl.Kernel
	total   *cl.Kernel
	pace    Pacer // of a tile of a point
	sums    Pacer // of a tile of other sums
	slices  Pacer // of a tile of a point in Slices
	writing Pacer // of a tile of a point that is written
}

// shardSums are the sums of one shard.
type shardSums struct {
	tiles, super *Sums
	total        *Sums              // of all super-tiles; nil unless all are in this shard and the device adds them
	firsts       *cl.Buffer[uint32] // first tile of each super-tile, counted from the shard's first
	single       bool               // every super-tile is one tile
}

// Place compiles p under view for every device that has a shard. A solver's defines and texts follow those of the
// problem. width is the largest number of sums per tile that Reduce will be asked for; Eval needs points times
// accumulators. The caller closes the Placement.
func Place(g *Devices, p problems.Problem, prec problems.Precision, shards []Shard, view View, width int,
	defines []kernels.Define, extra ...kernels.Part) (*Placement, error) {
	pl := &Placement{g: g, p: p, prec: prec, tiling: p.Tiling(), width: width, serial: view.Serial,
		on: make([]*placed, len(g.devices))}
	used := func(i int) bool { return slices.ContainsFunc(shards, func(sh Shard) bool { return sh.Device == i }) }
	programs, err := g.Build(used, func(i int, d *cl.Device) (Assembly, error) {
		text, err := p.Text(prec, view.Form)
		if err != nil {
			return Assembly{}, err
		}
		o := &placed{groups: view.groups(text, prec, p.Accumulators(), g.opt.Points, d.Info())}
		if view.writes(p.Tiling()) {
			text = problems.Text{} // the program of stored points has it
		}
		text.Tables = slices.Concat(text.Tables, view.Tables)
		o.text = text
		g.Pace(&o.pace, d)
		pl.on[i] = o
		a := view.assemble(p, text, prec, o.groups, pl.oneRound(d.Info()), defines, extra, d.Info())
		if a.late {
			_, _, values := a.sizes.each()
			o.late = len(values)
		}
		return a, nil
	})
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		if p != nil {
			pl.on[i].Program = p
		}
	}
	err = g.Do(func(i int, d *cl.Device) error {
		if pl.on[i] == nil {
			return nil
		}
		return pl.on[i].kernels(d, view, pl.tiling, prec)
	})
	if err == nil {
		err = pl.Move(shards)
	}
	if err == nil && view.writes(pl.tiling) {
		pl.writer, err = newWriter(g, p, prec, shards, width)
	}
	if err != nil {
		pl.Close()
		return nil, err
	}
	return pl, nil
}

// Move lets the placement have other shards, on devices that had some when it was made.
func (pl *Placement) Move(shards []Shard) error {
	for _, r := range pl.held {
		r.close()
	}
	pl.shards, pl.held = shards, make([]*shardSums, len(shards))
	if err := pl.Each(func(s int, sh Shard, d *cl.Device) (err error) {
		pl.held[s], err = pl.room(d, sh)
		return err
	}); err != nil {
		return err
	}
	return pl.writer.move(shards)
}

// kernels finds the kernels that evaluate tiles and add sums.
func (o *placed) kernels(d *cl.Device, view View, t problems.Tiling, prec problems.Precision) (err error) {
	if view.writes(t) {
		args := append(view.Args(prec), RealArg(prec), cl.U32, cl.U32)
		o.write, err = o.Kernel("eval_write", append(args, o.Params...)...)
		if err != nil {
			return err
		}
	} else if view.Args != nil {
		args := append(view.Args(prec), SumArg(d), cl.U32, cl.U32, cl.U32, cl.U32)
		o.tiles, err = o.Kernel("eval_tiles", append(args, o.Params...)...)
		if err != nil {
			return err
		}
	}
	o.fold, err = o.Kernel("eval_fold", SumArg(d), cl.Mem[uint32](), SumArg(d), cl.U32)
	if err != nil {
		return err
	}
	o.total, err = o.Kernel("eval_total", SumArg(d), SumArg(d), cl.U32, cl.U32)
	return err
}

// Alone reports whether one process with one device has the whole problem and adds in float64. Then sums that the
// device adds in the order of the host have the bits of the host.
func (pl *Placement) Alone() bool {
	return !pl.g.Shared() && len(pl.shards) == 1 && pl.g.infos[pl.shards[0].Device].FP64
}

// Here reports whether this rank has shard s.
func (pl *Placement) Here(s int) bool { return pl.g.devices[pl.shards[s].Device] != nil }

func (pl *Placement) room(d *cl.Device, s Shard) (r *shardSums, err error) {
	r = &shardSums{single: s.Supers() == s.Tiles()}
	defer func() {
		if err != nil {
			r.close()
			r = nil // so that the caller does not close it again
		}
	}()
	// A processor's host adds as fast as it reads, and needs no kernel built for it.
	far := d.Info().Type != cl.CPU || pl.g.opt.Points > 0
	if far && pl.Alone() && s.Supers() > 1 {
		r.total, err = AllocSums(d, pl.width)
		if err != nil {
			return r, err
		}
	}
	r.tiles, err = AllocSums(d, s.Tiles()*pl.width)
	if err != nil || r.single {
		return r, err
	}
	r.super, err = AllocSums(d, s.Supers()*pl.width)
	if err != nil {
		return r, err
	}
	firsts := make([]uint32, s.Supers()+1)
	for i := range s.Supers() {
		lo, hi := pl.tiling.SuperTile(s.SuperLo + i)
		firsts[i], firsts[i+1] = uint32(lo-s.TileLo), uint32(hi-s.TileLo)
	}
	r.firsts, err = cl.Alloc[uint32](d, len(firsts))
	if err != nil {
		return r, err
	}
	return r, r.firsts.Write(0, firsts)
}

// supers returns the sums of super-tiles.
func (r *shardSums) supers() *Sums {
	if r.single {
		return r.tiles
	}
	return r.super
}

func (r *shardSums) close() {
	if r != nil {
		r.tiles.Close()
		r.super.Close()
		r.total.Close()
		r.firsts.Close()
	}
}

// Close releases programs, tables and sums. A second Close does nothing, and nil is allowed.
func (pl *Placement) Close() {
	if pl == nil {
		return
	}
	pl.writer.close()
	for _, r := range pl.held {
		r.close()
	}
	for _, o := range pl.on {
		if o != nil {
			o.Close()
		}
	}
}

// Shards returns the shards. The caller must not change the slice.
func (pl *Placement) Shards() []Shard { return pl.shards }

// Program returns the program on the device of shard s, and the index of that device.
func (pl *Placement) Program(s int) (p *Program, device int) {
	device = pl.shards[s].Device
	return pl.on[device].Program, device
}

// Each runs f for every shard of this rank: devices concurrently, the shards of one device in order. It returns the
// first error.
func (pl *Placement) Each(f func(s int, sh Shard, d *cl.Device) error) error {
	return pl.g.Do(func(i int, d *cl.Device) error {
		for s, sh := range pl.shards {
			if sh.Device == i {
				if err := f(s, sh, d); err != nil {
					return fmt.Errorf("shard %d: %w", s, err)
				}
			}
		}
		return nil
	})
}

// Groups returns how many groups evaluate that many points on the device of shard s.
func (pl *Placement) Groups(s, points int) int {
	together := pl.on[pl.shards[s].Device].points
	return (points + together - 1) / together
}

// GroupSize returns the number of work-items of a group on the device of shard s.
func (pl *Placement) GroupSize(s int) int {
	return pl.on[pl.shards[s].Device].size
}
