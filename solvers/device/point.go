package device

import (
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems/rng"
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
	// Of each shard, the variables that the shard before reads, and those that the one after it reads.
	starts := make([]int, len(shards))
	ends := make([]int, len(shards))
	last := make([]int, len(shards))
	total := 0
	for s, sh := range shards {
		starts[s], ends[s] = total, total
		if s > 0 {
			ends[s] += after(s - 1)
		}
		total = ends[s] + min(before, sh.VarHi-sh.VarLo)
		last[s] = total
	}
	edges := make([]float64, total)
	if err := pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		end := edges[ends[s]:last[s]]
		return errors.Join(x(s).Read(before+sh.VarHi-sh.VarLo-len(end), end),
			x(s).Read(before, edges[starts[s]:ends[s]]))
	}); err != nil {
		return err
	}
	if err := shard.GatherShards(pl, edges, func(s int) int { return last[s] }); err != nil {
		return err
	}
	return pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		if s > 0 {
			end := edges[ends[s-1]:last[s-1]]
			if err := x(s).Write(before-len(end), end); err != nil {
				return err
			}
		}
		if s+1 < len(shards) {
			return x(s).Write(before+sh.VarHi-sh.VarLo, edges[starts[s+1]:ends[s+1]])
		}
		return nil
	})
}

// CheckPoint is the Check of a placement that has evaluated one point last, whose vectors are as for Exchange.
func CheckPoint(pl *shard.Placement, key rng.Key, before int, x func(s int) *shard.Reals) error {
	return pl.Check(key, 1, func(_, lo, hi int) ([]float64, error) {
		v := make([]float64, hi-lo)
		for s, sh := range pl.Shards() {
			if lo >= sh.VarLo && lo < sh.VarHi {
				return v, x(s).Read(before+lo-sh.ReadLo, v)
			}
		}
		return v, nil // the last tiles may have no variables of their own
	})
}
