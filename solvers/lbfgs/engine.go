package lbfgs

import (
	"context"
	"errors"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// engine is the vectors of a run on the devices, and the launches that change them.
type engine struct {
	p    problems.Problem
	g    *shard.Devices
	s    solvers.Setup
	skip int // variables before a shard's own
	rows int

	values *shard.Placement // evaluates points
	pl     *shard.Placement // evaluates the components that read a variable
	on     []*vectors
	memory *device.Memory
	touch  []kernels.Define // which components read a variable

	adjoint *adjoint  // nil: gradients are differences
	exact   slopes    // nil: it is not built
	coarse  slopes    // differences; nil: they have not been needed
	rounded *rounding // nil: there are no kinks to round, or it is not built

	uniform, kicked, gradient, dots, direction, try, take, copied, clear, stretched, along *device.Kernel
}

// dots is the number of inner products for each pair.
const dots = 5

// engine compiles the kernels and allocates the vectors of all shards.
func (m *LBFGS) engine(p problems.Problem, g *shard.Devices, s solvers.Setup, shards []shard.Shard) (_ *engine,
	err error) {
	e := &engine{p: p, g: g, s: s, skip: before(p.Structure()), rows: m.rows(), on: make([]*vectors, len(shards)),
		adjoint: adjointOf(p, s.Precision)}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	e.values, err = shard.Place(g, p, s.Precision, shards, shard.Plain(), p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	box, boxed := partial.BoxTables(p, s.Precision)
	view := shard.View{
		Parts:  []kernels.Part{kernels.Get("lib/view_replaced.cl")},
		Args:   func(prec problems.Precision) []cl.Arg { return []cl.Arg{shard.RealArg(prec), cl.U32} },
		Single: true, Form: problems.Item,
		Tables: slices.Concat(box, p.Structure().TouchTables(), e.adjoint.tables(p.Structure())),
	}
	e.touch = append(partial.TouchDefines(p.Structure()), boxed)
	e.pl, err = shard.Place(g, p, s.Precision, shards, view, dots*e.rows+1,
		append(slices.Clone(e.touch), kernels.Number("PAIR_ROWS", e.rows)), kernels.Get("lib/touch.cl"),
		kernels.Get("solvers/lbfgs/lbfgs.cl"))
	if err != nil {
		return nil, err
	}
	e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		e.on[i] = &vectors{}
		share := m.share(e.on[i], p, s.Precision, sh.Vars())
		share.Vectors = append(share.Vectors, e.adjoint.vectors(e.on[i], p, sh.Vars(), &g.Infos()[sh.Device])...)
		lo, hi, ownLo, ownHi := e.components(sh)
		share.FirstPart, share.Parts, share.PartsBefore, share.PartsAfter = lo, hi-lo, ownLo-lo, hi-ownHi
		share.Values = device.Values{"lo": e.lo(sh), "own": sh.ReadLo, "skip": e.skip, "stride": uint64(sh.Vars()),
			"seed": s.Key.Seed, "run": s.Key.Run, "first_kink": lo}
		return share
	})
	if err != nil {
		return nil, err
	}
	e.describe()
	return e, e.build(shards)
}

// build builds the program of the gradients. If that of exact ones does not build on a device, they are differences.
func (e *engine) build(shards []shard.Shard) (err error) {
	if e.adjoint != nil {
		e.exact, err = e.newExact()
		if err == nil && e.adjoint.rounded != nil {
			e.rounded, err = e.newRounding(shards)
			if err == nil {
				err = e.rounded.sharpen()
			}
		}
		_, refused := errors.AsType[*cl.BuildError](err)
		if err != nil && (!refused || e.s.Precision == problems.FP32) {
			return err
		}
		flags := make([]uint8, len(e.on))
		for s := range flags {
			flags[s] = uint8(problems.Flag(refused))
		}
		if err := shard.GatherShards(e.pl, flags, func(s int) int { return s + 1 }); err != nil {
			return err
		}
		if slices.Contains(flags, 1) {
			e.refuse()
		}
	}
	if e.exact == nil {
		e.coarse, err = e.newDifferences()
	}
	return err
}

// refuse makes all gradients from now on of differences.
func (e *engine) refuse() {
	if e.exact != nil {
		e.exact.close()
	}
	if e.rounded != nil {
		e.rounded.close()
	}
	e.exact, e.rounded = nil, nil
}

// describe lists the parameters of all kernels.
func (e *engine) describe() {
	kernel := func(name, params string) *device.Kernel { return e.memory.Kernel(e.pl, name, params) }
	e.uniform = kernel("lbfgs_uniform", "x lo first count descent seed run tables")
	e.kicked = kernel("lbfgs_kick", "x skip current own count share reach one descent seed run tables")
	e.gradient = kernel("lbfgs_gradient", "gradient direction pairs stride pair count")
	e.dots = kernel("lbfgs_dots", "x lo gradient pairs stride own sums first tile0 pair tables")
	e.direction = kernel("lbfgs_direction", "x skip gradient pairs direction stride own weights count tables")
	e.try = kernel("lbfgs_try", "x y lo gradient direction own t sums first tile0 tables")
	e.along = kernel("lbfgs_along", "x y lo direction own sums first tile0 tables")
	e.take = kernel("lbfgs_take", "x y skip pairs stride pair count")
	e.copied = kernel("lbfgs_copy", "from skip to count")
	e.clear = kernel("lbfgs_clear", "vector elements")
	e.stretched = kernel("lbfgs_stretch", "vector own count widest divide tables")
}

func (e *engine) close() {
	for _, s := range []slopes{e.exact, e.coarse} {
		if s != nil {
			s.close()
		}
	}
	if e.rounded != nil {
		e.rounded.close()
	}
	e.memory.Close()
	e.values.Close()
	e.pl.Close()
}

// lo returns the number of the first variable that a shard stores. Below 0 it wraps around.
func (e *engine) lo(sh shard.Shard) uint32 { return uint32(sh.ReadLo - e.skip) }

// real returns v as an argument of type real.
func (e *engine) real(v float64) any {
	if e.s.Precision == problems.FP32 {
		return float32(v)
	}
	return v
}

// launch queues a kernel in groups of a size. Items beyond their number return at once: groups that a driver chooses
// must divide the number, and are of one item if it is prime.
func launch(k *device.Kernel, s, items, size int, more device.Values) error {
	return k.Launch(s, []int{device.RoundUp(items, size)}, []int{size}, more)
}

// each queues a kernel with one item for each variable that a shard stores.
func (e *engine) each(k *device.Kernel, more device.Values) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		values := device.Values{"count": sh.Vars()}
		for name, v := range more {
			values[name] = v
		}
		return launch(k, s, sh.Vars(), e.pl.GroupSize(s), values)
	})
}

// draw makes the point of a descent: point x0 or, if it is nil, a uniform one.
func (e *engine) draw(descent int, x0 []float64) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		lo := max(0, sh.ReadLo-e.skip)
		if x0 != nil {
			return e.on[s].x.Write(lo-sh.ReadLo+e.skip, e.p.Domain().Stored(e.s.Precision, lo, x0[lo:sh.ReadHi]))
		}
		n := sh.ReadHi - lo
		return launch(e.uniform, s, n, e.pl.GroupSize(s), device.Values{"first": lo, "count": n, "descent": descent})
	})
}

// kick makes the point of a descent from the current minimum.
func (e *engine) kick(descent int, k kick) error {
	d := e.p.Domain()
	one := uint32(d.N) // no variable
	if k.Bodies == 0 {
		one = host.KickOf(e.s.Key, descent, d.N).One
	}
	if err := e.each(e.kicked, device.Values{"descent": descent, "share": e.real(k.Share), "reach": e.real(k.Reach),
		"one": one}); err != nil {
		return err
	}
	for _, i := range k.bodies(e.p.Structure(), e.s.Key, descent) {
		if err := e.set(i, anew(d, e.s.Key, descent, i)); err != nil {
			return err
		}
	}
	return e.exchange(func(v *vectors) *shard.Reals { return v.x })
}

// set sets a variable of the point.
func (e *engine) set(i int, v float64) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		if i < sh.VarLo || i >= sh.VarHi {
			return nil
		}
		return e.on[s].x.Write(e.skip+i-sh.ReadLo, []float64{v})
	})
}

// exchange copies the variables of a vector that shards read from their neighbours.
func (e *engine) exchange(of func(*vectors) *shard.Reals) error {
	return device.Exchange(e.pl, e.skip, func(s int) *shard.Reals { return of(e.on[s]) })
}

// evaluate returns the accumulators of a point.
func (e *engine) evaluate(ctx context.Context, of func(*vectors) *shard.Reals) ([]float64, error) {
	return e.values.Eval(ctx, 1, func(s int) []any {
		return []any{of(e.on[s]).Arg(), uint64(0), e.lo(e.pl.Shards()[s])}
	})
}

// evaluateFor returns the accumulators of a point that a stage goes by.
func (e *engine) evaluateFor(ctx context.Context, of func(*vectors) *shard.Reals, at stage) ([]float64, error) {
	if at.rounded {
		return e.rounded.sums(ctx, of)
	}
	return e.evaluate(ctx, of)
}

// compare compares the tiles of the last evaluation, that of x, with the host reference.
func (e *engine) compare() error {
	return device.CheckPoint(e.values, e.s.Key, e.skip, func(s int) *shard.Reals { return e.on[s].x })
}

// differentiate computes the gradient at x as a stage says, and row pair of the changes of the gradient. weights has
// the derivatives of f by the accumulators. If ctx is cancelled, the old gradient remains.
func (e *engine) differentiate(ctx context.Context, weights []float64, at stage, pair int) error {
	by, err := e.slopes(at)
	if err != nil {
		return err
	}
	if err := e.compute(ctx, by, weights, func(v *vectors) *shard.Reals { return v.x }, at); err != nil {
		return err
	}
	return e.turn(pair)
}

// compute sets direction to the gradient at a point.
func (e *engine) compute(ctx context.Context, by slopes, weights []float64, at point, of stage) error {
	if err := e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		return e.on[s].slope.Write(0, weights)
	}); err != nil {
		return err
	}
	return by.compute(ctx, at, of)
}

// turn makes what is in direction the gradient, and stores the change in row pair.
func (e *engine) turn(pair int) error { return e.each(e.gradient, device.Values{"pair": pair}) }

// ahead sets direction to the exact gradient at y, and returns its product with y - x. weights are those of y.
func (e *engine) ahead(ctx context.Context, weights []float64) (rise float64, err error) {
	y := func(v *vectors) *shard.Reals { return v.y }
	if err := e.compute(ctx, e.exact, weights, y, exactly[usual]); err != nil {
		return 0, err
	}
	sums, err := e.pl.Reduce(ctx, 1, func(s int, part *shard.Sums, tile0, tiles int) error {
		size := e.pl.GroupSize(s)
		return e.along.Launch(s, []int{size, tiles}, []int{size, 1}, device.Values{"sums": part,
			"first": e.pl.Shards()[s].TileLo, "tile0": tile0})
	})
	if err != nil {
		return 0, err
	}
	return sums[0], nil
}

// slopes returns what computes the gradients of a stage. Differences are built when they are first needed.
func (e *engine) slopes(at stage) (slopes, error) {
	if at.exact {
		return e.exact, nil
	}
	if e.coarse == nil {
		d, err := e.newDifferences()
		if err != nil {
			return nil, err
		}
		e.coarse = d
	}
	return e.coarse, nil
}

// products returns the inner products of all pairs with the newest one and the gradient, as lbfgs_dots lists them.
func (e *engine) products(ctx context.Context, pair int) ([]float64, error) {
	return e.pl.Reduce(ctx, dots*e.rows+1, func(s int, part *shard.Sums, tile0, tiles int) error {
		size := e.pl.GroupSize(s)
		return e.dots.Launch(s, []int{(e.rows + 1) * size, tiles}, []int{size, 1}, device.Values{"sums": part,
			"first": e.pl.Shards()[s].TileLo, "tile0": tile0, "pair": pair})
	})
}

// direct combines the direction from the pairs and the gradient.
func (e *engine) direct(weights []float64) error {
	if err := e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		return e.on[s].weights.Write(0, weights)
	}); err != nil {
		return err
	}
	return e.each(e.direction, nil)
}

// stretch multiplies a vector by the widths of intervals, as shares of the widest one, or divides by them.
func (e *engine) stretch(of func(*vectors) *shard.Reals, divide bool) error {
	lo, hi := e.p.Domain().Box()
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return launch(e.stretched, s, sh.Vars(), e.pl.GroupSize(s), device.Values{"vector": of(e.on[s]),
			"count": sh.Vars(), "widest": e.real(hi - lo), "divide": problems.Flag(divide)})
	})
}

// step makes y, the point at t along the direction, and returns its accumulators for a stage and gradient·(y - x).
func (e *engine) step(ctx context.Context, t float64, at stage) (acc []float64, fall float64, err error) {
	sums, err := e.pl.Reduce(ctx, 1, func(s int, part *shard.Sums, tile0, tiles int) error {
		size := e.pl.GroupSize(s)
		return e.try.Launch(s, []int{size, tiles}, []int{size, 1}, device.Values{"t": e.real(t), "sums": part,
			"first": e.pl.Shards()[s].TileLo, "tile0": tile0})
	})
	y := func(v *vectors) *shard.Reals { return v.y }
	if err == nil {
		err = e.exchange(y)
	}
	if err == nil {
		acc, err = e.evaluateFor(ctx, y, at)
	}
	if err != nil {
		return nil, 0, err
	}
	return acc, sums[0], nil
}

// move makes y the point, and stores the change in row pair.
func (e *engine) move(pair int) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		n := e.skip + sh.Vars()
		return launch(e.take, s, n, e.pl.GroupSize(s), device.Values{"pair": pair, "count": n})
	})
}

// keep copies the point to another vector.
func (e *engine) keep(to func(*vectors) *shard.Reals) error {
	return e.copy(func(v *vectors) (*shard.Reals, int) { return v.x, e.skip }, to)
}

// restore makes the best point the point.
func (e *engine) restore() error {
	if err := e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return launch(e.kicked, s, sh.Vars(), e.pl.GroupSize(s), device.Values{"current": e.on[s].best,
			"count": sh.Vars(), "descent": 0, "share": 0.0, "reach": 0.0, "one": uint32(e.p.Domain().N)})
	}); err != nil {
		return err
	}
	return e.exchange(func(v *vectors) *shard.Reals { return v.x })
}

// back makes the best point the current minimum.
func (e *engine) back() error {
	return e.copy(func(v *vectors) (*shard.Reals, int) { return v.best, 0 },
		func(v *vectors) *shard.Reals { return v.current })
}

// copy copies a vector, from a number of variables on.
func (e *engine) copy(from func(*vectors) (*shard.Reals, int), to func(*vectors) *shard.Reals) error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		x, skip := from(e.on[s])
		return launch(e.copied, s, sh.Vars(), e.pl.GroupSize(s), device.Values{"from": x, "skip": skip,
			"to": to(e.on[s]), "count": sh.Vars()})
	})
}
