package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// choose selects the chains of p that go on. Their rows and cuts are up to date on every device.
func (d *annealDevices) choose(ctx context.Context, p *host.Population) error {
	from := d.Select(p)
	if err := d.e.g.Do(func(i int, _ *cl.Device) error {
		r, v := d.e.live[p].on[i], d.e.values(i, p)
		if r.count == 0 {
			return nil
		}
		if err := r.mates.Write(0, from[r.first:r.first+r.count]); err != nil {
			return err
		}
		for lo := 0; lo < r.count; lo += maxRows {
			v["offset"] = lo
			if err := d.e.kernels.take.Launch(i, []int{d.e.plan.words, min(maxRows, r.count-lo)}, nil, v); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := d.e.succeed(p); err != nil {
		return err
	}
	return d.load(ctx, p)
}
