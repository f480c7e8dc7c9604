package trial

import (
	"context"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// RunWithin is Run that leaves components out after a limit.
func RunWithin(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision,
	limit time.Duration) error {
	return onFirst(g, p, prec, nil, func(t *trial) error { return t.watch(ctx, 1, limit) })
}
