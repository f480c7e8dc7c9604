package lm

import (
	"context"
	"math"
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

// vectors are those of a shard, as kernels/solvers/lm/lm.cl describes them.
type vectors struct {
	room  room
	list  list
	paces [3]shard.Pacer // of the kernels

	x                                  *shard.Reals
	component, entry, size, first, row *cl.Buffer[uint32]
	owner, variable                    *cl.Buffer[uint32]
	value, residual, product           *shard.Reals
}

// room is what some components need on a device, in numbers.
type room struct{ components, entries, residuals, products int }

func (a room) plus(b room) room {
	return room{a.components + b.components, a.entries + b.entries, a.residuals + b.residuals, a.products + b.products}
}

// fits reports whether there is as much room in b.
func (a room) fits(b room) bool {
	return a.components <= b.components && a.entries <= b.entries && a.residuals <= b.residuals &&
		a.products <= b.products
}

// together is the room for components that a shard works on at a time, if each of them fits into it.
var together = room{1 << 20, 1 << 21, 1 << 24, 1 << 23}

// need returns the room for component k, with or without differences.
func (c *components) need(k int, differences bool) room {
	n, m := len(c.variables(k)), c.s.Squares(k)
	if !differences {
		n = 0
	}
	entries := 1 + 2*n
	if c.s.Slopes() {
		entries = 1 + n
	}
	return room{1, entries, entries * m, 1 + n*(n+3)/2}
}

// room returns that of a shard with copies of the components from lo to hi-1.
func (c *components) room(lo, hi, copies int) (most room) {
	var all room
	for k := lo; k < hi; k++ {
		need := c.need(k, true)
		all = all.plus(need)
		most = room{1, max(most.entries, need.entries), max(most.residuals, need.residuals),
			max(most.products, need.products)}
	}
	return room{min(copies*all.components, together.components),
		max(most.entries, min(copies*all.entries, together.entries)),
		max(most.residuals, min(copies*all.residuals, together.residuals)),
		max(most.products, min(copies*all.products, together.products))}
}

// share lists the vectors of a shard with a room, to be held by o. The problem has n variables.
func share(o *vectors, prec problems.Precision, n int, r room) device.Share {
	const list = "components, variables and values for differences"
	return device.Share{Precision: prec, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: "the point", Rows: n},
		{To: &o.component, Name: "component", What: list, Rows: r.components},
		{To: &o.entry, Name: "entry", What: list, Rows: r.components},
		{To: &o.size, Name: "size", What: list, Rows: r.components},
		{To: &o.first, Name: "first", What: list, Rows: r.components},
		{To: &o.row, Name: "row", What: list, Rows: r.components},
		{To: &o.owner, Name: "owner", What: list, Rows: r.entries},
		{To: &o.variable, Name: "variable", What: list, Rows: r.entries},
		{To: &o.value, Name: "value", What: list, Rows: r.entries},
		{To: &o.residual, Name: "residual", What: "residuals, and those for differences", Rows: r.residuals},
		{To: &o.product, Name: "product", What: "products of derivatives", Rows: r.products},
	}}
}

// Plan returns the vectors of a run, and the tables of its program.
func (m *LM) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	one, copies := p.Structure().Period()
	room := newComponents(one).room(0, one.Components(), copies)
	plan := shard.Plan{Items: share(&vectors{}, prec, p.Domain().N, room).Items()}
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
		return share(e.on[i], s.Precision, p.Domain().N, e.on[i].room)
	}); err != nil {
		return nil, err
	}
	if err := e.pl.Each(func(i int, _ shard.Shard, d *cl.Device) error {
		guess := 1e-8 // seconds that an entry takes
		if d.Info().Type == cl.CPU {
			guess = 1e-6
		}
		for k := range e.on[i].paces {
			g.Pace(&e.on[i].paces[k], d, guess)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	e.residuals = e.memory.Kernel(e.pl, "lm_residuals",
		"x component entry size first owner variable value residual from count tables")
	e.derivatives = e.memory.Kernel(e.pl, "lm_derivatives",
		"x component entry size first owner value residual from count tables")
	e.products = e.memory.Kernel(e.pl, "lm_products", "entry size first row owner residual product from count")
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
	list     []int     // the components, in increasing order
	at       []int     // by component: where its products begin
	products []float64 // of each of them, as lm_products computes them
}

// compute computes the products of some components at x. With a function size, these include the products of derivatives
// of component k, from differences of the size size(k).
func (e *engine) compute(ctx context.Context, x []float64, size func(k int) float64, c *chosen) error {
	if err := e.write(x); err != nil {
		return err
	}
	if err := e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.share(ctx, s, sh, x, size, c)
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

// share computes the products of the components of a shard, of as many at a time as there is room for.
func (e *engine) share(ctx context.Context, s int, sh shard.Shard, x []float64, size func(k int) float64,
	c *chosen) error {
	o, l := e.on[s], &e.on[s].list
	lo, hi := e.components(sh)
	at, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at < end {
		from := c.at[c.list[at]]
		l.clear()
		for ; at < end && l.used.plus(e.c.need(c.list[at], size != nil)).fits(o.room); at++ {
			e.list(l, c.list[at], x, size)
		}
		if err := o.write(); err != nil {
			return err
		}
		kernels := []*device.Kernel{e.residuals, e.products}
		if size != nil {
			kernels = slices.Insert(kernels, 1, e.derivatives)
		}
		for i, k := range kernels {
			if err := e.launch(ctx, s, k, &o.paces[i]); err != nil {
				return err
			}
		}
		if err := o.product.Read(0, c.products[from:][:l.used.products]); err != nil {
			return err
		}
	}
	return nil
}

// launch launches a kernel for all entries that a shard has listed.
func (e *engine) launch(ctx context.Context, s int, k *device.Kernel, pace *shard.Pacer) error {
	group, entries := e.pl.GroupSize(s), e.on[s].list.used.entries
	for from := 0; from < entries; {
		count := min(entries-from, pace.Fit())
		if err := k.Launch(s, []int{device.RoundUp(count, group)}, []int{group},
			device.Values{"from": from, "count": count}); err != nil {
			return err
		}
		if err := pace.Launched(ctx, float64(count)); err != nil {
			return err
		}
		from += count
	}
	return pace.Wait(ctx)
}

// list is the components that a shard works on, and their entries, on the host.
type list struct {
	component, entry, size, first, row, owner, variable []uint32
	value                                               []float64
	used                                                room
}

func (l *list) clear() {
	*l = list{l.component[:0], l.entry[:0], l.size[:0], l.first[:0], l.row[:0], l.owner[:0], l.variable[:0],
		l.value[:0], room{}}
}

// list appends component k, and its differences at x if there is a function size.
func (e *engine) list(l *list, k int, x []float64, size func(k int) float64) {
	o := uint32(len(l.component))
	l.component, l.entry = append(l.component, uint32(k)), append(l.entry, uint32(l.used.entries))
	l.size, l.first = append(l.size, uint32(e.c.s.Squares(k))), append(l.first, uint32(l.used.residuals))
	l.row = append(l.row, uint32(l.used.products))
	add := func(i int, v float64) {
		l.owner, l.variable, l.value = append(l.owner, o), append(l.variable, uint32(i)), append(l.value, v)
	}
	n := e.c.s.Variables()
	switch {
	case size == nil:
		add(n, 0)
	case e.c.s.Slopes():
		add(n, size(k))
		for _, i := range e.c.variables(k) {
			add(i, 0)
		}
	default:
		add(n, 0)
		for _, i := range e.c.variables(k) {
			up, down := e.around(i, x[i], size(k))
			add(i, up)
			add(i, down)
		}
	}
	l.used = l.used.plus(e.c.need(k, size != nil))
}

// write gives the device what is listed.
func (o *vectors) write() error {
	l := &o.list
	for _, v := range []struct {
		to   *cl.Buffer[uint32]
		from []uint32
	}{{o.component, l.component}, {o.entry, l.entry}, {o.size, l.size}, {o.first, l.first}, {o.row, l.row},
		{o.owner, l.owner}, {o.variable, l.variable}} {
		if err := v.to.Write(0, v.from); err != nil {
			return err
		}
	}
	return o.value.Write(0, l.value)
}

// around returns the values of variable i, which is v, at which residuals are computed for its derivatives.
func (e *engine) around(i int, v, size float64) (up, down float64) {
	lo, hi := e.p.Domain().Interval(i)
	h := size * max(math.Abs(v), 1e-3*(hi-lo))
	if up = v + h; up > hi {
		up = v
	}
	if down = v - h; down < lo {
		down = v
	}
	return up, down
}
