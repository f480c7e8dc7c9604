package solvers

import (
	"context"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/internal/host"
)

// checkStart refuses start points of the wrong length or outside the box.
func checkStart(p problems.Problem, x0 [][]float64) error {
	d := p.Domain()
	for k, x := range x0 {
		if len(x) != d.N {
			return Settingf("start point %d has %d variables, %s has %d", k, len(x), p.Spec(), d.N)
		}
		for i, v := range x {
			if lo, hi := d.Interval(i); !(v >= lo && v <= hi) {
				return Settingf("variable %d of start point %d is %g, outside %g to %g", i, k, v, lo, hi)
			}
			if d.Binary && v != 0 && v != 1 {
				return Settingf("variable %d of start point %d is %g; write 0 or 1", i, k, v)
			}
		}
	}
	return nil
}

// ordered returns the start points of a run in the order in which the method takes them.
func ordered(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings) ([][]float64, error) {
	return attempts(ctx, g, s.Slow, func() ([][]float64, error) { return bestFirst(ctx, p, g, s.Precision, s.X0) },
		nil)
}

// bestFirst returns start points with the best one, the first of equals, before the others, which keep their order.
// Methods begin at the first one, so that no result is worse than any. The values are those of the host reference or,
// if the problem has none, of the devices. They order points and are no evaluations of the run. All ranks call it.
func bestFirst(ctx context.Context, p problems.Problem, g *shard.Devices, prec problems.Precision,
	x0 [][]float64) ([][]float64, error) {
	if len(x0) < 2 {
		return x0, nil
	}
	f, stored := make([]float64, len(x0)), make([][]float64, len(x0))
	for k := range stored {
		stored[k] = p.Domain().Stored(prec, 0, x0[k])
	}
	var err error
	if h, ok := p.(problems.Referenced); ok {
		for k := range f {
			if f[k], err = problems.Eval(h, stored[k]); err != nil {
				return nil, err
			}
		}
	} else {
		sums, err := shard.Accumulate(ctx, g, p, prec, stored)
		if err != nil {
			return nil, err
		}
		f = shard.Values(p, sums)
	}
	best := 0
	for k := range f {
		if host.Better(f[k], f[best]) {
			best = k
		}
	}
	return slices.Concat(x0[best:best+1], x0[:best], x0[best+1:]), nil
}
