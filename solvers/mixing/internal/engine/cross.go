package engine

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Children of individuals on a dense graph, see mixing/internal/host/crossing.go. Each device makes and anneals the
// children of some individuals. While it does, next has the elders.

// Cross makes the children of p. Their fields follow from those of their elders.
func (e *parallel) Cross(ctx context.Context, p *host.Population) (apart bool, err error) {
	ctx, d := context.WithoutCancel(ctx), e.anneal
	sizes, err := e.children(p)
	if err != nil || host.Apart(sizes, e.plan.X.Graph.N()) {
		return true, err
	}
	p.Annealed = make([]uint32, 2*d.units(p.N))
	if err := d.begin(ctx, p); err != nil {
		return false, err
	}
	p.Begin(d.Reheat())
	return false, d.trade(ctx, p, slices.Repeat([]uint32{none}, p.N))
}

// children puts the children of p into next. It returns in how many vertices each individual and its mate differ.
func (e *parallel) children(p *host.Population) (sizes []uint32, err error) {
	mates := p.Mates(e.Setup.Key, e.Elite, e.Whole(), false)
	sizes = make([]uint32, p.N)
	err = e.g.Do(func(i int, _ *cl.Device) error {
		r, v := e.live[p].on[i], e.values(i, p)
		if r.count == 0 {
			return nil
		}
		if err := r.mates.Write(0, mates); err != nil {
			return err
		}
		v["anchor"], v["offset"] = e.anneal.Dense.Anchor, 0
		if err := e.kernels.cross.Launch(i, []int{r.count}, nil, v); err != nil {
			return err
		}
		return r.states.Read(0, sizes[r.first:r.first+r.count])
	})
	if err == nil {
		err = shard.Gather(e.g, sizes, e.end(p, 1))
	}
	return sizes, err
}

// settle ends a generation of children, whose cuts are known.
func (d *annealDevices) settle(ctx context.Context, p *host.Population) error {
	if err := d.trade(ctx, p, p.Settle(d.e.Whole())); err != nil {
		return err
	}
	return d.e.spread(p)
}

// trade exchanges the rows of individuals and of their children or elders, where from[i] is not i, and their fields
// follow.
func (d *annealDevices) trade(ctx context.Context, p *host.Population, from []uint32) error {
	return d.e.g.Do(func(i int, dev *cl.Device) error {
		r := d.e.live[p].on[i]
		t := d.on[i]
		v := d.values(i, p)
		group := d.denseGroup(dev.Info())
		if r.count == 0 {
			return nil
		}
		if err := r.mates.Write(0, from); err != nil {
			return err
		}
		if err := d.e.rowByRow(d.e.kernels.trade, i, d.e.plan.Words, 0, r.count, v); err != nil {
			return err
		}
		return d.e.g.Slices(ctx, dev, &t.following, r.count, func(lo, hi, _ int) error {
			v["offset"] = lo
			return d.kernels.follow.Launch(i, []int{(hi - lo) * group}, []int{group}, v)
		})
	})
}
