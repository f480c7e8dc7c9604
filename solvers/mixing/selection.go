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
		if err := d.e.live[p].on[i].mates.Write(0, from); err != nil {
			return err
		}
		v := d.e.values(i, p)
		for lo := 0; lo < p.N; lo += maxRows {
			v["offset"] = lo
			if err := d.e.kernels.take.Launch(i, []int{d.e.plan.Words, min(maxRows, p.N-lo)}, nil, v); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return d.load(ctx, p, from)
}
