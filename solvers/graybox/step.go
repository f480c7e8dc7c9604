package graybox

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// The size of a step. It depends on the problem, the kind of device and the evaluations so far, never on the clock.
const (
	mostQuota = 64 // evaluations of the first steps; later ones make a hundredth of those so far

	// The cost of the components of a step: some hundredths of a second on the fastest devices, so that the launches
	// and waits of a step take little of it, and some seconds on slow ones.
	costOfGPU = 1 << 33
	costOfCPU = 1 << 23
)

// stepCost returns the one of these that holds for devices: the smaller one if one is a processor.
func stepCost(devices []cl.Info) int64 {
	if slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		return costOfCPU
	}
	return costOfGPU
}

// quota returns how many evaluations the parts make in a step.
func (r *run) quota() int64 {
	return min(max(mostQuota, r.state.Units/r.total()/100), max(1, r.stepCost/r.total()))
}

// Step lets every part that does not rest make some evaluations. If all rest, they first get more patience.
func (r *run) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	st := &r.state
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	if err := r.patient(ctx); err != nil {
		return st.Sample, false, err
	}
	if st.Awake == 0 {
		return st.Sample, false, nil
	}
	room := int64(math.MaxInt64)
	if total := r.total(); limit < math.MaxInt64/total-st.Sample.Evaluations {
		room = (st.Sample.Evaluations+limit)*total - st.Units
	}
	advance := r.closedStep
	if r.open() {
		advance = r.openStep
	}
	if ok, err := advance(ctx, room); err != nil || !ok {
		return st.Sample, false, err
	}
	sums, err := r.measure(context.WithoutCancel(ctx))
	if err != nil {
		return st.Sample, false, err
	}
	if err := r.steer(sums); err != nil {
		return st.Sample, false, err
	}
	total := r.total()
	fallen := (st.Sample.Best - sums.f) / float64(sums.units-st.Units)
	if st.Layers[st.Layer].Gain = 0; fallen > 0 {
		st.Layers[st.Layer].Gain = fallen
	}
	st.Units = sums.units
	r.count(sums)
	st.Sample.Add((sums.units+total-1)/total-st.Sample.Evaluations, sums.f, sums.nonFinite)
	st.Sample.Work = float64(sums.units) / float64(total)
	return st.Sample, true, nil
}

// work is advance, and the comparison with the host after the first evaluation of all.
func (r *run) work(quota int) error {
	if r.checked && r.state.Sample.Step == 0 {
		quota--
		if err := r.advance(1); err != nil {
			return err
		}
		if err := r.compare(); err != nil {
			return err
		}
	}
	return r.advance(quota)
}

// patient gives more patience to layers whose parts all rest, until one does not.
func (r *run) patient(ctx context.Context) error {
	for l := range r.state.Layers {
		for st := &r.state.Layers[l]; st.Awake == 0 && st.Patience < mostPatience; {
			st.Patience *= 2
			st.Gain = math.Inf(1)
			found, err := r.report(ctx)
			if err != nil {
				return err
			}
			r.count(found)
		}
	}
	return nil
}

// count notes which parts do not rest.
func (r *run) count(found sums) {
	r.state.Awake, r.state.Cost = found.awake, found.cost
	for l := range r.state.Layers {
		r.state.Layers[l].Awake = found.layers[l]
	}
}

// closedStep makes a step of closed parts with work of room at most. It returns false if that is not enough.
func (r *run) closedStep(_ context.Context, room int64) (bool, error) {
	quota := min(r.quota(), room/r.state.Cost)
	if quota < 1 {
		return false, nil
	}
	return true, r.work(int(quota))
}

// advance lets every part of the layer that does not rest make quota evaluations. Open parts make them in turns, and
// exchange their variables.
func (r *run) advance(quota int) error {
	for colour := range r.layers[r.state.Layer].colours {
		for i, c := range r.classes {
			if c.layer != r.state.Layer {
				continue
			}
			k := &r.kernels[i]
			first, count := c.turn(colour)
			if err := r.launch(k.run, i, first, count, &k.pace, quota, func(from, rounds int) device.Values {
				return device.Values{"quota": rounds, "given": len(r.s.X0), "begins": problems.Flag(from == 0)}
			}); err != nil {
				return err
			}
		}
		if r.open() {
			if err := r.exchange(); err != nil {
				return err
			}
		}
	}
	return nil
}
