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
		return d.e.rowByRow(d.e.kernels.take, i, d.e.plan.Words, 0, p.N, d.e.values(i, p))
	}); err != nil {
		return err
	}
	return d.load(ctx, p, from)
}
