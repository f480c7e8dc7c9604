package shard

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
)

// Eval evaluates points of the view and returns their accumulators, those of point p from index p·Accumulators() on.
// view returns the view's arguments for a shard. After ctx is cancelled it returns, with the error of ctx, the
// accumulators of the first points, those that all devices have evaluated by then.
func (pl *Placement) Eval(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	if pl.writer != nil {
		return pl.writer.eval(ctx, pl, points, view)
	}
	return pl.reduce(ctx, pl.evaluation(points, view))
}

// EvalRows is Eval with the accumulators of each super-tile, as ReduceRows has them. It panics if the view makes points
// and components may read any variable.
func (pl *Placement) EvalRows(ctx context.Context, points int, view func(s int) []any) ([]float64, error) {
	if pl.writer != nil {
		panic("shard: EvalRows of points that are written first")
	}
	return pl.rows(ctx, pl.evaluation(points, view))
}

// filling is the work of computing a row of sums for each tile.
type filling struct {
	width  int // of a row
	points int // that are evaluated, each with the same share of a row; 0: the sums are not an evaluation
	// launch computes the sums of the tiles [tile0, tile0+tiles) of shard s: those of the points [point0, point0+n) of
	// an evaluation, or all of a row.
	launch func(s int, part *Sums, tile0, tiles, point0, n int) error
}

// rowsBy is the work of a launch that computes whole rows.
func rowsBy(width int, launch func(s int, part *Sums, tile0, tiles int) error) filling {
	return filling{width, 0, func(s int, part *Sums, tile0, n, _, _ int) error { return launch(s, part, tile0, n) }}
}

// evaluation is the work of evaluating points of the view.
func (pl *Placement) evaluation(points int, view func(s int) []any) filling {
	return filling{points * pl.p.Accumulators(), points, func(s int, part *Sums, tile0, tiles, point0, n int) error {
		o, first := pl.on[pl.shards[s].Device], pl.shards[s].TileLo
		args := append(view(s), part.Arg(), uint32(first), uint32(tile0), uint32(points), uint32(point0))
		return o.tiles.Launch([]int{(n + o.points - 1) / o.points * o.size, tiles}, []int{o.size, 1},
			append(args, o.Tables...)...)
	}}
}

// Reduce returns width sums over all tiles. launch writes the sums of the tiles [tile0, tile0+tiles) of shard s to
// part, width numbers a row, from row tile0-TileLo on. It is called with ranges that are short enough for LaunchTime.
func (pl *Placement) Reduce(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.reduce(ctx, rowsBy(width, launch))
}

func (pl *Placement) reduce(ctx context.Context, work filling) ([]float64, error) {
	added := pl.Alone() && pl.held[0].total != nil // by the device
	rows := pl.tiling.SuperTiles()
	if added {
		rows = 1
	}
	n := rows * work.width
	pl.last = slices.Grow(pl.last[:0], n)[:n]
	made, stopped := pl.read(ctx, pl.last, work)
	if made == 0 {
		return nil, stopped
	}
	var sums []float64
	if added {
		sums = Fold(pl.last, work.width)
	} else if total, err := pl.total(pl.last, work.width); err == nil {
		sums = total
	} else {
		return nil, err
	}
	return sums[:made*work.width/max(work.points, 1)], stopped
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
		if err := Broadcast(pl.g, sh.Device, total); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// ReduceRows is Reduce with the sums of each super-tile: row s has those of super-tile s, or zeros if the placement has
// no shard with it.
func (pl *Placement) ReduceRows(ctx context.Context, width int, launch func(s int, part *Sums, tile0,
	tiles int) error) ([]float64, error) {
	return pl.rows(ctx, rowsBy(width, launch))
}

// rows returns the sums of all super-tiles.
func (pl *Placement) rows(ctx context.Context, work filling) ([]float64, error) {
	rows := make([]float64, pl.tiling.SuperTiles()*work.width)
	if _, err := pl.read(ctx, rows, work); err != nil {
		return nil, err
	}
	return rows, GatherShards(pl, rows, func(s int) int { return pl.shards[s].SuperHi * work.width })
}

// read reads the sums of the super-tiles of this rank to their rows, or the total if there is one row and the device
// adds them. It returns what scan does.
func (pl *Placement) read(ctx context.Context, rows []float64, work filling) (made int, err error) {
	return pl.scan(ctx, work, func(s int, _ *Sums) error {
		sh := pl.shards[s]
		return pl.gather(s, sh, pl.on[sh.Device], work.width, rows)
	})
}

// Scan is Reduce without the sum: launch fills the rows of a shard's tiles, and done then uses them on the device and
// waits for it.
func (pl *Placement) Scan(ctx context.Context, width int, launch func(s int, part *Sums, tile0, tiles int) error,
	done func(s int, part *Sums) error) error {
	_, err := pl.scan(ctx, rowsBy(width, launch), done)
	return err
}

// scan fills the rows of all tiles, and calls done for each shard. After ctx is cancelled it returns the error of ctx,
// and how many points all shards have evaluated by then, the first ones. If there are none, done may not be called.
func (pl *Placement) scan(ctx context.Context, work filling, done func(s int, part *Sums) error) (made int, err error) {
	if work.width > pl.width {
		panic("shard: more sums per tile than Place made room for")
	}
	all := max(work.points, 1)
	filled := slices.Repeat([]int{all}, len(pl.shards)) // of other ranks, too: with them no step is cancelled
	err = pl.Each(func(s int, sh Shard, d *cl.Device) error {
		part, o := pl.held[s].tiles, pl.on[sh.Device]
		p, group := &o.pace, o.points
		if work.points == 0 {
			p, group = pl.g.paceLike(&o.sums, d, p), 1
		}
		var err error
		filled[s], err = pl.fill(ctx, s, p, group, work)
		if err != nil || filled[s] == 0 {
			return err
		}
		if err := done(s, part); err != nil {
			return err
		}
		p.waited()
		return nil
	})
	if err != nil {
		return 0, err
	}
	return slices.Min(filled), ctx.Err()
}

// fill launches the work of the tiles of a shard, of group points at least. It evaluates some points at a time in all
// tiles, and returns the number of those that are complete: all, unless ctx is cancelled.
func (pl *Placement) fill(ctx context.Context, s int, p *Pacer, group int, work filling) (made int, err error) {
	sh, points := pl.shards[s], max(work.points, 1)
	each := work.width / points // sums of a tile at a point
	part := pl.held[s].tiles
	for made < points {
		end := min(points, made+group*max(1, launchesAtOnce*p.Fit()/(sh.Tiles()*each*group)))
		for tile := sh.TileLo; tile < sh.TileHi; {
			tiles := min(max(1, p.Fit()/((end-made)*each)), sh.TileHi-tile, maxTiles)
			for from, n := made, 0; from < end; from += n {
				if n = end - from; p.Fit() < tiles*n*each {
					n = min(n, max(1, p.Fit()/(tiles*each*group))*group) // of whole groups
				}
				if err := work.launch(s, part, tile, tiles, from, n); err != nil {
					return 0, err
				}
				err := p.Launched(context.WithoutCancel(ctx), float64(tiles*n*each))
				if err != nil {
					return 0, err
				}
				if ctx.Err() == nil {
					continue
				}
				if tile+tiles == sh.TileHi {
					made = from + n
				}
				return made, nil
			}
			tile += tiles
		}
		made = end
	}
	return made, nil
}

// launchesAtOnce bounds the launches of points that are evaluated at the same time. Points of a tile share tables, but
// of points that take long some are to be complete when a run is stopped.
const launchesAtOnce = 16

// Short reports whether all devices evaluate that many points within about LaunchTime, as far as is known.
func (pl *Placement) Short(points int) bool {
	for s, sh := range pl.shards {
		if pl.Here(s) && pl.on[sh.Device].pace.takes(float64(sh.Tiles()*points)).Seconds() > pl.g.opt.LaunchTime {
			return false
		}
	}
	return true
}

// maxTiles is the largest number of tiles of a launch: NVIDIA allows no more groups in a second dimension.
const maxTiles = 65535

// Slices divides a launch over the units of work of shard s into launches of about LaunchTime. All units together cost
// about as much as evaluating points. It waits whenever much is queued, but not at the end.
func (pl *Placement) Slices(s, units, points int, launch func(from, n int) error) error {
	return pl.slices(&pl.on[pl.shards[s].Device].slices, s, units, points, launch)
}

// slices is Slices with the pacer of a kind of launch.
func (pl *Placement) slices(pace *Pacer, s, units, points int, launch func(from, n int) error) error {
	sh := pl.shards[s]
	o, cost := pl.on[sh.Device], float64(sh.Tiles()*points)/float64(units)
	p := pl.g.paceLike(pace, pl.g.devices[sh.Device], &o.pace)
	for from := 0; from < units; {
		n := min(max(int(p.units()/cost), 1), units-from)
		if err := launch(from, n); err != nil {
			return err
		}
		from += n
		if err := p.Launched(context.Background(), float64(n)*cost); err != nil {
			return err
		}
	}
	return nil
}

// gather adds a shard's tiles on the device and reads its rows of sums, or their total if there is one row.
func (pl *Placement) gather(s int, sh Shard, o *placed, width int, sums []float64) error {
	r := pl.held[s]
	super := r.supers()
	if !r.single {
		if err := o.fold.Launch([]int{width, sh.Supers()}, nil, r.tiles.Arg(), r.firsts, super.Arg(),
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
