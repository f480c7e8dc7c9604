package trial

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Flat reports whether every component is the same at two uniform points, so that no search can tell points apart. It
// is false if the value is not finite, if that takes longer than some seconds, and for a problem without an item form.
func Flat(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) (same bool, err error) {
	err = onFirst(g, p, prec, nil, func(t *trial) error {
		const batch = 1024
		for first, begin := 0, t.clock(); first < p.Tiling().M; first += batch {
			n := uint32(min(batch, p.Tiling().M-first))
			one, err := t.launch(ctx, 0, uint32(first), n, 0)
			if err != nil {
				return err
			}
			other, err := t.launch(ctx, 1, uint32(first), n, 0)
			if err != nil || !slices.Equal(one, other) || t.clock()-begin > trialTime {
				return err
			}
		}
		same = true
		return nil
	})
	if err != nil || !same || p.Domain().N > mostFlat {
		return same, err
	}
	values, err := shard.Evaluate(ctx, g, p, prec, [][]float64{Point(p.Domain(), 0)})
	return err == nil && !math.IsNaN(values[0]) && !math.IsInf(values[0], 0), err
}

// mostFlat is the largest number of variables of a point whose value is computed besides.
const mostFlat = 1 << 20
