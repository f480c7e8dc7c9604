package lm

import (
	"context"
	"slices"

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

	equations []int // by component that is a part of its own: where its products are on its shard

	residuals, derivatives, products, values, steps *device.Kernel
}

// Plan returns the vectors of a run, and the tables of its program.
func (m *LM) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	one, copies := p.Structure().Period()
	room := newComponents(one).room(0, one.Components(), copies)
	waves := max(1, (newOrder(one).size()*copies+maxCells-1)/maxCells)
	room.kept = (room.kept + waves - 1) / waves
	plan := shard.Plan{Items: shareOf(&vectors{}, prec, p.Domain().N, room).Items()}
	for _, form := range []problems.Form{problems.Tile, problems.Residuals} {
		plan.Items = append(plan.Items, device.TableItems(p, prec, form, 1)...)
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()))
	}
	return plan
}

// newEngine compiles the kernels and allocates the vectors of all shards. A shard keeps the equations of those of its
// components that are in one of the waves.
func newEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, c *components, shards []shard.Shard,
	waves int, wave func(k int) int) (_ *engine, err error) {
	e := &engine{p: p, s: s, c: c, on: make([]*vectors, len(shards)), equations: make([]int, len(c.own))}
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
	defines := []kernels.Define{device.Flag("LM_SLOPES", p.Structure().Slopes()), device.Define("LM_POINTS", points)}
	if e.pl, err = shard.Place(g, p, s.Precision, shards, view, p.Accumulators(), defines,
		kernels.Get("solvers/lm/lm.cl")); err != nil {
		return nil, err
	}
	if e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		lo, hi := e.components(sh)
		e.on[i] = &vectors{room: c.room(lo, hi, 1)}
		kept := make([]int, waves)
		for k := lo; k < hi; k++ {
			kept[wave(k)] += c.need(k, derivatives).kept
		}
		e.on[i].room.kept = slices.Max(kept)
		return shareOf(e.on[i], s.Precision, p.Domain().N, e.on[i].room)
	}); err != nil {
		return nil, err
	}
	if err := e.pl.Each(func(i int, _ shard.Shard, d *cl.Device) error {
		o := e.on[i]
		if o.group = e.pl.GroupSize(i); d.Info().Type == cl.CPU {
			o.group = 1
		}
		g.Pace(&o.pace, d)
		g.Pace(&o.solving, d)
		lower, upper := make([]float64, p.Domain().N), make([]float64, p.Domain().N)
		for i := range lower {
			lower[i], upper[i] = p.Domain().Interval(i)
		}
		if err := o.lower.Write(0, lower); err != nil {
			return err
		}
		return o.upper.Write(0, upper)
	}); err != nil {
		return nil, err
	}
	e.residuals = e.memory.Kernel(e.pl, "lm_residuals",
		"x list items variable value residual from count tables")
	e.derivatives = e.memory.Kernel(e.pl, "lm_derivatives",
		"x list items parameter value residual from count tables")
	e.products = e.memory.Kernel(e.pl, "lm_products", "list items residual product from count")
	e.values = e.memory.Kernel(e.pl, "lm_values", "x list points residual product from count tables")
	e.steps = e.memory.Kernel(e.pl, "lm_steps",
		"x lower upper list variable parameter residual product answers from")
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

// write gives every shard the variables that it reads of some points, which stand one after the other in x. The first
// of them becomes point number row on the devices.
func (e *engine) write(row int, x []float64) error {
	n := e.p.Domain().N
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for from := 0; from < len(x); from += n {
			lo, hi := from+sh.ReadLo, from+sh.ReadHi
			if err := e.on[s].x.Write(row*n+lo, x[lo:hi]); err != nil {
				return err
			}
		}
		return nil
	})
}

// evaluate returns f(x), which need not be finite. x stays on the devices.
func (e *engine) evaluate(ctx context.Context, x []float64) (float64, error) {
	if err := e.write(0, x); err != nil {
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

// chosen is some components, and a task for them.
type chosen struct {
	task      task
	list      []int               // the components, in increasing order
	parameter func(k int) float64 // derivatives: size of the differences of component k; steps: its λ
	hold      func(k int) bool    // steps: whether variables at a bound are left out
	work      float64             // as a multiple of that of a value
	at        []int               // by component: where its answers begin
	answers   []float64           // as lm_values, lm_products and lm_steps compute them
}

// compute does the task of the chosen components at x. For values, x has several points, one after the other, or is
// nil: then they are the points that the last steps have led to. Steps are those at the point of the last derivatives,
// and x is nil.
func (e *engine) compute(ctx context.Context, x []float64, c *chosen) error {
	if err := e.write(problems.Flag(c.task > 0), x); err != nil {
		return err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.computeOn(ctx, s, sh, x, c)
	}); err != nil {
		return err
	}
	return shard.GatherShards(e.pl, c.answers, func(s int) int {
		_, hi := e.components(e.pl.Shards()[s])
		if i, _ := slices.BinarySearch(c.list, hi); i < len(c.list) {
			return c.at[c.list[i]]
		}
		return len(c.answers)
	})
}

// computeOn does the task of the components of a shard, of as many at a time as there is room for.
func (e *engine) computeOn(ctx context.Context, s int, sh shard.Shard, x []float64, c *chosen) error {
	o := e.on[s]
	if c.task == derivatives {
		o.kept = 0
	}
	lo, hi := e.components(sh)
	first, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at := first; at < end; {
		from := c.at[c.list[at]]
		at += e.fill(o, c, c.list[at:end], x)
		if err := o.write(); err != nil {
			return err
		}
		if err := e.launchAll(ctx, s, c.task); err != nil {
			return err
		}
		if err := o.product.Read(o.room.kept, c.answers[from:][:o.list.used.answers]); err != nil {
			return err
		}
	}
	return nil
}

// launchAll launches the kernels of a task, and waits for them.
func (e *engine) launchAll(ctx context.Context, s int, t task) error {
	kernels := []*device.Kernel{e.residuals, e.derivatives, e.products}
	switch {
	case t == steps:
		return e.solve(ctx, s)
	case t > 0:
		kernels = []*device.Kernel{e.values}
	}
	for _, k := range kernels {
		if err := e.launch(ctx, s, k, t, 1/float64(len(kernels))); err != nil {
			return err
		}
	}
	return e.on[s].pace.Wait(ctx)
}

// solve launches lm_steps for all components that a shard has listed, and waits.
func (e *engine) solve(ctx context.Context, s int) error {
	o := e.on[s]
	for from, all := 0, o.list.used.components; from < all; {
		count := min(all-from, o.solving.Fit())
		values := device.Values{"answers": o.room.kept, "from": from}
		if err := e.steps.Launch(s, []int{count * o.group}, []int{o.group}, values); err != nil {
			return err
		}
		if err := o.solving.Launched(ctx, float64(count)); err != nil {
			return err
		}
		from += count
	}
	return o.solving.Wait(ctx)
}

// launch launches a kernel for all entries that a shard has listed, or for all components where a work-item computes
// the residuals or the slopes of one. It takes a part of the time that all kernels take.
func (e *engine) launch(ctx context.Context, s int, k *device.Kernel, t task, part float64) error {
	o, group, used := e.on[s], e.pl.GroupSize(s), e.on[s].list.used
	all := used.entries
	if e.c.s.Slopes() && (k == e.residuals || k == e.derivatives) {
		all = used.components
	}
	each := part * float64(used.entries) / float64(all)
	for from := 0; from < all; {
		count := min(all-from, max(1, int(float64(o.pace.Fit())/each)))
		values := device.Values{"items": used.components, "points": max(0, int(t)), "from": from, "count": count}
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
