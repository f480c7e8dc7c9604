package engine

import (
	"cmp"
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// mix writes the states of the offspring of each device that makes some, calls f, and reads them.
func (e *parallel) mix(p *host.Population, states []uint32,
	f func(i int, d *cl.Device, r *mixRows, v device.Values) error) error {
	return e.g.Do(func(i int, d *cl.Device) error {
		r := e.live[p].on[i]
		if r.count == 0 {
			return nil
		}
		if err := r.states.Write(0, e.own(r, states)); err != nil {
			return err
		}
		if err := f(i, d, r, e.values(i, p)); err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// mixBySets mixes all individuals by all groups of sets.
func (e *parallel) mixBySets(ctx context.Context, p *host.Population, states []uint32) error {
	order := host.Order(e.plan.Groups, e.plan.Sets, e.Setup.Key, p)
	return e.mix(p, states, func(i int, d *cl.Device, r *mixRows, v device.Values) error {
		o := e.on[i]
		if err := o.groups.Write(0, order); err != nil {
			return err
		}
		if err := e.kernels.divide.Launch(i, []int{e.plan.Words}, nil, v); err != nil {
			return err
		}
		return e.g.Slices(ctx, d, &o.pace, r.count, func(lo, hi, pieces int) error {
			if !e.resident {
				return e.spilled(ctx, d, i, v, order, lo, hi, pieces)
			}
			v["offset"] = lo
			groups := len(order) / 3
			pieces = min(pieces, groups)
			for k := range pieces {
				v["from"], v["to"] = groups*k/pieces, groups*(k+1)/pieces
				if err := e.kernels.mix.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// spilled mixes individuals [lo, hi) of device i if an offspring does not fit into local memory: it makes a few
// launches for each group, over the individuals and the sets of the group.
func (e *parallel) spilled(ctx context.Context, d *cl.Device, i int, v device.Values, order []uint32, lo, hi,
	pieces int) error {
	group, k := e.on[i].group, &e.kernels
	for ; lo < hi; lo += maxRows {
		n := min(hi-lo, maxRows)
		v["offset"] = lo
		if err := k.copy.Launch(i, []int{e.plan.Words, n}, nil, v); err != nil {
			return err
		}
		for g := 0; g < len(order); g += 3 {
			begin := int(order[g])
			end := int(order[g+1])
			large := int(order[g+2])
			if err := k.mark.Launch(i, []int{n}, nil, v); err != nil {
				return err
			}
			v["begin"] = begin
			if err := k.large.Launch(i, []int{(large - begin) * group, n}, []int{group, 1}, v); err != nil {
				return err
			}
			v["begin"], v["end"] = large, end
			global := []int{device.RoundUp(end-large, group), n}
			if err := k.sets.Launch(i, global, []int{group, 1}, v); err != nil {
				return err
			}
			if pieces > 1 && g%(3*max(len(order)/3/pieces, 1)) == 0 {
				if err := cmp.Or(d.Finish(), ctx.Err()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// force improves the listed offspring of each device, and reads all states.
func (e *parallel) force(ctx context.Context, p *host.Population, lists [][]uint32, states []uint32) error {
	return e.g.Do(func(i int, d *cl.Device) error {
		list := lists[i]
		o := e.on[i]
		r := e.live[p].on[i]
		v := e.values(i, p)
		if len(list) == 0 {
			return nil
		}
		err := e.g.Slices(ctx, d, &o.slow, len(list), func(lo, hi, _ int) error {
			if err := r.list.Write(0, list[lo:hi]); err != nil {
				return err
			}
			return e.kernels.force.Launch(i, []int{(hi - lo) * o.group}, []int{o.group}, v)
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, e.own(r, states))
	})
}

// mixByComponents makes all offspring by components.
func (e *parallel) mixByComponents(ctx context.Context, p *host.Population, states []uint32) error {
	mates := p.Mates(e.Setup.Key, e.Elite, e.Whole(), e.Force)
	return e.mix(p, states, func(i int, d *cl.Device, r *mixRows, v device.Values) error {
		if err := r.mates.Write(0, mates[r.first:r.first+r.count]); err != nil {
			return err
		}
		o, group := e.on[i], e.componentGroup(d.Info())
		v["room"] = cl.LocalBytes(32)
		return e.g.Slices(ctx, d, &o.pace, r.count, func(lo, hi, _ int) error {
			for ; lo < hi; lo += o.slots {
				v["offset"] = lo
				global := []int{min(hi-lo, o.slots) * group}
				if err := e.component.Launch(i, global, []int{group}, v); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
