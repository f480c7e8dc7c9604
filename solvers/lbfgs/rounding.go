package lbfgs

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/diff"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// rounding evaluates a problem with rounded kinks, as kernels/solvers/lbfgs/view.cl describes them.
type rounding struct {
	e           *engine
	values      *shard.Placement
	program     *shard.Programs
	multipliers *device.Kernel
	scales      *device.Kernel
	pace        []shard.Pacer // of a component that sets its multipliers, for each shard
	widths      []float64     // that the devices have; nil: not known
}

// sharp is the width of kinks that are not rounded.
const sharp = 1e-300

// mostSlots is the largest number of multipliers for each variable, beside freeSlots.
const (
	mostSlots = 8
	freeSlots = 1 << 20
)

// roundedOf rounds the kinks of a component of p; nil if it has none, or in float32, which has too few digits for
// narrow kinks.
func roundedOf(p problems.Problem, prec problems.Precision, component *clc.Tree, sizes diff.Sizes) *smooth.Rounded {
	class, known := problems.ClassOf(p)
	if !known || prec == problems.FP32 || class.Kind() != smooth.Kinked || p.Structure().Inner() > 0 {
		return nil
	}
	most := (mostSlots*p.Domain().N + freeSlots) / p.Structure().Components()
	return smooth.Round(component, sizes, most)
}

// sites returns the number of places of the text that have kinks, and how many multipliers a component has, at least 1.
func (a *adjoint) sites() (sites, slots int) {
	if a.rounded == nil {
		return 0, 1
	}
	return a.rounded.Sites, max(1, a.rounded.Slots)
}

// kinks are the defines of the view.
func (a *adjoint) kinks() []kernels.Define {
	sites, slots := a.sites()
	return []kernels.Define{kernels.Signed("KINK_SITES", sites), kernels.Number("KINK_SLOTS", slots)}
}

// kinkVector is the vector of widths and multipliers.
func (a *adjoint) kinkVector(o *vectors) device.Vector {
	sites, slots := a.sites()
	v := device.Vector{To: &o.kinks, Name: "kinks", What: "multipliers of kinks", Rows: slots}
	if a.rounded != nil {
		v.Per, v.Before, v.Kept = device.Part, sites, "kinks"
	}
	return v
}

// components returns the components that a shard evaluates, of which own are those of its tiles.
func (e *engine) components(sh shard.Shard) (lo, hi, ownLo, ownHi int) {
	t := e.p.Tiling()
	ownLo, _ = t.Comps(sh.TileLo)
	_, ownHi = t.Comps(sh.TileHi - 1)
	lo, hi = componentsOf(e.p.Structure(), sh)
	return min(lo, ownLo), max(hi, ownHi), ownLo, ownHi
}

// roundedProblem is a problem with rounded kinks.
type roundedProblem struct {
	problems.Problem
	text string
}

// Text returns the text with the rounded component in the place of that of the problem.
func (p roundedProblem) Text(prec problems.Precision, form problems.Form) (problems.Text, error) {
	t, err := p.Problem.Text(prec, problems.Item)
	t.Before, t.Parts = nil, nil
	t.Sources = []problems.Source{{File: problems.SourceOf(p.Problem) + " (rounded)", Text: p.text}}
	return t, err
}

// newRounding builds the programs of a problem with rounded kinks.
func (e *engine) newRounding(shards []shard.Shard) (_ *rounding, err error) {
	w := clc.Writer{}
	w.Line("%s", clc.Helpers)
	w.Tree(e.adjoint.rounded.Tree)
	p := roundedProblem{e.p, w.String()}
	r := &rounding{e: e, pace: make([]shard.Pacer, len(shards))}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	view := shard.View{
		Parts: []kernels.Part{kernels.Get("solvers/lbfgs/view.cl")},
		Args: func(prec problems.Precision) []cl.Arg {
			return []cl.Arg{shard.RealArg(prec), cl.U32, shard.RealArg(prec), cl.U32}
		},
		Single: true,
	}
	r.values, err = shard.Place(e.g, p, e.s.Precision, shards, view, max(2, p.Accumulators()), e.adjoint.kinks())
	if err != nil {
		return nil, err
	}
	r.program, err = r.values.Beside(kernels.Get("solvers/lbfgs/seen.cl"), true,
		func(cl.Info) ([]kernels.Define, []kernels.Part) {
			return e.adjoint.kinks(), []kernels.Part{kernels.Get("solvers/lbfgs/kinks.cl")}
		})
	if err != nil {
		return nil, err
	}
	r.multipliers = e.memory.Kernel(r.program, "lbfgs_multipliers", "x lo kinks first_kink from count tables")
	r.scales = e.memory.Kernel(r.program, "lbfgs_scales", "x lo kinks first_kink sums first tile0 site tables")
	return r, nil
}

func (r *rounding) close() {
	if r.program != nil {
		r.program.Close()
	}
	r.values.Close()
}

// sums returns the accumulators of a point with rounded kinks.
func (r *rounding) sums(ctx context.Context, of func(*vectors) *shard.Reals) ([]float64, error) {
	e := r.e
	return r.values.Eval(ctx, 1, func(s int) []any {
		first, _, _, _ := e.components(e.pl.Shards()[s])
		return []any{of(e.on[s]).Arg(), e.lo(e.pl.Shards()[s]), e.on[s].kinks.Arg(), uint32(first)}
	})
}

// set sets the widths of all sites.
func (r *rounding) set(widths []float64) error {
	if slices.Equal(widths, r.widths) {
		return nil
	}
	r.widths = slices.Clone(widths)
	return r.e.pl.Each(func(s int, _ shard.Shard, _ *cl.Device) error {
		return r.e.on[s].kinks.Write(0, widths)
	})
}

// sharpen sets all kinks to their own form.
func (r *rounding) sharpen() error {
	sites, _ := r.e.adjoint.sites()
	return r.set(slices.Repeat([]float64{sharp}, sites))
}

// forget sets all multipliers to 0.
func (r *rounding) forget() error {
	sites, slots := r.e.adjoint.sites()
	r.widths = nil
	return r.e.pl.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		lo, hi, _, _ := r.e.components(sh)
		n := sites + (hi-lo)*slots
		return launch(r.e.clear, s, n, r.e.pl.GroupSize(s), device.Values{"vector": r.e.on[s].kinks,
			"elements": uint64(n)})
	})
}

// update sets all multipliers to the derivatives at x.
func (r *rounding) update() error {
	return r.e.pl.Each(func(s int, sh shard.Shard, on *cl.Device) error {
		pace := r.e.g.Pace(&r.pace[s], on)
		lo, hi, _, _ := r.e.components(sh)
		for from := lo; from < hi; {
			n := min(max(pace.Fit(), busyGPU), hi-from)
			if err := launch(r.multipliers, s, n, r.values.GroupSize(s), device.Values{"from": from,
				"count": n}); err != nil {
				return err
			}
			from += n
			if err := pace.Launched(context.Background(), float64(n)); err != nil {
				return err
			}
		}
		return pace.Wait(context.Background())
	})
}

// sizes returns the geometric mean of the arguments of each kink at x, 1 if all are 0.
func (r *rounding) sizes(ctx context.Context) ([]float64, error) {
	sites, _ := r.e.adjoint.sites()
	all := make([]float64, sites)
	for site := range all {
		sums, err := r.values.Reduce(ctx, 2, func(s int, part *shard.Sums, tile0, tiles int) error {
			size := r.values.GroupSize(s)
			return r.scales.Launch(s, []int{size, tiles}, []int{size, 1}, device.Values{"sums": part,
				"first": r.e.pl.Shards()[s].TileLo, "tile0": tile0, "site": site})
		})
		if err != nil {
			return nil, err
		}
		all[site] = 1
		if sums[1] > 0 {
			all[site] = math.Exp(sums[0] / sums[1])
		}
	}
	return all, nil
}
