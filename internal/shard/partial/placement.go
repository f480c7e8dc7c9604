package partial

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Placement is a problem that is compiled for methods that keep many whole points on each device and change few
// variables at a time. The program has the problem's text in the Partial form under the coordinate view,
// kernels/lib/partial.cl, and the kernels of a solver. It is not safe for concurrent use.
type Placement struct {
	g    *shard.Devices
	p    problems.Problem
	prec problems.Precision
	on   []*shard.Program // per device; nil where none was asked for
	size []int            // work-items of a group, per device
}

// Place compiles p on the devices i of g for which use[i] is above 0. A solver's defines and texts follow those of the
// problem. group returns the number of work-items of a group for a kind of device; nil means shard.GroupSize. The error
// is that of p.Text where p has no Partial form. The caller closes the result.
func Place(g *shard.Devices, p problems.Problem, prec problems.Precision, use []int, group func(cl.Info) int,
	defines []kernels.Define, extra ...kernels.Part) (*Placement, error) {
	text, err := p.Text(prec, problems.Partial)
	if err != nil {
		return nil, err
	}
	if text.Cooperative {
		panic("partial: a text in cooperative form")
	}
	text.Fixed = "kernels/solvers" // where arrays and loops that unroll have these sizes
	box, boxed := BoxTables(p, prec)
	structure := p.Structure()
	text.Tables = slices.Concat(text.Tables, box, structure.TouchTables())
	defines = append(append(TouchDefines(structure), boxed), defines...)
	view := []kernels.Part{kernels.Get("lib/view_coordinate.cl")}
	after := append([]kernels.Part{kernels.Get("lib/touch.cl"), kernels.Get("lib/partial.cl"),
		kernels.Get("lib/partial_check.cl")}, extra...)
	if group == nil {
		group = shard.GroupSize
	}
	r := &Placement{g: g, p: p, prec: prec, size: make([]int, len(g.All()))}
	r.on, err = g.Build(func(i int) bool { return use[i] > 0 },
		func(i int, d *cl.Device) (shard.Assembly, error) {
			r.size[i] = group(d.Info())
			return shard.Join(p, text, prec, r.size[i], view, defines, after, d.Info()), nil
		})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Close releases programs and tables. A second Close does nothing, and nil is allowed.
func (r *Placement) Close() {
	if r == nil {
		return
	}
	for _, p := range r.on {
		p.Close()
	}
}

// Program returns the program on device i, and i.
func (r *Placement) Program(i int) (p *shard.Program, device int) { return r.on[i], i }

// Each runs f for every device in use, devices concurrently, and returns the first error.
func (r *Placement) Each(f func(i int, d *cl.Device) error) error {
	return r.g.Do(func(i int, d *cl.Device) error {
		if r.on[i] == nil {
			return nil
		}
		return f(i, d)
	})
}

// GroupSize returns the number of work-items of a group on device i.
func (r *Placement) GroupSize(i int) int { return r.size[i] }

// Divide divides a launch of fit units of work, as given by a shard.Pacer, between replicas: each of width replicas
// makes that many units, at least one.
func Divide(fit, replicas int) (units, width int) {
	if fit < replicas {
		return 1, fit
	}
	return fit / replicas, replicas
}

// Launches divides parts × blocks units of work of device i into launches of about LaunchTime, by a pacer of such
// units. launch gets the blocks [b0, b1) and the parts [p0, p1). Every block finishes a part before its next part, and
// all blocks finish the parts of a launch before the parts of another. It waits when much is queued, but not at the
// end.
func (r *Placement) Launches(ctx context.Context, i int, pace *shard.Pacer, parts, blocks int,
	launch func(p0, p1, b0, b1 int) error) error {
	r.g.Pace(pace, r.g.All()[i])
	for p := 0; p < parts; {
		units, _ := Divide(pace.Fit(), blocks)
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
