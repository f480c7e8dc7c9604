package lbfgs

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// slopes computes gradients of the sum of the accumulators, each times its weight in the vector slope.
type slopes interface {
	// compute sets direction to the gradient at a point, x or y. ctx ends it between launches.
	compute(ctx context.Context, at point, step stage) error
	close()
}

// point is x or y of a shard.
type point func(*vectors) *shard.Reals

// differences computes gradients from differences of the components that read a variable.
type differences struct {
	e       *engine
	program *shard.Programs
	kernel  *device.Kernel
	pace    []shard.Pacer // of derivatives, for each shard
}

// busyGPU is the fewest derivatives of a launch that keep a GPU busy.
const busyGPU = 1 << 16

func (e *engine) newDifferences() (_ slopes, err error) {
	d := &differences{e: e, pace: make([]shard.Pacer, len(e.on))}
	d.program, err = e.pl.Beside(kernels.Get("lib/view_replaced.cl"), true,
		func(cl.Info) ([]kernels.Define, []kernels.Part) {
			return e.touch, []kernels.Part{kernels.Get("lib/touch.cl"), kernels.Get("lib/partial.cl"),
				kernels.Get("solvers/lbfgs/differences.cl")}
		})
	if err != nil {
		return nil, err
	}
	d.kernel = e.memory.Kernel(d.program, "lbfgs_differentiate",
		"x lo direction own slope of_value of_range from count tables")
	return d, nil
}

func (d *differences) close() { d.program.Close() }

// compute differentiates by one variable after the other.
func (d *differences) compute(ctx context.Context, at point, step stage) error {
	e := d.e
	return e.pl.Each(func(s int, sh shard.Shard, on *cl.Device) error {
		pace, group := e.g.Pace(&d.pace[s], on), e.pl.GroupSize(s)
		least := group
		if on.Info().Type != cl.CPU {
			least = busyGPU
		}
		for from := sh.VarLo; from < sh.VarHi; {
			count := min(device.RoundUp(pace.Fit(), least), sh.VarHi-from)
			if err := d.kernel.Launch(s, []int{device.RoundUp(count, group)}, []int{group},
				device.Values{"x": at(e.on[s]), "of_value": e.real(step.ofValue),
					"of_range": e.real(step.ofRange), "from": from,
					"count": count}); err != nil {
				return err
			}
			from += count
			if err := pace.Launched(ctx, float64(count)); err != nil {
				return err
			}
		}
		return pace.Wait(ctx)
	})
}
