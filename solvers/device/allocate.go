// Package device is what methods share of their work with devices: allocating what a run keeps, plans of it, and points
// that are stored whole.
package device

import (
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Rooms has room allocate what every shard needs. refused is a device that had
// too little memory for one of its shards, -1 if there is none.
func Rooms(pl *shard.Placement, room func(s int, sh shard.Shard, d *cl.Device) error) (refused int, err error) {
	full := make([]bool, len(pl.Shards()))
	err = pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		err := room(s, sh, d)
		var memory *cl.MemoryError
		full[s] = errors.As(err, &memory)
		return err
	})
	refused = -1
	for s, sh := range pl.Shards() {
		if full[s] {
			refused = sh.Device
		}
	}
	return refused, err
}

// InPieces has try start on the shards of a plan. A device that refuses gets its
// share in twice as many pieces, until it accepts, since some have more memory
// than they give to one buffer, or mostPieces are not enough.
func InPieces(t problems.Tiling, plans []shard.DevicePlan, try func(shards []shard.Shard) (refused int, err error)) ([]shard.Shard, error) {
	pieces := make([]int, len(plans))
	for {
		shards := shard.Split(t, shard.Supers(plans), pieces)
		refused, err := try(shards)
		if err == nil {
			return shards, nil
		}
		if refused < 0 || pieces[refused] >= mostPieces || t.Whole || plans[refused].Supers <= max(1, pieces[refused]) {
			return nil, err
		}
		pieces[refused] = 2 * max(1, pieces[refused])
	}
}
