package lm

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// kernel is a kernel for the components that a shard has listed. Its launches have units: work-items, or work-groups.
type kernel struct {
	*device.Kernel
	units   func(used room) int // of components that use so much room
	grouped bool                // units are work-groups, and not work-items
	paces   []shard.Pacer       // by shard, of a batch of units
	most    int                 // units of a launch; 0: any number
}

// list lists the kernels of each task.
func (e *engine) list() {
	components := func(used room) int { return used.components }
	entries := func(used room) int { return used.entries }
	values := func(used room) int { return used.values }
	tiles := func(used room) int { return used.tiles }
	of := func(name, params string, units func(room) int, grouped bool) *kernel {
		return &kernel{e.memory.Kernel(e.pl, name, params), units, grouped, make([]shard.Pacer, len(e.on)), 0}
	}
	jacobian := []*kernel{
		of("lm_residuals", "x list items parameter variable value residual from count tables", values, false),
		of("lm_derivatives", "list items value residual from count tables", entries, false),
	}
	if e.j.by.exact() {
		jacobian = []*kernel{of("lm_exact", "x list items variable residual tape from count tables", values, false)}
		jacobian[0].most = e.j.items(math.MaxInt)
	}
	e.derivatives = append(jacobian,
		of("lm_products", "list items residual product from count", entries, false),
		of("lm_tiles", "list items residual product from", tiles, true))
	e.values = []*kernel{of("lm_values", "x list points residual product answers from count tables", values, false)}
	e.trials = []*kernel{
		of("lm_steps", "x lower upper list variable parameter residual product answers from count", components, false),
		of("lm_solve", "x lower upper list items variable parameter residual product answers from", tiles, true),
		e.values[0],
	}
}

// launch launches the kernels of a task, and waits for each.
func (e *engine) launch(ctx context.Context, s int, d *cl.Device, t task) error {
	kernels := e.values
	switch t {
	case derivatives:
		kernels = e.derivatives
	case trials:
		kernels = e.trials
	}
	o := e.on[s]
	used := o.list.used
	values := device.Values{"items": used.components, "points": used.values / used.components, "answers": o.room.kept}
	for _, k := range kernels {
		pace := e.g.Pace(&k.paces[s], d)
		all := k.units(o.list.used)
		group := e.pl.GroupSize(s)
		if k.grouped {
			group = o.group
		}
		batch := k.batch(d.Info(), group)
		for from := 0; from < all; {
			count := min(all-from, batch*pace.Fit())
			if k.most > 0 {
				count = min(count, k.most)
			}
			items := device.RoundUp(count, group)
			if k.grouped {
				items = count * group
			}
			values["from"], values["count"] = from, count
			if err := k.Launch(s, []int{items}, []int{group}, values); err != nil {
				return err
			}
			if err := pace.Launched(ctx, float64((count+batch-1)/batch)); err != nil {
				return err
			}
			from += count
		}
		if err := pace.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// batch returns how many units a device works on at a time, so that they take as long as one. A processor works on one
// after the other.
func (k *kernel) batch(d cl.Info, group int) int {
	switch {
	case d.Type == cl.CPU:
		return 1
	case k.grouped:
		return max(1, d.ComputeUnits)
	}
	return max(1, d.ComputeUnits) * group
}
