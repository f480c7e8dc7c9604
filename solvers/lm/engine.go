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
	values *shard.Placement // evaluates points
	pl     *shard.Placement // computes residuals
	on     []*vectors
	memory *device.Memory

	residuals, derivatives, products *device.Kernel
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
	if e.values, err = shard.Place(g, p, s.Precision, shards, shard.Plain(), p.Accumulators(), nil); err != nil {
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
		"x list items entries variable value residual product from count tables")
	e.derivatives = e.memory.Kernel(e.pl, "lm_derivatives",
		"x list items entries difference value residual from count tables")
	e.products = e.memory.Kernel(e.pl, "lm_products", "list items entries residual product from count")
	return e, nil
}

func (e *engine) close() {
	e.memory.Close()
	for _, pl := range []*shard.Placement{e.values, e.pl} {
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

// write gives every shard the variables of x that it reads.
func (e *engine) write(x []float64) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.on[s].x.Write(sh.ReadLo, x[sh.ReadLo:sh.ReadHi])
	})
}

// evaluate returns f(x), which need not be finite. x stays on the devices.
func (e *engine) evaluate(ctx context.Context, x []float64) (float64, error) {
	if err := e.write(x); err != nil {
		return 0, err
	}
	acc, err := e.values.Eval(ctx, 1, func(s int) []any {
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
	if err := e.values.Check(e.s.Key, 1, func(_, lo, hi int) ([]float64, error) { return x[lo:hi], nil }); err != nil {
		return err
	}
	return solvers.SameValue(f, v, e.p.Tolerance(e.s.Precision))
}

// chosen is some components, and the products of their vectors.
type chosen struct {
	list     []int               // the components, in increasing order
	size     func(k int) float64 // of the differences of component k; nil: there are none
	work     float64             // as a multiple of that of a value
	at       []int               // by component: where its products begin
	products []float64           // of each of them, as lm_products computes them
	turn     int                 // of the choice
}

// compute computes the products of the chosen components at x.
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

// computeOn computes the products of the components of a shard, of as many at a time as there is room for. Values of
// components that are listed already need no new list.
func (e *engine) computeOn(ctx context.Context, s int, sh shard.Shard, x []float64, c *chosen) error {
	o, l := e.on[s], &e.on[s].list
	lo, hi := e.components(sh)
	first, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at := first; at < end; {
		from := c.at[c.list[at]]
		if c.size == nil && l.turn == c.turn {
			at = end
		} else {
			all := at == first
			at += e.fill(o, c.list[at:end], x, c.size)
			if err := o.write(); err != nil {
				return err
			}
			if all && at == end {
				l.turn = c.turn
			}
		}
		steps := []*device.Kernel{e.residuals, e.derivatives, e.products}
		if c.size == nil {
			steps = steps[:1]
		}
		for _, k := range steps {
			if err := e.launch(ctx, s, k, 1/float64(len(steps))); err != nil {
				return err
			}
		}
		if err := o.product.Read(0, c.products[from:][:l.used.products]); err != nil {
			return err
		}
		if err := o.pace.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a kernel for all entries that a shard has listed, or with slopes, but for products, for all
// components. It takes a part of the time that all kernels take.
func (e *engine) launch(ctx context.Context, s int, k *device.Kernel, part float64) error {
	o, group, used := e.on[s], e.pl.GroupSize(s), e.on[s].list.used
	all := used.entries
	if e.c.s.Slopes() && k != e.products {
		all = used.components
	}
	each := part * float64(used.entries) / float64(all)
	for from := 0; from < all; {
		count := min(all-from, max(1, int(float64(o.pace.Fit())/each)))
		values := device.Values{"items": used.components, "entries": used.entries, "from": from, "count": count}
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
