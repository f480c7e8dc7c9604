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
	room room
	list list
	pace shard.Pacer // of all kernels for an entry

	x                 *shard.Reals
	items, variable   *cl.Buffer[uint32]
	difference, value *shard.Reals
	residual          *shard.Reals
	product           *shard.Reals
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
	n, m := 0, int(c.of[k].squares)
	if differences {
		n = c.from[k+1] - c.from[k]
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
		{To: &o.items, Name: "list", What: list, Rows: itemNumbers * r.components},
		{To: &o.difference, Name: "difference", What: list, Rows: r.components},
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
		g.Pace(&e.on[i].pace, d, guess)
		return nil
	}); err != nil {
		return nil, err
	}
	e.residuals = e.memory.Kernel(e.pl, "lm_residuals",
		"x list items entries variable value residual from count tables")
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
		return e.share(ctx, s, sh, x, c)
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

// share computes the products of the components of a shard, of as many at a time as there is room for. Values of
// components that are listed already need no new list.
func (e *engine) share(ctx context.Context, s int, sh shard.Shard, x []float64, c *chosen) error {
	o, l := e.on[s], &e.on[s].list
	lo, hi := e.components(sh)
	first, _ := slices.BinarySearch(c.list, lo)
	end, _ := slices.BinarySearch(c.list, hi)
	for at := first; at < end; {
		from := c.at[c.list[at]]
		if c.size == nil && l.turn == c.turn {
			at = end
		} else {
			l.clear()
			begin := at
			for ; at < end; at++ {
				k := c.list[at]
				next := l.used.plus(e.c.need(k, c.size != nil))
				if !next.fits(o.room) {
					break
				}
				e.list(l, k, x, c.size)
				l.used = next
			}
			if err := o.write(); err != nil {
				return err
			}
			if begin == first && at == end {
				l.turn = c.turn
			}
		}
		kernels := []*device.Kernel{e.residuals, e.derivatives, e.products}
		if c.size == nil {
			kernels = slices.Delete(kernels, 1, 2)
		}
		for _, k := range kernels {
			if err := e.launch(ctx, s, k, 1/float64(len(kernels))); err != nil {
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
		if err := k.Launch(s, []int{device.RoundUp(count, group)}, []int{group},
			device.Values{"items": used.components, "entries": used.entries, "from": from, "count": count}); err != nil {
			return err
		}
		if err := o.pace.Launched(ctx, each*float64(count)); err != nil {
			return err
		}
		from += count
	}
	return nil
}

// list is the components that a shard works on, and their entries, as kernels/solvers/lm/lm.cl describes them.
type list struct {
	items      []uint32
	difference []float64
	variable   []uint32
	value      []float64
	used       room
	turn       int // of the choice of which it has all components of the shard; 0: none
}

const itemNumbers = 5

func (l *list) clear() {
	*l = list{l.items[:0], l.difference[:0], l.variable[:0], l.value[:0], room{}, 0}
}

// list appends component k, and its differences at x if there is a function size. The caller counts it as used.
func (e *engine) list(l *list, k int, x []float64, size func(k int) float64) {
	l.items = append(l.items, uint32(k), uint32(l.used.entries), e.c.of[k].squares, uint32(l.used.residuals),
		uint32(l.used.products))
	switch {
	case size == nil:
	case e.c.s.Slopes():
		l.difference = append(l.difference, size(k))
	default:
		l.variable, l.value = append(l.variable, 0), append(l.value, 0) // of the entry at x, which has none
		for _, i := range e.c.variables(k) {
			up, down := e.around(i, x[i], size(k))
			l.variable, l.value = append(l.variable, uint32(i), uint32(i)), append(l.value, up, down)
		}
	}
}

// write gives the device what is listed.
func (o *vectors) write() error {
	if err := o.items.Write(0, o.list.items); err != nil {
		return err
	}
	if err := o.difference.Write(0, o.list.difference); err != nil {
		return err
	}
	if err := o.variable.Write(0, o.list.variable); err != nil {
		return err
	}
	return o.value.Write(0, o.list.value)
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
