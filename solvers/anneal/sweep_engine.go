package anneal

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// sweepEngine is the point of sweeps on the devices; kernels/solvers/anneal/sweep.cl has the layouts.
type sweepEngine struct {
	p     problems.Problem
	s     solvers.Setup
	shape sweepShape
	near  bool
	check bool

	pl      *shard.Placement
	kernels struct{ start, move, sums, keep *device.Kernel }
	on      []*sweepShard
	memory  *device.Memory
	turns   []sweepTurn // by colour
	pace    shard.Pace
}

// sweepTurn is the part of a table in which kernels find the variables of a colour: per entries from off on.
type sweepTurn struct{ off, per uint32 }

// oddCounts is the number of counters that a shard has for values that are not finite.
const oddCounts = 256

// sweepShard is one shard's memory.
type sweepShard struct {
	x, best, slope *shard.Reals
	wide           *cl.Buffer[float32]
	odd            *cl.Buffer[uint32]
}

func (m *SA) sweepEngine(p problems.Problem, g *shard.Devices, s solvers.Setup, b sweepShape,
	shards []shard.Shard) (_ *sweepEngine, err error) {
	e := &sweepEngine{p: p, s: s, shape: b, near: m.near(), check: g.Checked(), on: make([]*sweepShard, len(shards))}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if err = e.place(m, g, shards); err != nil {
		return nil, err
	}
	e.memory, err = device.Allocate(e.pl, func(i int, sh shard.Shard) device.Share {
		e.on[i] = &sweepShard{}
		share := b.share(e.on[i], s.Precision, sh.Vars(), p.Accumulators(), e.near)
		share.Values = device.Values{"lo": e.lo(sh), "own": sh.ReadLo, "skip": b.before, "seed": s.Key.Seed,
			"run": s.Key.Run}
		return share
	})
	if err != nil {
		return nil, err
	}
	e.describe()
	return e, nil
}

// place compiles the kernels for every device that has a shard.
func (e *sweepEngine) place(m *SA, g *shard.Devices, shards []shard.Shard) (err error) {
	prec := e.s.Precision
	c := e.shape.colours
	structure := e.p.Structure()
	tables, boxed := partial.BoxTables(e.p, prec)
	tables = append(tables, structure.TouchTables()...)
	simple := true
	if c.Period == 0 {
		tables = append(tables, problems.Table{Name: "sweep_order", Uint: c.Order})
		for k := range c.Count {
			e.turns = append(e.turns, sweepTurn{c.Start[k], c.Start[k+1] - c.Start[k]})
		}
	} else {
		var all []uint32
		for k := range c.Count {
			of := c.Of(k)
			simple = simple && len(of) == 1
			e.turns = append(e.turns, sweepTurn{uint32(len(all)), uint32(len(of))})
			all = append(all, of...)
		}
		if simple {
			for k := range e.turns {
				e.turns[k].off = all[k]
			}
		} else {
			tables = append(tables, problems.Table{Name: "sweep_residues", Uint: all})
		}
	}
	literal := func(v float32) string { return fmt.Sprintf("%.9gf", v) }
	defines := append(partial.TouchDefines(structure), boxed,
		kernels.Number("SWEEP_PERIOD", max(1, c.Period)), kernels.Flag("SWEEP_SIMPLE", simple && c.Period > 0),
		kernels.Flag("SWEEP_LISTS", c.Period == 0), kernels.Flag("SWEEP_ALONE", e.shape.alone),
		kernels.Flag("SA_UNIFORM", m.sweepNeighbour() == "uniform"),
		kernels.Flag("SA_ADAPTIVE", m.sweepNeighbour() == "adaptive"),
		kernels.Flag("SA_MIXED", m.sweepNeighbour() == "mixed"), kernels.Flag("SA_HASTINGS", m.Hastings),
		kernels.Define{Name: "SWEEP_WIDER", Value: literal(wider)},
		kernels.Define{Name: "SWEEP_NARROWER", Value: literal(narrower)},
	)
	view := shard.View{
		Parts:  []kernels.Part{kernels.Get("lib/view_replaced.cl")},
		Args:   func(p problems.Precision) []cl.Arg { return []cl.Arg{shard.RealArg(p), cl.U32} },
		Single: true, Tables: tables, Form: problems.Item,
	}
	e.pl, err = shard.Place(g, e.p, prec, shards, view, sweepSums(e.p), defines,
		kernels.Get("lib/touch.cl"), kernels.Get("lib/partial.cl"), kernels.Struct("sweep_colour", colourOf{}),
		kernels.Struct("sweep_some", someOf{}),
		kernels.Get("solvers/anneal/neighbour.cl"), kernels.Get("solvers/anneal/sweep.cl"))
	return err
}

// describe lists the parameters of all kernels.
func (e *sweepEngine) describe() {
	k := &e.kernels
	k.start = e.memory.Kernel(e.pl, "anneal_sweep_start", "x lo wide own own_end first count seed run tables")
	k.move = e.memory.Kernel(e.pl, "anneal_sweep_move",
		"x lo wide own odd slope of t sweep sweeps seed run tables")
	k.sums = e.memory.Kernel(e.pl, "anneal_sweep_sums",
		"x lo wide own odd slope sums first of t sweep seed run tables")
	k.keep = e.memory.Kernel(e.pl, "anneal_sweep_keep", "x skip best count")
}

// share describes the vectors of a shard that stores n variables. The fields of o hold them. near says
// whether variables have widths.
func (b sweepShape) share(o *sweepShard, prec problems.Precision, n, accs int, near bool) device.Share {
	per, kept := device.Device, "" // one width, which kernels take and do not use
	if near {
		per, kept = device.Variable, "width"
	}
	return device.Share{Precision: prec, Variables: n, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: fmt.Sprintf("point of %d variables in %s", n, prec), Rows: 1, Per: device.Variable,
			Before: b.before, Kept: "point"},
		{To: &o.best, Name: "best", What: "best point", Rows: 1, Per: device.Variable, Kept: "best"},
		{To: &o.slope, Name: "slope", Rows: accs},
		{To: &o.wide, Name: "wide", What: "widths of near neighbours", Rows: 1, Per: per, Kept: kept},
		{To: &o.odd, Name: "odd", What: "counts of values that are not finite", Rows: oddCounts},
	}}
}

func (e *sweepEngine) close() {
	e.memory.Close()
	e.pl.Close()
}

// lo returns the number of the first variable that a shard stores. Below 0 it wraps around.
func (e *sweepEngine) lo(sh shard.Shard) uint32 { return uint32(sh.ReadLo - e.shape.before) }

// real returns v as an argument of type real.
func (e *sweepEngine) real(v float64) any {
	if e.s.Precision == problems.FP32 {
		return float32(v)
	}
	return v
}

// items queues a kernel whose items beyond their number return at once.
func (e *sweepEngine) items(k *device.Kernel, s, n int, more device.Values) error {
	size := e.pl.GroupSize(s)
	return k.Launch(s, []int{device.RoundUp(n, size)}, []int{size}, more)
}

// start draws the start point, or stores the one that was given.
func (e *sweepEngine) start() error {
	return e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o, first := e.on[s], max(0, sh.ReadLo-e.shape.before)
		n := sh.ReadHi - first
		if err := e.items(e.kernels.start, s, n, device.Values{"own_end": sh.ReadHi, "first": first,
			"count": n}); err != nil || len(e.s.X0) == 0 {
			return err
		}
		for lo := first; lo < sh.ReadHi; lo += device.GatherVars {
			hi := min(lo+device.GatherVars, sh.ReadHi)
			v := e.p.Domain().Stored(e.s.Precision, lo, e.s.X0[0][lo:hi])
			if err := o.x.Write(lo-sh.ReadLo+e.shape.before, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// evaluate computes the accumulators of the point from all components.
func (e *sweepEngine) evaluate(ctx context.Context) ([]float64, error) {
	return e.pl.Eval(ctx, 1, func(s int) []any { return []any{e.on[s].x.Arg(), e.lo(e.pl.Shards()[s])} })
}

// compare compares the tiles of the last evaluation with the host reference.
func (e *sweepEngine) compare() error {
	return device.CheckPoint(e.pl, e.s.Key, e.shape.before, func(s int) *shard.Reals { return e.on[s].x })
}

// slopes copies the weights of the accumulators to all devices.
func (e *sweepEngine) slopes(w []float64) error {
	return e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error { return e.on[s].slope.Write(0, w) })
}

// nonFinite returns the number of values that were not finite since its last call.
func (e *sweepEngine) nonFinite() (n int64, err error) {
	counts := make([]int64, len(e.on))
	if err := e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		var odd [oddCounts]uint32
		if err := e.on[s].odd.Read(0, odd[:]); err != nil {
			return err
		}
		for _, v := range odd {
			counts[s] += int64(v)
		}
		if counts[s] == 0 {
			return nil
		}
		return e.on[s].odd.Fill(0)
	}); err != nil {
		return 0, err
	}
	err = shard.GatherShards(e.pl, counts, func(s int) int { return s + 1 })
	for _, c := range counts {
		n += c
	}
	return n, err
}

// keep makes the point the best one.
func (e *sweepEngine) keep() error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.items(e.kernels.keep, s, sh.Vars(), device.Values{"count": sh.Vars()})
	})
}
