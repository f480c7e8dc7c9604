package shard

import (
	"context"

	"github.com/clopt/clopt/cl"
)

// Pace is the pacers of one kind of launch, one of each shard. A unit of work is a tile, of one round or pass.
type Pace []Pacer

// pace is the pacer of shard s, which begins with what an evaluation takes.
func (pl *Placement) pace(p *Pace, s int, d *cl.Device) *Pacer {
	return pl.g.Pace(&(*p)[s], d, pl.on[pl.shards[s].Device].pace.unit)
}

// TableArgs declares the problem's tables, which DATA_PARAMS appends to the
// parameters of a solver's kernel, on the device of index device.
func (pl *Placement) TableArgs(device int) []cl.Arg { return pl.on[device].Params }

// Tables are the arguments that belong to TableArgs for shard s.
func (pl *Placement) Tables(s int) []any { return pl.on[pl.shards[s].Device].Program.Tables }

// Rounds has the tiles of every shard go through rounds of work that are
// independent of other tiles: launch is asked for rounds [from, from+rounds) of
// the tiles [tile0, tile0+tiles) of shard s, in launches of at most about
// LaunchTime; a device that is slow at loops around barriers (ONE_ROUND) gets one
// round a launch. whole keeps the tiles of a shard in one launch. It waits for
// the devices.
func (pl *Placement) Rounds(pace *Pace, rounds int, whole bool, launch func(s, tile0, tiles, from,
	rounds int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		p, most := pl.pace(pace, s, d), rounds
		if pl.g.oneRound(d.Info()) {
			most = 1
		}
		for tile := sh.TileLo; tile < sh.TileHi; {
			fit, tiles := p.units(), sh.TileHi-tile
			if !whole {
				tiles = min(tiles, maxTiles, max(1, int(fit)))
			}
			for from, fit := 0, max(1, int(fit/float64(tiles))); from < rounds; {
				for end := min(from+fit, rounds); from < end; {
					n := min(most, end-from)
					if err := launch(s, tile, tiles, from, n); err != nil {
						return err
					}
					p.queued += float64(n * tiles)
					from += n
				}
				if err := p.Wait(context.Background()); err != nil {
					return err
				}
			}
			tile += tiles
		}
		return nil
	})
}

// Passes has the tiles of every shard go through passes one after the other, each
// of which may read what the pass before wrote: launch is asked for a pass over
// the tiles [tile0, tile0+tiles) of shard s, in launches of at most about
// LaunchTime. A pass is worth that many units of the pace. It waits at the end, and
// before whenever much is queued.
func (pl *Placement) Passes(ctx context.Context, pace *Pace, units float64, passes int,
	launch func(s, tile0, tiles, pass int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		p := pl.pace(pace, s, d)
		for pass := range passes {
			for tile := sh.TileLo; tile < sh.TileHi; {
				tiles := min(sh.TileHi-tile, max(1, int(p.units()/units)))
				if err := launch(s, tile, tiles, pass); err != nil {
					return err
				}
				tile += tiles
				if err := p.Launched(ctx, float64(tiles)*units); err != nil {
					return err
				}
			}
		}
		return p.Wait(context.WithoutCancel(ctx))
	})
}

// oneRound: runtimes that turn the items of a group into a loop, which is what
// processors do, make slow code of a loop around barriers.
func (g *Group) oneRound(info cl.Info) bool { return info.Type == cl.CPU && !g.opt.Rounds }
