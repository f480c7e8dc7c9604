package shard

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
)

// Eval evaluates points of the view and returns their accumulators, those of point p from index p·Accumulators() on.
// view returns the view's arguments for a shard.
func (pl *Placement) Eval(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	return pl.reduce(ctx, points*pl.p.Accumulators(), true, pl.evaluation(points, view))
}

// EvalRows is Eval with the accumulators of each super-tile, as ReduceRows has them.
func (pl *Placement) EvalRows(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	return pl.rows(ctx, points*pl.p.Accumulators(), true, pl.evaluation(points, view))
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

// Reduce returns width sums over all tiles. launch writes the sums of the tiles [tile0, tile0+tiles) of shard s to
// part, width numbers a row, from row tile0-TileLo on. It is called with ranges that are short enough for LaunchTime.
func (pl *Placement) Reduce(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.reduce(ctx, width, false, launch)
}

func (pl *Placement) reduce(ctx context.Context, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error) ([]float64, error) {
	added := pl.Alone() && pl.parts[0].total != nil // by the device
	rows := pl.tiling.SuperTiles()
	if added {
		rows = 1
	}
	pl.last = slices.Grow(pl.last[:0], rows*width)[:rows*width]
	if err := pl.read(ctx, pl.last, width, evaluates, launch); err != nil {
		return nil, err
	}
	if added {
		return Fold(pl.last, width), nil
	}
	return pl.total(pl.last, width)
}

// total adds the rows of all super-tiles in order. Each rank adds those of its shards to the total of the ranks before,
// and passes it on. So every row is added once, on the rank that has it, and only totals cross between hosts.
func (pl *Placement) total(rows []float64, width int) ([]float64, error) {
	total := make([]float64, width)
	for s, sh := range pl.shards {
		if pl.Here(s) {
			add(total, rows[sh.SuperLo*width:sh.SuperHi*width])
		}
		if s+1 < len(pl.shards) && pl.g.rankOf(pl.shards[s+1].Device) == pl.g.rankOf(sh.Device) {
			continue
		}
		if err := Share(pl.g, sh.Device, total); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// ReduceRows is Reduce with the sums of each super-tile: row s has those of super-tile s, or zeros if the placement has
// no shard with it.
func (pl *Placement) ReduceRows(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.rows(ctx, width, false, launch)
}

// rows returns the sums of all super-tiles.
func (pl *Placement) rows(ctx context.Context, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error) ([]float64, error) {
	rows := make([]float64, pl.tiling.SuperTiles()*width)
	if err := pl.read(ctx, rows, width, evaluates, launch); err != nil {
		return nil, err
	}
	return rows, GatherShards(pl, rows, func(s int) int { return pl.shards[s].SuperHi * width })
}

// read reads the sums of the super-tiles of this rank to their rows, or the total if there is one row and the device
// adds them.
func (pl *Placement) read(ctx context.Context, rows []float64, width int, evaluates bool,
	launch func(s int, part *Sums, tile0, tiles int) error) error {
	return pl.scan(ctx, width, evaluates, launch, func(s int, _ *Sums) error {
		sh := pl.shards[s]
		return pl.gather(s, sh, pl.on[sh.Device], width, rows)
	})
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

// Fold returns the sum of rows of width numbers, added in order.
func Fold(rows []float64, width int) []float64 {
	total := make([]float64, width)
	add(total, rows)
	return total
}

// add adds rows to a total, in order.
func add(total, rows []float64) {
	for len(rows) > 0 {
		for j, v := range rows[:len(total)] {
			total[j] += v
		}
		rows = rows[len(total):]
	}
}
