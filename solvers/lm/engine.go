package lm

import (
	"context"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// engine evaluates points, residuals and their derivatives on the devices. Each shard has the residuals of its own
// components, of as many at a time as it has room for.
type engine struct {
	p      problems.Problem
	s      solvers.Setup
	c      *components
	whole  *shard.Placement // evaluates points
	pl     *shard.Placement // computes residuals
	on     []*vectors
	memory *device.Memory

	residuals, derivatives, products, values *device.Kernel
}

// Plan returns the vectors of a run, and the tables of its program.
func (m *LM) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	one, copies := p.Structure().Period()
	room := newComponents(one).room(0, one.Components(), copies)
	plan := shard.Plan{Items: shareOf(&vectors{}, prec, p.Domain().N, room).Items()}
	for _, form := range []problems.Form{problems.Tile, problems.Residuals} {
		plan.Items = append(plan.Items, device.TableItems(p, prec, form, 1)...)
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()))
	}
	return plan
}

// newEngine compiles the kernels and allocates the vectors of all shards.
func newEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, c *components, shards []shard.Shard) (_ *engine,
	err error) {
	e := &engine{p: p, s: s, c: c, on: make([]*vectors, len(shards))}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if e.whole, err = shard.Place(g, p, s.Precision, shards, shard.Plain(), p.Accumulators(), nil); err != nil {
		return nil, err
	}
	view := shard.View{
		Parts:  []kernels.Part{kernels.Get("lib/view_replaced.cl")},
		Args:   func(prec problems.Precision) []cl.Arg { return []cl.Arg{shard.RealArg(prec), cl.U32} },
		Single: true, Form: problems.Residuals,
	}
	defines := []kernels.Define{{Name: "LM_SLOPES", Value: strconv.Itoa(problems.Flag(p.Structure().Slopes()))}}
	if e.pl, err = shard.Place(g, p, s.Precision, shards, view, p.Accumulators(), defines,
		kernels.Get("solvers/lm/lm.cl")); err != nil {
		return nil, err
	}
	if e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		lo, hi := e.components(sh)
		e.on[i] = &vectors{room: c.room(lo, hi, 1)}
		return shareOf(e.on[i], s.Precision, p.Domain().N, e.on[i].room)
	}); err != nil {
		return nil, err
	}
	if err := e.pl.Each(func(i int, _ shard.Shard, d *cl.Device) error {
		g.Pace(&e.on[i].pace, d)
		return nil
	}); err != nil {
		return nil, err
	}
	e.residuals = e.memory.Kernel(e.pl, "lm_residuals",
		"x list items variable value residual from count tables")
	e.derivatives = e.memory.Kernel(e.pl, "lm_derivatives",
		"x list items difference value residual from count tables")
	e.products = e.memory.Kernel(e.pl, "lm_products", "list items residual product from count")
	e.values = e.memory.Kernel(e.pl, "lm_values", "x list points residual product from count tables")
	return e, nil
}

func (e *engine) close() {
	e.memory.Close()
	for _, pl := range []*shard.Placement{e.whole, e.pl} {
		if pl != nil {
			pl.Close()
		}
	}
}

// components returns those of a shard, from lo to hi-1.
func (e *engine) components(sh shard.Shard) (lo, hi int) {
	lo, _ = e.p.Tiling().Comps(sh.TileLo)
	_, hi = e.p.Tiling().Comps(sh.TileHi - 1)
	return lo, hi
}

// write gives every shard the variables that it reads of some points, which stand one after the other in x.
func (e *engine) write(x []float64) error {
	n := e.p.Domain().N
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for from := 0; from < len(x); from += n {
			if err := e.on[s].x.Write(from+sh.ReadLo, x[from+sh.ReadLo:from+sh.ReadHi]); err != nil {
				return err
			}
		}
		return nil
	})
}

// evaluate returns f(x), which need not be finite. x stays on the devices.
func (e *engine) evaluate(ctx context.Context, x []float64) (float64, error) {
	if err := e.write(x); err != nil {
		return 0, err
	}
	acc, err := e.whole.Eval(ctx, 1, func(s int) []any {
		return []any{e.on[s].x.Arg(), uint64(len(x)), uint32(0)}
	})
	if err != nil {
		return 0, err
	}
	return e.p.Objective(acc), nil
}

// compare compares the value f of x with that of the devices, and the tiles of the devices with the host reference.
func (e *engine) compare(ctx context.Context, x []float64, f float64) error {
	v, err := e.evaluate(ctx, x)
	if err != nil {
		return err
	}
	if err := e.whole.Check(e.s.Key, 1, func(_, lo, hi int) ([]float64, error) { return x[lo:hi], nil }); err != nil {
		return err
	}
	return solvers.SameValue(f, v, e.p.Tolerance(e.s.Precision))
}

// chosen is some components, and the products of their vectors.
type chosen struct {
	list     []int               // the components, in increasing order
	points   int                 // at which their values are computed; 0: their derivatives are, at one point
	size     func(k int) float64 // of the differences of component k
	work     float64             // as a multiple of that of a value
	at       []int               // by component: where its products begin
	products []float64           // of each of them, as lm_values and lm_products compute them
}

// compute computes the products of the chosen components. Their points stand one after the other in x.
func (e *engine) compute(ctx context.Context, x []float64, c *chosen) error {
	if err := e.write(x); err != nil {
		return err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.computeOn(ctx, s, sh, x, c)
	}); err != nil {
		return err
	}
	return shard.GatherShards(e.pl, c.products, func(s int) int {
		_, hi := e.components(e.pl.Shards()[s])
		if i, _ := slices.BinarySearch(c.list, hi); i < len(c.list) {
			return c.at[c.list[i]]
		}
		return len(c.products)
	})
}

// computeOn computes the products of the components of a shard, of as many at a time as there is room for.
func (e *engine) computeOn(ctx context.Context, s int, sh shard.Shard, x []float64, c *chosen) error {
	o := e.on[s]
	lo, hi := e.components(sh)
	first, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at := first; at < end; {
		from := c.at[c.list[at]]
		at += e.fill(o, c, c.list[at:end], x)
		if err := o.write(); err != nil {
			return err
		}
		steps := []*device.Kernel{e.residuals, e.derivatives, e.products}
		if c.points > 0 {
			steps = []*device.Kernel{e.values}
		}
		for _, k := range steps {
			if err := e.launch(ctx, s, k, c.points, 1/float64(len(steps))); err != nil {
				return err
			}
		}
		if err := o.product.Read(0, c.products[from:][:o.list.used.products]); err != nil {
			return err
		}
		if err := o.pace.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a kernel for all entries that a shard has listed, or for all components where a work-item computes
// the residuals or the slopes of one. It takes a part of the time that all kernels take.
func (e *engine) launch(ctx context.Context, s int, k *device.Kernel, points int, part float64) error {
	o, group, used := e.on[s], e.pl.GroupSize(s), e.on[s].list.used
	all := used.entries
	if e.c.s.Slopes() && (k == e.residuals || k == e.derivatives) {
		all = used.components
	}
	each := part * float64(used.entries) / float64(all)
	for from := 0; from < all; {
		count := min(all-from, max(1, int(float64(o.pace.Fit())/each)))
		values := device.Values{"items": used.components, "points": points, "from": from, "count": count}
		if err := k.Launch(s, []int{device.RoundUp(count, group)}, []int{group}, values); err != nil {
			return err
		}
		if err := o.pace.Launched(ctx, each*float64(count)); err != nil {
			return err
		}
		from += count
	}
	return nil
}
