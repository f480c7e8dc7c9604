package lm

import (
	"context"
	"errors"
	"runtime"
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
	g      *shard.Devices
	p      problems.Problem
	s      solvers.Setup
	c      *components
	j      jacobian
	whole  *shard.Placement // evaluates points
	pl     *shard.Placement // computes residuals
	on     []*vectors
	memory *device.Memory

	equations []int // by component that is a part of its own: where its products are on its shard

	derivatives, trials, values []*kernel // of these tasks, in order
}

// Plan returns the vectors of a run, and the tables of its program.
func (m *LM) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return planOf(p, prec, jacobianOf(p, prec))
}

func planOf(p problems.Problem, prec problems.Precision, j jacobian) shard.Plan {
	one, copies := p.Structure().Period()
	room := newComponents(one, j.by, stacks(p)).room(0, one.Components(), copies)
	waves := max(1, (newOrder(one).size()*copies+maxCells-1)/maxCells)
	room.kept = (room.kept + waves - 1) / waves
	plan := shard.Plan{Items: shareOf(&vectors{}, prec, p.Domain().N, room, j.tapes()).Items()}
	for _, form := range []problems.Form{problems.Tile, problems.Residuals} {
		plan.Items = append(plan.Items, device.TableItems(p, prec, form, 1)...)
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()))
	}
	plan.Host = hostPlan(p)
	return plan
}

// hostPlan returns what a run keeps in the memory of the host.
func hostPlan(p problems.Problem) []shard.PlanItem {
	one, copies := p.Structure().Period()
	c, o := newComponents(one, jacobianOf(p, problems.FP64).by, stacks(p)), newOrder(one)
	cells := 0
	largest := 0
	parts := 0
	for _, q := range o.parts {
		if !o.own(c, q) {
			n := o.cells(q)
			cells += n * copies
			largest = max(largest, n)
			parts += copies
		}
	}
	waves := max(1, (o.size()*copies+maxCells-1)/maxCells)
	answers, most := 0, 0
	for k := range c.of {
		n := c.need(k, derivatives).answers
		answers, most = answers+n*copies, max(most, n)
	}
	n := p.Domain().N
	comps := len(c.of) * copies
	lists := len(c.list) * copies
	const (
		perVariable  = 8 * (4 + 10 + points) // the order, four points, their sums by part, and directions
		perComponent = 8*(2+2+2+points) + 8  // reads, order, lists, values, and numbers of squares
	)
	return []shard.PlanItem{
		{What: "equations: products of derivatives, summed", Bytes: 8 * int64((cells+waves-1)/waves)},
		{What: "their factors, one for each processor", Bytes: 8 * int64(largest*min(parts, runtime.GOMAXPROCS(0)))},
		{What: "products that are not summed yet", Bytes: 8 * int64(min(answers, mostAnswers+most))},
		{What: "points, and what components read", Bytes: int64(n*perVariable + comps*perComponent + 8*lists)},
	}
}

// newEngine compiles the kernels and allocates the vectors of all shards. A shard keeps the equations of those of its
// components that are in one of the waves.
func newEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, j jacobian, c *components, shards []shard.Shard,
	waves int, wave func(k int) int) (_ *engine, err error) {
	e := &engine{g: g, p: p, s: s, j: j, c: c, on: make([]*vectors, len(shards)), equations: make([]int, len(c.own))}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	e.whole, err = shard.Place(g, p, s.Precision, shards, shard.Plain(), p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	view := shard.View{
		Parts:  []kernels.Part{kernels.Get("lib/view_replaced.cl")},
		Args:   func(prec problems.Precision) []cl.Arg { return []cl.Arg{shard.RealArg(prec), cl.U32} },
		Single: true, Form: problems.Residuals, Fixed: true,
	}
	defines := []kernels.Define{kernels.Flag("LM_SLOPES", j.by == bySlopes), kernels.Flag("LM_EXACT", j.by.exact()),
		kernels.Flag("LM_TANGENTS", j.by == byTangents), kernels.Number("LM_WEIGHTS", j.weights),
		kernels.Number("LM_POINTS", points),
		kernels.Number("LM_NARROW", narrow), kernels.Number("LM_TILE", tile)}
	parts := append([]kernels.Part{kernels.Get("solvers/lm/lm.cl"), kernels.Get("solvers/lm/products.cl"),
		kernels.Get("solvers/lm/steps.cl")}, j.part(p)...)
	if e.pl, err = e.place(shards, view, defines, parts); err != nil {
		return nil, err
	}
	e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		lo, hi := e.components(sh)
		e.on[i] = &vectors{room: c.room(lo, hi, 1)}
		kept := make([]int, waves)
		for k := lo; k < hi; k++ {
			kept[wave(k)] += c.need(k, derivatives).kept
		}
		e.on[i].room.kept = slices.Max(kept)
		return shareOf(e.on[i], s.Precision, p.Domain().N, e.on[i].room, j.tapes())
	})
	if err != nil {
		return nil, err
	}
	if err := e.pl.Each(func(i int, _ shard.Shard, d *cl.Device) error {
		e.on[i].group = tile * tile / 16
		if d.Info().Type == cl.CPU {
			e.on[i].group = 1
		}
		lower, upper := make([]float64, p.Domain().N), make([]float64, p.Domain().N)
		for j := range lower {
			lower[j], upper[j] = p.Domain().Interval(j)
		}
		if err := e.on[i].lower.Write(0, lower); err != nil {
			return err
		}
		return e.on[i].upper.Write(0, upper)
	}); err != nil {
		return nil, err
	}
	e.list()
	return e, nil
}

// place builds the program of residuals. The error is errNotExact where that of exact derivatives does not build on a
// device of any rank.
func (e *engine) place(shards []shard.Shard, view shard.View, defines []kernels.Define,
	parts []kernels.Part) (*shard.Placement, error) {
	pl, err := shard.Place(e.g, e.p, e.s.Precision, shards, view, e.p.Accumulators(), defines, parts...)
	if !e.j.by.exact() {
		return pl, err
	}
	_, refused := errors.AsType[*cl.BuildError](err)
	if err != nil && !refused {
		return nil, err
	}
	failed, gathered := e.agreed(e.whole, !refused)
	if gathered != nil || failed {
		if pl != nil {
			pl.Close()
		}
		return nil, errors.Join(gathered, errNotExact)
	}
	return pl, nil
}

// agreed reports whether something has failed on the shards of any rank.
func (e *engine) agreed(pl *shard.Placement, good bool) (failed bool, err error) {
	flags := make([]uint8, len(e.on))
	for s := range flags {
		flags[s] = uint8(problems.Flag(!good))
	}
	err = shard.GatherShards(pl, flags, func(s int) int { return s + 1 })
	return slices.Contains(flags, 1), err
}

// errNotExact means that a device does not take the text of exact derivatives, or has wrong values of it.
var errNotExact = errors.New("no exact derivatives")

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

// compute does the task of the chosen components at x. For values, x has several points, one after the other. Trials
// are at the point of the last derivatives, and x is nil.
func (e *engine) compute(ctx context.Context, x []float64, c *chosen) error {
	if err := e.write(problems.Flag(c.task > 0), x); err != nil {
		return err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		return e.computeOn(ctx, s, sh, d, x, c)
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
func (e *engine) computeOn(ctx context.Context, s int, sh shard.Shard, d *cl.Device, x []float64,
	c *chosen) error {
	o := e.on[s]
	if c.task == derivatives {
		o.kept = 0
	}
	lo, hi := e.components(sh)
	first, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at := first; at < end; {
		from := c.at[c.list[at]]
		at = e.fill(o, c, at, end, x)
		if err := o.write(); err != nil {
			return err
		}
		if err := e.launch(ctx, s, d, c.task); err != nil {
			return err
		}
		if err := o.product.Read(o.room.kept, c.answers[from:][:o.list.used.answers]); err != nil {
			return err
		}
	}
	return nil
}
