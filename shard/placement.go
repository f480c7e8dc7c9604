package shard

import (
	"context"
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
	parts  []*partial
	last   []float64 // sums of the last Eval, a row for each super-tile, or their total; nil: there was none
}

// placed is the part of a Placement on one device.
type placed struct {
	*Program
	tiles  *cl.Kernel
	fold   *cl.Kernel
	total  *cl.Kernel
	pace   Pacer // of a tile of a point
	points int   // that a group evaluates together
	size   int   // work-items of a group
}

// partial is the sums of one shard.
type partial struct {
	part, super *Sums
	total       *Sums              // of all super-tiles; nil unless all are in this shard and the device adds them
	cuts        *cl.Buffer[uint32] // first tile of each super-tile, counted from the shard's first
	single      bool               // every super-tile is one tile
}

// Place compiles p under view for every device that has a shard. A solver's defines and texts follow those of the
// problem. width is the largest number of sums per tile that Reduce will be asked for; Eval needs points times
// accumulators. The caller closes the Placement.
func Place(g *Devices, p problems.Problem, prec problems.Precision, shards []Shard, view View, width int,
	defines []kernels.Define, extra ...kernels.Part) (*Placement, error) {
	pl := &Placement{g: g, p: p, prec: prec, tiling: p.Tiling(), width: width, serial: view.Serial,
		on: make([]*placed, len(g.devices))}
	used := func(i int) bool { return slices.ContainsFunc(shards, func(sh Shard) bool { return sh.Device == i }) }
	programs, err := g.build(used, func(i int, d *cl.Device) (Assembly, error) {
		pl.on[i] = &placed{}
		return pl.on[i].assembly(pl, d, view, defines, extra)
	})
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		if p != nil {
			pl.on[i].Program = p
		}
	}
	if err := g.Do(func(i int, d *cl.Device) error {
		if pl.on[i] == nil {
			return nil
		}
		return pl.on[i].kernels(d, view, prec)
	}); err != nil {
		pl.Close()
		return nil, err
	}
	if err := pl.Move(shards); err != nil {
		pl.Close()
		return nil, err
	}
	return pl, nil
}

// Move lets the placement have other shards, on devices that had some when it was made.
func (pl *Placement) Move(shards []Shard) error {
	for _, r := range pl.parts {
		r.close()
	}
	pl.shards, pl.parts = shards, make([]*partial, len(shards))
	return pl.Each(func(s int, sh Shard, d *cl.Device) (err error) {
		pl.parts[s], err = pl.room(d, sh)
		return err
	})
}

// assembly returns the assembly of a device. It chooses the size of groups and their number of points.
func (o *placed) assembly(pl *Placement, d *cl.Device, view View, defines []kernels.Define,
	extra []kernels.Part) (Assembly, error) {
	guess := 1e-6
	if d.Info().Type == cl.CPU {
		guess = 1e-4
	}
	pl.g.Pace(&o.pace, d, guess)
	text, err := pl.p.Text(pl.prec, view.Form)
	if err != nil {
		return Assembly{}, err
	}
	text.Tables = slices.Concat(text.Tables, view.Tables)
	o.points, o.size = points(text, pl.prec, pl.p.Accumulators(), pl.g.opt.Points, d.Info())
	if view.Args == nil {
		o.points, o.size = min(o.points, max(view.Points, 1)), view.group(d.Info())
		if o.points > 1 {
			o.size = max(o.size, text.Panel.Group)
		}
	}
	panel := o.points > 1
	if !panel {
		panel, o.size = panelOne(text, pl.g.opt.Points, o.size, d.Info())
	}
	return assemble(pl.p, text, pl.prec, o.points, o.size, panel, view, defines, extra, d.Info(),
		pl.oneRound(d.Info())), nil
}

// kernels finds the kernels that evaluate tiles and add sums.
func (o *placed) kernels(d *cl.Device, view View, prec problems.Precision) (err error) {
	if view.Args != nil {
		args := append(view.Args(prec), SumArg(d), cl.U32, cl.U32, cl.U32)
		if o.tiles, err = o.Kernel("eval_tiles", append(args, o.Params...)...); err != nil {
			return err
		}
	}
	if o.fold, err = o.Kernel("eval_fold", SumArg(d), cl.Mem[uint32](), SumArg(d), cl.U32); err != nil {
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

func (pl *Placement) room(d *cl.Device, s Shard) (r *partial, err error) {
	r = &partial{single: s.Supers() == s.Tiles()}
	defer func() {
		if err != nil {
			r.close()
			r = nil // so that the caller does not close it again
		}
	}()
	// A processor's host adds as fast as it reads, and needs no kernel built for it.
	far := d.Info().Type != cl.CPU || pl.g.opt.Points > 0
	if far && pl.Alone() && s.Supers() > 1 {
		if r.total, err = AllocSums(d, pl.width); err != nil {
			return r, err
		}
	}
	if r.part, err = AllocSums(d, s.Tiles()*pl.width); err != nil || r.single {
		return r, err
	}
	if r.super, err = AllocSums(d, s.Supers()*pl.width); err != nil {
		return r, err
	}
	cuts := make([]uint32, s.Supers()+1)
	for i := range s.Supers() {
		lo, hi := pl.tiling.SuperTile(s.SuperLo + i)
		cuts[i], cuts[i+1] = uint32(lo-s.TileLo), uint32(hi-s.TileLo)
	}
	if r.cuts, err = cl.Alloc[uint32](d, len(cuts)); err != nil {
		return r, err
	}
	return r, r.cuts.Write(0, cuts)
}

// supers returns the sums of super-tiles.
func (r *partial) supers() *Sums {
	if r.single {
		return r.part
	}
	return r.super
}

func (r *partial) close() {
	if r != nil {
		r.part.Close()
		r.super.Close()
		r.total.Close()
		r.cuts.Close()
	}
}

// Close releases programs, tables and sums.
func (pl *Placement) Close() {
	for _, r := range pl.parts {
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

// Kernel finds one of the solver's kernels on every device that has a shard, with the parameters args and the problem's
// tables after them. The result is indexed by device; it is nil for a device without a shard.
func (pl *Placement) Kernel(name string, args func(d *cl.Device) []cl.Arg) ([]*cl.Kernel, error) {
	ks := make([]*cl.Kernel, len(pl.on))
	for i, o := range pl.on {
		if o == nil {
			continue
		}
		var err error
		if ks[i], err = o.Kernel(name, args(pl.g.devices[i])...); err != nil {
			return nil, err
		}
	}
	return ks, nil
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

// Eval evaluates points of the view and returns their accumulators, those of point p from index p·Accumulators() on.
// view returns the view's arguments for a shard.
func (pl *Placement) Eval(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	return pl.reduce(ctx, points*pl.p.Accumulators(), true, pl.evaluation(points, view))
}

// EvalRows is Eval with the accumulators of each super-tile, as ReduceRows has them.
func (pl *Placement) EvalRows(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	return pl.rows(ctx, pl.tiling.SuperTiles(), points*pl.p.Accumulators(), true, pl.evaluation(points, view))
}

// evaluation returns the launch that evaluates tiles at points of the view.
func (pl *Placement) evaluation(points int, view func(s int) []any) func(s int, part *Sums, tile0, tiles int) error {
	return func(s int, part *Sums, tile0, tiles int) error {
		sh := pl.shards[s]
		o := pl.on[sh.Device]
		args := append(view(s), part.Arg(), uint32(sh.TileLo), uint32(tile0), uint32(points))
		size := o.size
		return o.tiles.Launch([]int{(points + o.points - 1) / o.points * size, tiles}, []int{size, 1},
			append(args, o.Tables...)...)
	}
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

// Reduce returns width sums over all tiles. launch writes the sums of the tiles [tile0, tile0+tiles) of shard s to
// part, width numbers a row, from row tile0-TileLo on. It is called with ranges that are short enough for LaunchTime.
func (pl *Placement) Reduce(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.reduce(ctx, width, false, launch)
}

func (pl *Placement) reduce(ctx context.Context, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error) ([]float64, error) {
	rows := pl.tiling.SuperTiles()
	if pl.Alone() && pl.parts[0].total != nil {
		rows = 1
	}
	sums, err := pl.rows(ctx, rows, width, evaluates, launch)
	if err != nil {
		return nil, err
	}
	if evaluates {
		pl.last = sums
	}
	return Fold(sums, width), nil
}

// ReduceRows is Reduce with the sums of each super-tile: row s has those of super-tile s, or zeros if the placement has
// no shard with it.
func (pl *Placement) ReduceRows(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.rows(ctx, pl.tiling.SuperTiles(), width, false, launch)
}

// rows returns the sums of all super-tiles, or their total if rows is 1 and the device adds them.
func (pl *Placement) rows(ctx context.Context, rows, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error) ([]float64, error) {
	sums := make([]float64, rows*width)
	if err := pl.scan(ctx, width, evaluates, launch, func(s int, _ *Sums) error {
		sh := pl.shards[s]
		return pl.gather(s, sh, pl.on[sh.Device], width, sums)
	}); err != nil {
		return nil, err
	}
	return sums, GatherShards(pl, sums, func(s int) int { return pl.shards[s].SuperHi * width })
}

// Scan is Reduce without the sum: launch fills the rows of a shard's tiles, and done then uses them on the device and
// waits for it.
func (pl *Placement) Scan(ctx context.Context, width int, launch func(s int, part *Sums, tile0, tiles int) error,
	done func(s int, part *Sums) error) error {
	return pl.scan(ctx, width, false, launch, done)
}

// scan is Scan. evaluates says that launches are evaluations, the only ones that the pacer measures.
func (pl *Placement) scan(ctx context.Context, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error, done func(s int, part *Sums) error) error {
	if width > pl.width {
		panic("shard: more sums per tile than Place made room for")
	}
	err := pl.Each(func(s int, sh Shard, d *cl.Device) error {
		part, p := pl.parts[s].part, &pl.on[sh.Device].pace
		if !evaluates {
			p = pl.g.Pace(new(Pacer), d, p.unit)
		}
		for tile := sh.TileLo; tile < sh.TileHi; {
			tiles := min(max(1, p.Fit()/width), sh.TileHi-tile, maxTiles)
			if err := launch(s, part, tile, tiles); err != nil {
				return err
			}
			tile += tiles
			if err := p.Launched(ctx, float64(tiles*width)); err != nil {
				return err
			}
		}
		if err := done(s, part); err != nil {
			return err
		}
		p.waited()
		return nil
	})
	if err != nil {
		return err
	}
	return ctx.Err()
}

// maxTiles is the largest number of tiles of a launch: NVIDIA allows no more groups in a second dimension.
const maxTiles = 65535

// Slices cuts a launch over the units of work of shard s into launches of about LaunchTime. All units together cost at
// most as much as evaluating points. It does not wait.
func (pl *Placement) Slices(s, units, points int, launch func(from, n int) error) error {
	sh := pl.shards[s]
	cost := float64(sh.Tiles()*points) / float64(units)
	step := min(max(int(pl.on[sh.Device].pace.units()/cost), 1), units)
	for from := 0; from < units; from += step {
		if err := launch(from, min(step, units-from)); err != nil {
			return err
		}
	}
	return nil
}

// gather adds a shard's tiles on the device and reads its rows of sums, or their total if there is one row.
func (pl *Placement) gather(s int, sh Shard, o *placed, width int, sums []float64) error {
	r := pl.parts[s]
	super := r.supers()
	if !r.single {
		if err := o.fold.Launch([]int{width, sh.Supers()}, nil, r.part.Arg(), r.cuts, super.Arg(),
			uint32(width)); err != nil {
			return err
		}
	}
	if r.total == nil || len(sums) > width {
		return super.Read(0, sums[sh.SuperLo*width:sh.SuperHi*width])
	}
	if err := o.total.Launch([]int{width * o.size}, []int{o.size}, super.Arg(), r.total.Arg(), uint32(sh.Supers()),
		uint32(width)); err != nil {
		return err
	}
	return r.total.Read(0, sums)
}
