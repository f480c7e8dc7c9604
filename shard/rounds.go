package shard

import (
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
		if oneRound(d.Info()) {
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

// oneRound: runtimes that turn the items of a group into a loop, which is what
// processors do, make slow code of a loop around barriers.
func oneRound(info cl.Info) bool { return info.Type == cl.CPU }
