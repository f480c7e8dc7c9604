package lbfgs

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

const (
	near    = 1e-3 // how far from the point of a descent an exact gradient is tried, as a share of intervals
	agrees  = 1e-3 // relative difference of a derivative and a difference of values
	trySize = 1e-4 // of the first difference, as a share of the widest interval; the next ones are a tenth of it
	bigSize = 1e-2 // that in float32
	tryMost = 4    // differences
)

// try compares the exact gradient at a point near that of the descent with differences of values along it. They must
// agree for one step. Otherwise gradients are differences from now on.
func (r *run) try(ctx context.Context, s *solvers.Sample) (err error) {
	e, d := r.engine, r.p.Domain()
	x := func(v *vectors) *shard.Reals { return v.x }
	if err := e.keep(func(v *vectors) *shard.Reals { return v.current }); err != nil {
		return err
	}
	// The kick that follows changes each variable of the copy a little, and the last one none.
	change := func(share float64) error {
		if err := e.each(e.kicked, device.Values{"descent": 0, "share": e.real(share), "reach": e.real(near),
			"one": uint32(d.N)}); err != nil {
			return err
		}
		return e.exchange(x)
	}
	if err := change(1); err != nil {
		return err
	}
	found, values, err := r.compare(ctx)
	if back := change(0); err == nil {
		err = back
	}
	if err != nil {
		return err
	}
	s.Work += exactWork + float64(values)
	r.state.Exact = tried
	if !found && r.noisy() {
		return solvers.Settingf("exact gradients of %s do not agree with values in fp32, and differences in float32 "+
			"are none; use --precision fp64 or another solver", r.p.Spec())
	} else if !found {
		r.state.Exact = refused
		e.refuse()
	}
	return nil
}

// compare reports whether the exact gradient at x agrees with values along it, and how many values it took.
func (r *run) compare(ctx context.Context) (agree bool, values int, err error) {
	e := r.engine
	acc, err := e.evaluate(ctx, func(v *vectors) *shard.Reals { return v.x })
	if err != nil {
		return false, 1, err
	}
	weights := r.weights(acc)
	if !slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) { // the objective is flat in its sums
		return true, 1, nil
	}
	if err := e.differentiate(ctx, weights, exactly[usual], 0); err != nil {
		return false, 1, err
	}
	length, err := r.steepest(ctx)
	if err != nil {
		return false, 1, err
	}
	if length == 0 { // nothing to compare: the function is flat here, as one that has steps
		return true, 1, nil
	}
	value := func(acc []float64) (v float64) {
		for j, w := range weights {
			v += w * acc[j]
		}
		return v
	}
	lo, hi := r.p.Domain().Box()
	values = 1
	share, blur := trySize, 0.0
	if r.noisy() {
		share = bigSize
		for j, w := range weights {
			blur += noise * math.Abs(w*acc[j])
		}
	}
	for size := share * (hi - lo) / length; values < 1+2*tryMost; size /= 10 {
		if !host.Finite(size) {
			return false, values, nil
		}
		down, fall, err := e.step(ctx, size, exactly[usual])
		if err != nil {
			return false, values, err
		}
		up, rise, err := e.step(ctx, -size, exactly[usual])
		if err != nil {
			return false, values, err
		}
		values += 2
		change, by := value(up)-value(down), rise-fall
		if math.Abs(change-by) <= agrees*math.Abs(by)+blur {
			return true, values, nil
		}
	}
	return false, values, nil
}

// steepest makes the direction in which the function falls most steeply if each variable is measured in widths of its
// interval, and returns the length of the gradient in these units, times the widest one.
func (r *run) steepest(ctx context.Context) (length float64, err error) {
	e := r.engine
	even := r.p.Domain().OneBox()
	gradient := func(v *vectors) *shard.Reals { return v.gradient }
	along := func(v *vectors) *shard.Reals { return v.direction }
	if !even {
		if err := e.stretch(gradient, false); err != nil {
			return 0, err
		}
	}
	products, err := e.products(ctx, 0)
	if err != nil {
		return 0, err
	}
	weights := make([]float64, 2*e.rows+1)
	weights[2*e.rows] = -1
	if err := e.direct(weights); err != nil {
		return 0, err
	}
	if !even {
		if err := e.stretch(along, false); err != nil {
			return 0, err
		}
		if err := e.stretch(gradient, true); err != nil {
			return 0, err
		}
	}
	return math.Sqrt(products[len(products)-1]), nil
}
