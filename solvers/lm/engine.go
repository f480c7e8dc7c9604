package lm

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// engine evaluates points and residuals on the devices. Every device has the whole point; each shard has the residuals
// of its own components.
type engine struct {
	p      problems.Problem
	s      solvers.Setup
	j      *jacobian
	work   float64          // of differences, as a multiple of that of a value
	values *shard.Placement // evaluates points
	pl     *shard.Placement // computes residuals
	on     []*vectors
	memory *device.Memory
	paces  [2]shard.Pace // of the launches at a point, and of those for differences

	residuals *device.Kernel
}

// vectors are those of a shard, for entries as kernels/solvers/lm/lm.cl describes them: one for each component, and
// after them two for each component and each variable that it reads, above and below its value.
type vectors struct {
	x                          *shard.Reals
	component, variable, start *cl.Buffer[uint32]
	value, residual            *shard.Reals

	values, differences []float64 // of the entries for differences, on the host: their values and residuals
}

// entries are those of a shard, in the order of its vectors.
type entries struct{ component, variable, start []uint32 }

// entries returns those of the components from lo to hi-1.
func (j *jacobian) entries(lo, hi int) (e entries) {
	at := 0
	add := func(k, i int) {
		e.component, e.variable = append(e.component, uint32(k)), append(e.variable, uint32(i))
		e.start = append(e.start, uint32(at))
		at += j.rows[k+1] - j.rows[k]
	}
	for k := lo; k < hi; k++ {
		add(k, j.s.Variables())
	}
	for k := lo; k < hi; k++ {
		for _, i := range j.variables(k) {
			add(k, i)
			add(k, i)
		}
	}
	return e
}

// share lists the vectors for the components from lo to hi-1, to be held by o. A plan needs no entries.
func (j *jacobian) share(o *vectors, prec problems.Precision, lo, hi int, e entries) device.Share {
	const list = "components, variables and values for differences"
	n := hi - lo + 2*(j.reads[hi]-j.reads[lo])
	return device.Share{Precision: prec, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: "the point", Rows: j.s.Variables()},
		{To: &o.component, Name: "component", What: list, Rows: n, Data: e.component},
		{To: &o.variable, Name: "variable", What: list, Rows: n, Data: e.variable},
		{To: &o.start, Name: "start", What: list, Rows: n, Data: e.start},
		{To: &o.value, Name: "value", What: list, Rows: n},
		{To: &o.residual, Name: "residual", What: "residuals, and those for differences",
			Rows: j.rows[hi] - j.rows[lo] + 2*(j.at[hi]-j.at[lo])},
	}}
}

// Plan returns the vectors of a run, and the tables of its program.
func (m *LM) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	s := p.Structure()
	plan := shard.Plan{Items: newJacobian(s).share(&vectors{}, prec, 0, s.Components(), entries{}).Items()}
	for _, form := range []problems.Form{problems.Tile, problems.Residuals} {
		plan.Items = append(plan.Items, device.TableItems(p, prec, form, 1)...)
		plan.Items = append(plan.Items, device.SumsItem(p, p.Accumulators()))
	}
	return plan
}

// newEngine compiles the kernels and allocates the vectors of all shards.
func newEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, shards []shard.Shard) (_ *engine, err error) {
	e := &engine{p: p, s: s, j: newJacobian(p.Structure()), work: p.Structure().DifferencesWork(),
		on: make([]*vectors, len(shards))}
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
	if e.pl, err = shard.Place(g, p, s.Precision, shards, view, p.Accumulators(), nil,
		kernels.Get("solvers/lm/lm.cl")); err != nil {
		return nil, err
	}
	if e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		lo, hi := e.components(sh)
		e.on[i] = &vectors{values: make([]float64, 2*(e.j.reads[hi]-e.j.reads[lo])),
			differences: make([]float64, 2*(e.j.at[hi]-e.j.at[lo]))}
		return e.j.share(e.on[i], s.Precision, lo, hi, e.j.entries(lo, hi))
	}); err != nil {
		return nil, err
	}
	e.residuals = e.memory.Kernel(e.pl, "lm_residuals", "x component variable value start residual from count tables")
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

// evaluate returns f(x), which need not be finite. x stays on the devices.
func (e *engine) evaluate(ctx context.Context, x []float64) (float64, error) {
	if err := e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error { return e.on[s].x.Write(0, x) }); err != nil {
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

// shares calls f for every shard that has components, from lo to hi-1.
func (e *engine) shares(f func(o *vectors, lo, hi int) error) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		if lo, hi := e.components(sh); lo < hi { // other tiles have variables only
			return f(e.on[s], lo, hi)
		}
		return nil
	})
}

// complete gives every rank the numbers of all shards. Those of component k are the numbers of[k] to of[k+1]-1.
func (e *engine) complete(numbers []float64, of []int) error {
	return shard.GatherShards(e.pl, numbers, func(s int) int {
		_, hi := e.components(e.pl.Shards()[s])
		return of[hi]
	})
}

// at computes the residuals at x.
func (e *engine) at(ctx context.Context, x, residuals []float64) error {
	if err := e.shares(func(o *vectors, _, _ int) error { return o.x.Write(0, x) }); err != nil {
		return err
	}
	if err := e.launch(ctx, &e.paces[0], 1, func(lo, _, k int) int { return k - lo }); err != nil {
		return err
	}
	j := e.j
	if err := e.shares(func(o *vectors, lo, hi int) error {
		return o.residual.Read(0, residuals[j.rows[lo]:j.rows[hi]])
	}); err != nil {
		return err
	}
	return e.complete(residuals, j.rows)
}

// differentiate computes the residuals at x, and their derivatives from differences. Those by variable i have the size
// size(i).
func (e *engine) differentiate(ctx context.Context, x []float64, size func(i int) float64, residuals,
	derivatives []float64) error {
	if err := e.at(ctx, x, residuals); err != nil {
		return err
	}
	if err := e.shares(func(o *vectors, lo, hi int) error {
		q := 0
		for k := lo; k < hi; k++ {
			for _, i := range e.j.variables(k) {
				o.values[q], o.values[q+1] = e.around(i, x[i], size(i))
				q += 2
			}
		}
		return o.value.Write(hi-lo, o.values)
	}); err != nil {
		return err
	}
	if err := e.launch(ctx, &e.paces[1], e.work, func(lo, hi, k int) int {
		return hi - lo + 2*(e.j.reads[k]-e.j.reads[lo])
	}); err != nil {
		return err
	}
	if err := e.shares(func(o *vectors, lo, hi int) error {
		return e.gather(x, size, lo, hi, o, derivatives)
	}); err != nil {
		return err
	}
	return e.complete(derivatives, e.j.at)
}

// launch computes the residuals of entries, tile by tile. The entries of a tile are work times the work of its value.
// entry returns the first entry of component k in a shard with the components from lo to hi-1.
func (e *engine) launch(ctx context.Context, pace *shard.Pace, work float64, entry func(lo, hi, k int) int) error {
	t := e.p.Tiling()
	return e.pl.Passes(ctx, pace, work, 1, func(s, tile0, tiles, _ int) error {
		lo, hi := e.components(e.pl.Shards()[s])
		first, _ := t.Comps(tile0)
		_, end := t.Comps(tile0 + tiles - 1)
		from, to := entry(lo, hi, first), entry(lo, hi, end)
		if from == to {
			return nil
		}
		group := e.pl.GroupSize(s)
		return e.residuals.Launch(s, []int{device.RoundUp(to-from, group)}, []int{group},
			device.Values{"from": from, "count": to - from})
	})
}

// gather sets the derivatives of the components from lo to hi-1.
func (e *engine) gather(x []float64, size func(i int) float64, lo, hi int, o *vectors, derivatives []float64) error {
	if err := o.residual.Read(e.j.rows[hi]-e.j.rows[lo], o.differences); err != nil {
		return err
	}
	e.divideAll(x, size, lo, hi, o.differences, derivatives)
	return nil
}

// divideAll calls divide for the components from lo to hi-1, on all processors.
func (e *engine) divideAll(x []float64, size func(i int) float64, lo, hi int, differences, derivatives []float64) {
	const together = 16 // components
	parallel((hi-lo+together-1)/together, func(_, block int) {
		first := lo + block*together
		for k := first; k < min(first+together, hi); k++ {
			e.divide(x, size, k, differences[2*(e.j.at[k]-e.j.at[lo]):], derivatives)
		}
	})
}

// divide sets the derivatives of component k from its differences: for each variable that it reads, the residuals above
// and below. Those that are not finite are 0.
func (e *engine) divide(x []float64, size func(i int) float64, k int, differences, derivatives []float64) {
	j := e.j
	m := j.rows[k+1] - j.rows[k]
	for v, i := range j.variables(k) {
		up, down := e.around(i, x[i], size(i))
		above, below := differences[2*v*m:][:m], differences[(2*v+1)*m:][:m]
		column := j.column(derivatives, k, v)
		for c := range column {
			if column[c] = (above[c] - below[c]) / (up - down); !host.Finite(column[c]) {
				column[c] = 0
			}
		}
	}
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
