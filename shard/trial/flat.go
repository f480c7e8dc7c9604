package trial

import (
	"context"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Flat reports whether every component is the same at two uniform points, so that no search can tell points apart. It
// is false if that takes longer than some seconds, and for a problem without an item form.
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
	return same, err
}
