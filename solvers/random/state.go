package random

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// State returns randomState. There are no vectors.
func (r *randomRun) State() *solvers.State {
	return &solvers.State{Host: &r.state, Restored: r.restored}
}

// restored draws the best point again and compares its value with the stored one.
func (r *randomRun) restored(ctx context.Context) error {
	if !r.check || math.IsInf(r.state.Sample.Best, 1) {
		return nil
	}
	who, when := counter(r.state.Best)
	key := r.s.Key
	sums, err := r.pl.Eval(ctx, 1, func(int) []any { return []any{key.Seed, key.Run, who, when, uint32(rng.Random)} })
	if err != nil {
		return err
	}
	return solvers.SameValue(shard.Values(r.p, sums)[0], r.state.Sample.Best, r.p.Tolerance(r.s.Precision))
}
