package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
)

// componentDevices is mixing by components on the devices of an engine.
type componentDevices struct {
	e        *parallelEngine
	programs *shard.Programs
	kernel   []*cl.Kernel
	on       []*componentTables
}

// componentTables is one device's share: a label and a gain for each vertex and
// each work-group of a launch.
type componentTables struct {
	mates, labels *cl.Buffer[uint32]
	gains         *cl.Buffer[int32]
	slots         int
	pace          shard.Pacer
}

// componentBytes bounds labels and gains on a device, and mostSlots the
// work-groups of a launch.
const (
	componentBytes = 128 << 20
	mostSlots      = 1024
)

func (e *parallelEngine) newComponents() (_ *componentDevices, err error) {
	c := &componentDevices{e: e, on: make([]*componentTables, len(e.on))}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	c.programs, err = e.g.Programs(func(info cl.Info) []kernels.Define {
		return e.defines(c.group(info))
	}, kernels.Get("solvers/mixing/gomea.cl"), kernels.Get("solvers/mixing/components.cl"))
	if err != nil {
		return nil, err
	}
	u := cl.Mem[uint32]()
	c.kernel, err = c.programs.Kernel("mixing_components", u, u, e.weightArg(), u, u, u, u, u, u, cl.U32, cl.U32, u, cl.Mem[int32](), cl.U64, cl.U64, cl.U64, cl.Local)
	if err != nil {
		return nil, err
	}
	n := max(e.plan.x.graph.N(), 1)
	err = e.g.Do(func(i int, d *cl.Device) (err error) {
		t := &componentTables{slots: min(mostSlots, 4*max(d.Info().ComputeUnits, 1), max(componentBytes/(8*n), 1))}
		c.on[i] = t
		if t.labels, err = cl.Alloc[uint32](d, t.slots*n); err != nil {
			return err
		}
		t.gains, err = cl.Alloc[int32](d, t.slots*n)
		return err
	})
	return c, err
}

func (c *componentDevices) group(info cl.Info) int {
	if c.e.m.group > 0 {
		return c.e.m.group
	}
	if info.Type == cl.CPU {
		return 1
	}
	size := 64
	for size < c.e.plan.x.graph.N()/4 && size < 1024 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

func (c *componentDevices) close() {
	if c == nil {
		return
	}
	for _, t := range c.on {
		if t == nil {
			continue
		}
		closeAll(t.mates, t.labels)
		if t.gains != nil {
			t.gains.Close()
		}
	}
	if c.programs != nil {
		c.programs.Close()
	}
}

// mix makes all offspring, and reads their states.
func (c *componentDevices) mix(ctx context.Context, p *population, states []uint32) error {
	e, el := c.e, &c.e.run.state.Elite
	mates := p.mates(e.run.s.Key, el, e.whole(), e.m.Force != "off")
	size := e.stateWords()
	return e.g.Do(func(i int, d *cl.Device) error {
		o, r, t := e.on[i], e.live[p][i], c.on[i]
		if r.count == 0 {
			return nil
		}
		own := states[r.first*size : (r.first+r.count)*size]
		if err := r.states.Write(0, own); err != nil {
			return err
		}
		closeAll(t.mates)
		var err error
		if t.mates, err = buffer(d, mates[r.first:r.first+r.count]); err != nil {
			return err
		}
		group := c.group(d.Info())
		err = e.g.Slices(ctx, d, &t.pace, r.count, func(lo, hi, _ int) error {
			for ; lo < hi; lo += t.slots {
				if err := c.kernel[i].Launch([]int{min(hi-lo, t.slots) * group}, []int{group}, o.off, o.nbr, o.weights(), o.zobrist,
					r.parents, o.elite, t.mates, r.next, r.states, uint32(r.first), uint32(lo), t.labels, t.gains,
					uint64(el.f), el.hash, e.whole(), cl.LocalBytes(32)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.states.Read(0, own)
	})
}
