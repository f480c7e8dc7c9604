package shard

import (
	"context"

	"github.com/clopt/clopt/cl"
)

// Pace holds the pacers of one kind of launch, one for each shard. A unit of work is one round or pass of one tile.
type Pace []Pacer

// pace returns the pacer of shard s. It begins with the time of an evaluation.
func (pl *Placement) pace(p *Pace, s int, d *cl.Device) *Pacer {
	return pl.g.paceLike(&(*p)[s], d, &pl.on[pl.shards[s].Device].pace)
}

// TableArgs returns the declarations of the problem's tables on a device. DATA_PARAMS appends them to the parameters of
// a solver's kernel.
func (pl *Placement) TableArgs(device int) []cl.Arg { return pl.on[device].Params }

// Tables returns the arguments that belong to TableArgs for shard s.
func (pl *Placement) Tables(s int) []any { return pl.on[pl.shards[s].Device].Program.Tables }

// Rounds makes rounds of work in the tiles of every shard, which do not depend on other tiles, and waits for the
// devices. launch gets the rounds [from, from+rounds) and the tiles [tile0, tile0+tiles) of shard s, in launches of at
// most about LaunchTime. A device that is slow at loops around barriers (ONE_ROUND) gets one round a launch. whole
// keeps all tiles of a shard in one launch.
func (pl *Placement) Rounds(pace *Pace, rounds int, whole bool, launch func(s, tile0, tiles, from,
	rounds int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		p, most := pl.pace(pace, s, d), rounds
		if pl.oneRound(d.Info()) {
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
					p.queue(float64(n * tiles))
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

// Passes makes passes over the tiles of every shard one after the other; a pass may read the results of the pass
// before. launch gets a pass and the tiles [tile0, tile0+tiles) of shard s, in launches of at most about LaunchTime. A
// pass over a tile counts as units of the pace. It waits whenever much is queued, and at the end.
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

// oneRound reports whether a device gets one round a launch. On processors runtimes turn the items of a group into a
// loop, and make slow code of a loop around barriers.
func (pl *Placement) oneRound(info cl.Info) bool {
	return info.Type == cl.CPU && !pl.g.opt.Rounds && !pl.serial
}
