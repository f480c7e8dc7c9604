package device

import (
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
)

// Exchange copies the variables that shards read from their neighbours: those after a shard's own, and before
// variables before them. x returns the vector of a shard, which begins with the variables before its own.
func Exchange(pl *shard.Placement, before int, x func(s int) *shard.Reals) error {
	shards := pl.Shards()
	after := func(s int) int { return shards[s].ReadHi - shards[s].VarHi } // the last shard's end is the problem's
	if len(shards) == 1 || before == 0 && after(0) == 0 {
		return nil
	}
	ends, starts := make([][]float64, len(shards)), make([][]float64, len(shards))
	if err := pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		own, halo := sh.VarHi-sh.VarLo, 0
		if s > 0 {
			halo = after(s - 1)
		}
		ends[s], starts[s] = make([]float64, min(before, own)), make([]float64, halo)
		return errors.Join(x(s).Read(before+own-len(ends[s]), ends[s]), x(s).Read(before, starts[s]))
	}); err != nil {
		return err
	}
	return pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		if s > 0 {
			if err := x(s).Write(before-len(ends[s-1]), ends[s-1]); err != nil {
				return err
			}
		}
		if s+1 < len(shards) {
			return x(s).Write(before+sh.VarHi-sh.VarLo, starts[s+1])
		}
		return nil
	})
}
