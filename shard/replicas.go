package shard

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// ReplicaPlacement is a problem that is compiled for methods that keep many whole points on each device and change few
// variables at a time. The program has the problem's text in the Partial form under the coordinate view,
// kernels/lib/partial.cl, and the kernels of a solver. It is not safe for concurrent use.
type ReplicaPlacement struct {
	g    *Devices
	p    problems.Problem
	prec problems.Precision
	on   []*replicated // per device; nil where none was asked for
}

type replicated struct {
	*Program
	size int // work-items of a group
}

// Replicate compiles p on the devices i of g for which use[i] is above 0. A solver's defines and texts follow those of
// the problem. group returns the number of work-items of a group for a kind of device; nil means GroupSize. The error
// is that of p.Text where p has no Partial form. The caller closes the result.
func Replicate(g *Devices, p problems.Problem, prec problems.Precision, use []int, group func(cl.Info) int,
	defines []kernels.Define, extra ...kernels.Part) (*ReplicaPlacement, error) {
	text, err := p.Text(prec, problems.Partial)
	if err != nil {
		return nil, err
	}
	if text.Cooperative {
		panic("shard: a partial text in cooperative form")
	}
	box, boxed := BoxTables(p, prec)
	text.Tables = append(text.Tables, box...)
	structure := p.Structure()
	text.Tables = append(text.Tables, structure.TouchTables()...)
	defines = append(append(TouchDefines(structure), boxed), defines...)
	view := View{Parts: []kernels.Part{kernels.Get("lib/view_coordinate.cl")}}
	behind := append([]kernels.Part{kernels.Get("lib/partial.cl"), kernels.Get("lib/partial_check.cl")}, extra...)

	r := &ReplicaPlacement{g: g, p: p, prec: prec, on: make([]*replicated, len(g.devices))}
	if group == nil {
		group = GroupSize
	}
	programs, err := g.build(func(i int) bool { return use[i] > 0 },
		func(i int, d *cl.Device) (Assembly, error) {
			o := &replicated{size: group(d.Info())}
			r.on[i] = o
			return Join(p, text, prec, o.size, view.Parts, defines, behind, d.Info(), g.oneRound(d.Info())), nil
		})
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		if p != nil {
			r.on[i].Program = p
		}
	}
	return r, nil
}

// BoxTables returns tables with the interval of each variable for a device of a precision, or none where all variables
// have the same interval, and the define BOXED that says which it is.
func BoxTables(p problems.Problem, prec problems.Precision) ([]problems.Table, kernels.Define) {
	if p.Domain().OneBox() {
		return nil, kernels.Define{Name: "BOXED", Value: "0"}
	}
	d := p.Domain().In(prec)
	lo, hi := make([]float64, d.N), make([]float64, d.N)
	for i := range lo {
		lo[i], hi[i] = d.Interval(i)
	}
	return []problems.Table{{Name: "box_lo", Real: lo}, {Name: "box_hi", Real: hi}}, kernels.Define{Name: "BOXED",
		Value: "1"}
}

// TouchDefines returns the defines of kernels/lib/partial.cl that say which components read a variable.
func TouchDefines(s problems.Structure) []kernels.Define {
	num := func(v int) string { return fmt.Sprintf("%du", v) }
	if class, ok := s.GridClass("i"); ok {
		return []kernels.Define{{Name: "TOUCH_GRID", Value: "1"}, {Name: "TOUCH_CLASS(i)", Value: class}}
	}
	if stride, from, to, ok := s.Window(); ok && s.TouchTables() != nil {
		return []kernels.Define{{Name: "TOUCH_OFFSETS", Value: "1"}, {Name: "TOUCH_STRIDE", Value: num(stride)}}
	} else if ok {
		own := "0"
		if stride == 1 && from == 0 && to == 0 && s.Components() == s.Variables() {
			own = "1"
		}
		return []kernels.Define{
			{Name: "TOUCH_STRIDE", Value: num(stride)}, {Name: "TOUCH_FROM", Value: num(from)}, {Name: "TOUCH_TO",
				Value: num(to)},
			{Name: "TOUCH_OWN", Value: own},
		}
	}
	if s.Whole() {
		return []kernels.Define{{Name: "TOUCH_WHOLE", Value: "1"}}
	}
	if vars, comps, ok := s.Repeats(); ok {
		return []kernels.Define{{Name: "TOUCH_REPEATED", Value: "1"}, {Name: "TOUCH_VARS", Value: num(vars)},
			{Name: "TOUCH_COMPS", Value: num(comps)}}
	}
	return []kernels.Define{{Name: "TOUCH_LISTS", Value: "1"}}
}

// Close releases programs and tables.
func (r *ReplicaPlacement) Close() {
	for _, o := range r.on {
		if o != nil {
			o.Close()
		}
	}
}

// Program returns the program on device i, and i.
func (r *ReplicaPlacement) Program(i int) (p *Program, device int) { return r.on[i].Program, i }

// Each runs f for every device in use, devices concurrently, and returns the first error.
func (r *ReplicaPlacement) Each(f func(i int, d *cl.Device) error) error {
	return r.g.Do(func(i int, d *cl.Device) error {
		if r.on[i] == nil {
			return nil
		}
		return f(i, d)
	})
}

// GroupSize returns the number of work-items of a group on device i.
func (r *ReplicaPlacement) GroupSize(i int) int { return r.on[i].size }

// Cut divides a launch of fit units of work, as given by a Pacer, between replicas: each of width replicas makes that
// many units, at least one.
func Cut(fit, replicas int) (units, width int) {
	if fit < replicas {
		return 1, fit
	}
	return fit / replicas, replicas
}

// Launches cuts parts × blocks units of work of device i into launches of about LaunchTime, by a pacer of such units.
// launch gets the blocks [b0, b1) and the parts [p0, p1). Every block finishes a part before its next part, and all
// blocks finish the parts of a launch before the parts of another. It waits when much is queued, but not at the end.
func (r *ReplicaPlacement) Launches(ctx context.Context, i int, pace *Pacer, parts, blocks int,
	launch func(p0, p1, b0, b1 int) error) error {
	r.g.Pace(pace, r.g.devices[i])
	for p := 0; p < parts; {
		units, _ := Cut(pace.Fit(), blocks)
		p1 := min(parts, p+units)
		for b, b1 := 0, 0; b < blocks; b = b1 {
			b1 = min(b+max(1, pace.Fit()/units), blocks)
			if err := launch(p, p1, b, b1); err != nil {
				return err
			}
			if err := pace.Launched(ctx, float64((p1-p)*(b1-b))); err != nil {
				return err
			}
		}
		p = p1
	}
	return ctx.Err()
}
