package trial

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Flat reports whether every component is the same at two uniform points, so that no search can tell points apart. It
// is false if that takes longer than some seconds, and for a problem without an item form.
func Flat(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) (bool, error) {
	text, err := p.Text(prec, problems.Item)
	if errors.Is(err, problems.ErrNoForm) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	t := &trial{g: g, d: g.All()[g.First()], p: p, points: 2}
	defer t.close()
	if err := t.build(text, prec); err != nil {
		return false, err
	}
	const batch = 1024
	for first, begin := 0, time.Now(); first < p.Tiling().M; first += batch {
		n := uint32(min(batch, p.Tiling().M-first))
		one, err := t.launch(ctx, 0, uint32(first), n, 0)
		if err != nil {
			return false, err
		}
		other, err := t.launch(ctx, 1, uint32(first), n, 0)
		if err != nil || !slices.Equal(one, other) || time.Since(begin) > trialTime {
			return false, err
		}
	}
	return true, nil
}
