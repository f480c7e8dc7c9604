package anneal

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
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
	kernels struct{ start, move, sums, keep []*cl.Kernel }
	on      []*sweepShard
	memory  *device.Memory
	turns   []sweepTurn // by colour
	pace    shard.Pace
}

// sweepTurn is where kernels find the variables of a colour.
type sweepTurn struct{ off, per uint32 }

// oddCounts is how many counters of values that are not finite a shard has.
const oddCounts = 256

// sweepShard is one shard's memory.
type sweepShard struct {
	x, best, slope *shard.Reals
	wide           *cl.Buffer[float32]
	odd            *cl.Buffer[uint32]
	single         bool // one sweep a launch, see ONE_ROUND
}

func (m *SA) sweepEngine(p problems.Problem, g *shard.Group, s solvers.Setup, b sweepShape, shards []shard.Shard) (_ *sweepEngine, err error) {
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
		e.on[i] = &sweepShard{single: g.Infos()[sh.Device].Type == cl.CPU}
		return b.share(e.on[i], s.Precision, sh.Vars(), p.Accumulators(), e.near)
	})
	return e, err
}

// place compiles the kernels for every device that has a shard.
func (e *sweepEngine) place(m *SA, g *shard.Group, shards []shard.Shard) (err error) {
	prec, c, structure := e.s.Precision, e.shape.colours, e.p.Structure()
	tables, boxed := shard.BoxTables(e.p, prec)
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
	defines := append(shard.TouchDefines(structure), boxed,
		device.Define("SWEEP_PERIOD", max(1, c.Period)), device.Flag("SWEEP_SIMPLE", simple && c.Period > 0), device.Flag("SWEEP_LISTS", c.Period == 0), device.Flag("SWEEP_ALONE", e.shape.alone),
		device.Flag("SA_UNIFORM", m.sweepNeighbour() == "uniform"), device.Flag("SA_ADAPTIVE", m.sweepNeighbour() == "adaptive"), device.Flag("SA_MIXED", m.sweepNeighbour() == "mixed"), device.Flag("SA_HASTINGS", m.Hastings),
		kernels.Define{Name: "SWEEP_WIDER", Value: literal(wider)}, kernels.Define{Name: "SWEEP_NARROWER", Value: literal(narrower)},
	)
	view := shard.View{
		Parts:  []kernels.Part{kernels.Get("solvers/anneal/sweep_view.cl")},
		Args:   func(p problems.Precision) []cl.Arg { return []cl.Arg{shard.RealArg(p), cl.U32} },
		Single: true, Tables: tables, Form: problems.Item,
	}
	if e.pl, err = shard.Place(g, e.p, prec, shards, view, sweepSums(e.p), defines,
		kernels.Get("lib/partial.cl"), kernels.Get("solvers/anneal/neighbour.cl"), kernels.Get("solvers/anneal/sweep.cl")); err != nil {
		return err
	}
	real, width, count, number := shard.RealArg(prec), cl.Mem[float32](), cl.Mem[uint32](), cl.F64
	if prec == problems.FP32 {
		number = cl.F32
	}
	get := func(name string, tables bool, args ...cl.Arg) (ks []*cl.Kernel) {
		if err == nil {
			devices := g.Devices()
			ks, err = e.pl.Kernel(name, func(d *cl.Device) []cl.Arg {
				all := append([]cl.Arg(nil), args...)
				for k, a := range all {
					if a == sumOfDevice {
						all[k] = shard.SumArg(d)
					}
				}
				for i := range devices {
					if tables && devices[i] == d {
						all = append(all, e.pl.TableArgs(i)...)
					}
				}
				return all
			})
		}
		return ks
	}
	k := &e.kernels
	k.start = get("anneal_sweep_start", true, real, cl.U32, width, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32)
	k.move = get("anneal_sweep_move", true, real, cl.U32, width, cl.U32, count, real, cl.U32, cl.U32, cl.U32, cl.U32, number, cl.U32, cl.U32, cl.U32, cl.U32)
	k.sums = get("anneal_sweep_sums", true, real, cl.U32, width, cl.U32, count, real, sumOfDevice, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, cl.U32, number, cl.U32, cl.U32, cl.U32)
	k.keep = get("anneal_sweep_keep", false, real, cl.U32, real, cl.U32)
	return err
}

// sumOfDevice stands for the sum* of a device in a list of arguments.
const sumOfDevice cl.Arg = "sum"

// share lists the vectors of a shard that stores n variables, to be held by o. Near says whether variables have widths.
func (b sweepShape) share(o *sweepShard, prec problems.Precision, n, accs int, near bool) device.Share {
	per, kept := device.Device, "" // one width, which kernels take and do not use
	if near {
		per, kept = device.Variable, "width"
	}
	return device.Share{Precision: prec, Variables: n, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: fmt.Sprintf("point of %d variables in %s", n, prec), Rows: 1, Per: device.Variable, Before: b.before, Kept: "point"},
		{To: &o.best, Name: "best", What: "best point", Rows: 1, Per: device.Variable, Kept: "best"},
		{To: &o.slope, Name: "slope", Rows: accs},
		{To: &o.wide, Name: "wide", What: "widths of near neighbours", Rows: 1, Per: per, Kept: kept},
		{To: &o.odd, Name: "odd", What: "counts of values that are not finite", Rows: oddCounts},
	}}
}

func (e *sweepEngine) close() {
	e.memory.Close()
	if e.pl != nil {
		e.pl.Close()
	}
}

// lo is the number of the first variable stored, which wraps below 0.
func (e *sweepEngine) lo(sh shard.Shard) uint32 { return uint32(sh.ReadLo - e.shape.before) }

// real is a number as an argument of the run's precision.
func (e *sweepEngine) real(v float64) any {
	if e.s.Precision == problems.FP32 {
		return float32(v)
	}
	return v
}

// start draws the start point, or stores the one that was given.
func (e *sweepEngine) start() error {
	return e.pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		o, first, box := e.on[s], max(0, sh.ReadLo-e.shape.before), e.p.Domain().In(e.s.Precision)
		n := sh.ReadHi - first
		if err := e.kernels.start[sh.Device].Launch([]int{n}, nil, append([]any{o.x.Arg(), e.lo(sh), o.wide, uint32(sh.ReadLo), uint32(sh.ReadHi),
			uint32(first), uint32(n), e.s.Key.Seed, e.s.Key.Run}, e.pl.Tables(s)...)...); err != nil || len(e.s.X0) == 0 {
			return err
		}
		for lo := first; lo < sh.ReadHi; lo += device.GatherVars {
			hi := min(lo+device.GatherVars, sh.ReadHi)
			v := make([]float64, hi-lo)
			for i := range v {
				a, b := box.Interval(lo + i)
				w := e.s.X0[0][lo+i]
				if e.s.Precision == problems.FP32 {
					w = float64(float32(w))
				}
				v[i] = min(max(w, a), b)
			}
			if err := o.x.Write(lo-sh.ReadLo+e.shape.before, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// evaluate is the accumulators of the point, all components anew.
func (e *sweepEngine) evaluate(ctx context.Context) ([]float64, error) {
	return e.pl.Eval(ctx, 1, func(s int) []any { return []any{e.on[s].x.Arg(), e.lo(e.pl.Shards()[s])} })
}

// compare compares the tiles of the last evaluation with the host reference.
func (e *sweepEngine) compare() error {
	return e.pl.Check(e.s.Key, 1, func(_, lo, hi int) ([]float64, error) {
		x := make([]float64, hi-lo)
		for s, sh := range e.pl.Shards() {
			if lo >= sh.VarLo && lo < sh.VarHi {
				if err := e.on[s].x.Read(lo-sh.ReadLo+e.shape.before, x); err != nil {
					return nil, err
				}
			}
		}
		return x, nil
	})
}

// slopes gives all devices the weights of the accumulators.
func (e *sweepEngine) slopes(w []float64) error {
	return e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error { return e.on[s].slope.Write(0, w) })
}

// nonFinite is how many values were not finite since it was asked last.
func (e *sweepEngine) nonFinite() (n int64, err error) {
	counts := make([][oddCounts]uint32, len(e.on))
	err = e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		if err := e.on[s].odd.Read(0, counts[s][:]); err != nil || counts[s] == [oddCounts]uint32{} {
			return err
		}
		return e.on[s].odd.Fill(0)
	})
	for _, c := range counts {
		for _, v := range c {
			n += int64(v)
		}
	}
	return n, err
}

// keep makes the point the best one.
func (e *sweepEngine) keep() error {
	return e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return e.kernels.keep[sh.Device].Launch([]int{sh.Vars()}, nil, e.on[s].x.Arg(), uint32(e.shape.before), e.on[s].best.Arg(), uint32(sh.Vars()))
	})
}
