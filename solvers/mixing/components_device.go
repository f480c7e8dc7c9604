package mixing

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// componentDevices is mixing by components on the devices of an engine.
type componentDevices struct {
	e        *parallelEngine
	programs *shard.Programs
	kernel   []*cl.Kernel
	on       []*componentTables
	memory   *device.Memory
}

// componentBytes bounds labels and gains on a device, and mostSlots the
// work-groups of a launch.
const (
	componentBytes = 128 << 20
	mostSlots      = 1024
)

// componentTables is one device's share: a label and a gain for each vertex and
// each work-group of a launch.
type componentTables struct {
	labels *cl.Buffer[uint32]
	gains  *cl.Buffer[int32]
	slots  int // work-groups
	pace   shard.Pacer
}

func newComponentTables(info cl.Info, g *graph.Graph) *componentTables {
	fit := max(componentBytes/(8*max(g.N(), 1)), 1)
	return &componentTables{slots: min(mostSlots, 4*max(info.ComputeUnits, 1), fit)}
}

// share lists the vectors of t.
func (t *componentTables) share(g *graph.Graph) device.Share {
	const what = "components: labels and gains"
	return device.Share{Vectors: []device.Vector{
		{To: &t.labels, Name: "labels", What: what, Rows: t.slots * max(g.N(), 1)},
		{To: &t.gains, Name: "gains", What: what, Rows: t.slots * max(g.N(), 1)},
	}}
}

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
	c.kernel, err = c.programs.Kernel("mixing_components", u, u, e.weightArg(), u, u, u, u, u, u, cl.U32, cl.U32, u,
		cl.Mem[int32](), cl.U64, cl.U64, cl.U64, cl.Local)
	if err != nil {
		return nil, err
	}
	g := e.plan.x.Graph
	c.memory, err = device.AllocateOn(e.g.Do, func(i int, d *cl.Device) device.Share {
		c.on[i] = newComponentTables(d.Info(), g)
		return c.on[i].share(g)
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
	for size < c.e.plan.x.Graph.N()/4 && size < 1024 {
		size *= 2
	}
	return max(1, min(size, info.MaxGroup))
}

func (c *componentDevices) close() {
	if c == nil {
		return
	}
	c.memory.Close()
	c.programs.Close()
}

// mix makes all offspring, and reads their states.
func (c *componentDevices) mix(ctx context.Context, p *host.Population, states []uint32) error {
	e, el := c.e, &c.e.run.state.Elite
	mates := p.Mates(e.run.s.Key, el, e.whole(), e.m.Force != "off")
	size := e.stateWords()
	return e.g.Do(func(i int, d *cl.Device) error {
		o, r, t := e.on[i], e.live[p].on[i], c.on[i]
		if r.count == 0 {
			return nil
		}
		own := states[r.first*size : (r.first+r.count)*size]
		if err := r.states.Write(0, own); err != nil {
			return err
		}
		if err := r.mates.Write(0, mates[r.first:r.first+r.count]); err != nil {
			return err
		}
		group := c.group(d.Info())
		err := e.g.Slices(ctx, d, &t.pace, r.count, func(lo, hi, _ int) error {
			for ; lo < hi; lo += t.slots {
				if err := c.kernel[i].Launch([]int{min(hi-lo, t.slots) * group}, []int{group}, o.off, o.nbr,
					o.weights(), o.zobrist, r.parents, o.elite, r.mates, r.next, r.states,
					uint32(r.first), uint32(lo), t.labels, t.gains,
					uint64(el.F), el.Hash, e.whole(), cl.LocalBytes(32)); err != nil {
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
