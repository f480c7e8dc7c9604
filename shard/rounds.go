package shard

import (
	"context"
	"time"

	"github.com/clopt/clopt/cl"
)

// Pace is what one kind of launch was seen to take on each shard, in seconds
// per tile and round. It sizes later launches and never changes results.
type Pace []float64

// TableArgs declares the problem's tables, which DATA_PARAMS appends to the
// parameters of a solver's kernel, on the device of index device.
func (pl *Placement) TableArgs(device int) []cl.Arg { return pl.on[device].decl }

// Tables are the arguments that belong to TableArgs for shard s.
func (pl *Placement) Tables(s int) []any { return pl.on[pl.shards[s].Device].data }

// Rounds has the tiles of every shard go through rounds of work that are
// independent of other tiles: launch is asked for rounds [from, from+rounds) of
// the tiles [tile0, tile0+tiles) of shard s, in launches of at most about
// LaunchTime; a device that is slow at loops around barriers (ONE_ROUND) gets one
// round a launch. whole keeps the tiles of a shard in one launch. It waits for
// the devices.
func (pl *Placement) Rounds(pace *Pace, rounds int, whole bool, launch func(s, tile0, tiles, from, rounds int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	limit := pl.g.opt.LaunchTime
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		if (*pace)[s] == 0 {
			(*pace)[s] = pl.on[sh.Device].pace
		}
		most := rounds
		if pl.g.oneRound(d.Info()) {
			most = 1
		}
		for tile := sh.TileLo; tile < sh.TileHi; {
			tiles := sh.TileHi - tile
			if !whole {
				tiles = min(tiles, maxTiles, max(1, int(limit/(*pace)[s])))
			}
			fit := min(rounds, max(1, int(limit/((*pace)[s]*float64(tiles)))))
			for from := 0; from < rounds; {
				start, first := time.Now(), from
				for end := min(from+fit, rounds); from < end; {
					n := min(most, end-from)
					if err := launch(s, tile, tiles, from, n); err != nil {
						return err
					}
					from += n
				}
				if err := d.Finish(); err != nil {
					return err
				}
				(*pace)[s] = ((*pace)[s] + time.Since(start).Seconds()/float64((from-first)*tiles)) / 2
			}
			tile += tiles
		}
		return nil
	})
}

// Passes has the tiles of every shard go through passes one after the other, each
// of which may read what the pass before wrote: launch is asked for a pass over
// the tiles [tile0, tile0+tiles) of shard s, in launches of at most about
// LaunchTime. A pass is worth so many units of the pace. It waits whenever some fifth of a
// second is queued, and at the end.
func (pl *Placement) Passes(ctx context.Context, pace *Pace, units float64, passes int, launch func(s, tile0, tiles, pass int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		if (*pace)[s] == 0 {
			(*pace)[s] = pl.on[sh.Device].pace
		}
		queued, start := 0, time.Now() // tiles, since the last wait
		wait := func() error {
			err := d.Finish()
			// The pace only sizes later launches; half weight damps one slow call.
			(*pace)[s] = ((*pace)[s] + time.Since(start).Seconds()/(units*float64(queued))) / 2
			queued, start = 0, time.Now()
			return err
		}
		for pass := range passes {
			for tile := sh.TileLo; tile < sh.TileHi; {
				cost := (*pace)[s] * units
				tiles := min(sh.TileHi-tile, max(1, int(min(pl.g.opt.LaunchTime/cost, 1<<30))))
				if err := launch(s, tile, tiles, pass); err != nil {
					return err
				}
				tile += tiles
				if queued += tiles; float64(queued)*cost > 0.2 {
					if err := wait(); err != nil {
						return err
					}
					if err := ctx.Err(); err != nil {
						return err
					}
				}
			}
		}
		if queued == 0 {
			return nil
		}
		return wait()
	})
}

// oneRound: runtimes that turn the items of a group into a loop, which is what
// processors do, make slow code of a loop around barriers.
func (g *Group) oneRound(info cl.Info) bool { return info.Type == cl.CPU && !g.opt.Rounds }
