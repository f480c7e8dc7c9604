package shard

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
)

// Pace holds the pacers of one kind of launch, one for each shard. A unit of work is one round or pass of one tile.
type Pace []Pacer

// pace returns the pacer of shard s. It begins with the time of an evaluation.
func (pl *Placement) pace(p *Pace, s int, d *cl.Device) *Pacer {
	return pl.g.paceLike(&(*p)[s], d, &pl.on[pl.shards[s].Device].pace)
}

// Stretch is a range of tiles, [Lo, Hi), that have made the same number of rounds of a call of Rounds.
type Stretch struct{ Lo, Hi, Rounds int }

// at returns the stretch with a tile. Tiles that are in none have made no round.
func at(made []Stretch, tile int) Stretch {
	for _, m := range made {
		if tile < m.Hi {
			return m
		}
	}
	return Stretch{Lo: tile, Hi: math.MaxInt}
}

// busyTiles is how many tiles of a launch keep a compute unit of a processor busy. With few tiles a launch has many
// rounds, and reads and writes what the tiles keep once for all of them.
const busyTiles = 8

// Rounds makes rounds of work in the tiles of every shard, which do not depend on other tiles, and waits for the
// devices. launch gets the rounds [from, from+rounds) and the tiles [tile0, tile0+tiles) of shard s, in launches of at
// most about LaunchTime. A device that is slow at loops around barriers (ONE_ROUND) gets one round a launch. whole
// keeps all tiles of a shard in one launch.
//
// After ctx is cancelled, Rounds returns within one launch, with the error of ctx. made then has what the tiles have
// done, and the next call goes on from there. It is nil before a first call and after a complete one.
func (pl *Placement) Rounds(ctx context.Context, pace *Pace, rounds int, whole bool, made *[]Stretch,
	launch func(s, tile0, tiles, from, rounds int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	before, now := *made, make([][]Stretch, len(pl.shards))
	err := pl.Each(func(s int, sh Shard, d *cl.Device) error {
		p, most := pl.pace(pace, s, d), rounds
		if pl.oneRound(d.Info()) {
			most = 1
		}
		for tile := sh.TileLo; tile < sh.TileHi; {
			begun, units := at(before, tile), p.units()
			tiles := min(sh.TileHi, begun.Hi) - tile
			if !whole {
				tiles = min(tiles, maxTiles, max(1, int(units)))
				if info := d.Info(); info.Type == cl.CPU && most > 1 {
					tiles = min(tiles, max(busyTiles*info.ComputeUnits, int(units)/rounds))
				}
			}
			from := begun.Rounds
			for from < rounds && ctx.Err() == nil {
				fit := max(1, int(p.units()/float64(tiles)))
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
			if k := len(now[s]) - 1; k >= 0 && now[s][k].Rounds == from {
				now[s][k].Hi += tiles
			} else {
				now[s] = append(now[s], Stretch{tile, tile + tiles, from})
			}
			tile += tiles
		}
		return nil
	})
	*made = nil
	if err == nil && ctx.Err() != nil {
		*made, err = slices.Concat(now...), ctx.Err()
	}
	return err
}

// Passes makes passes over the tiles of every shard one after the other; a pass may read the results of the pass
// before. launch gets a pass and the tiles [tile0, tile0+tiles) of shard s, in launches of at most about LaunchTime. It
// waits whenever much is queued, and at the end.
func (pl *Placement) Passes(ctx context.Context, pace *Pace, passes int,
	launch func(s, tile0, tiles, pass int) error) error {
	if *pace == nil {
		*pace = make(Pace, len(pl.shards))
	}
	return pl.Each(func(s int, sh Shard, d *cl.Device) error {
		p := pl.pace(pace, s, d)
		for pass := range passes {
			for tile := sh.TileLo; tile < sh.TileHi; {
				tiles := min(sh.TileHi-tile, p.Fit())
				if err := launch(s, tile, tiles, pass); err != nil {
					return err
				}
				tile += tiles
				if err := p.Launched(ctx, float64(tiles)); err != nil {
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
