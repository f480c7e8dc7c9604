package cgrasp

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/solvers"
)

// State lists graspState and the vectors of the slots.
func (r *graspRun) State() *solvers.State {
	st := r.starts.State(&r.state)
	st.Restored = r.restored
	return st
}

// restored refuses numbers with which a kernel would leave its buffers, and compares the values of the slots and of the
// best point with the stored ones.
func (r *graspRun) restored(ctx context.Context) error {
	st := &r.state
	if len(st.Before) != r.slots || st.X != nil && len(st.X) != r.rules.n {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of %d starts", len(st.Before))}
	}
	if err := r.read(); err != nil {
		return err
	}
	best, made := math.Inf(1), int64(st.Looks)
	for _, o := range r.on {
		for k := range o.slots {
			w := o.hostWords[k*graspWords:]
			if w[graspWordPhase] > uint32(graspEnded) ||
				max(w[graspWordLeft], w[graspWordEnd], w[graspWordUntil]) > uint32(r.rules.n) ||
				w[graspWordPart] >= uint32(r.width) {
				return &checkpoint.Damage{Msg: fmt.Sprintf("start %d is in phase %d, at variable %d", o.first+k,
					w[graspWordPhase], w[graspWordEnd])}
			}
			best = min(best, o.hostReals[k*graspReals+graspRealBest])
			made += int64(o.hostCounts[k*graspCounts])
		}
	}
	if !st.Partial && (best != st.Kept || made != st.Sample.Moves) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the starts have the best value %g after %d moves; the state "+
			"says %g after %d", best, made, st.Kept, st.Sample.Moves)}
	}
	if st.Partial { // the best point may be one of the step that was cancelled
		var err error
		_, r.cancelled, err = r.sample(ctx, r.reached())
		if err != nil {
			return err
		}
	}
	if !r.check || st.X == nil {
		return nil
	}
	f, err := r.starts.Value(ctx, st.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, st.Sample.Best, r.p.Tolerance(r.s.Precision))
}

// State lists graspHostState.
func (r *graspHostRun) State() *solvers.State {
	r.state.Counters, r.state.Vectors = r.start.graspCounters, r.start.graspVectors
	return &solvers.State{Host: &r.state, Restored: r.restored}
}

// restored sets the start, and compares the value of the best point with the stored one.
func (r *graspHostRun) restored(context.Context) error {
	st, s := &r.state, r.start
	c, v := &st.Counters, &st.Vectors
	if len(st.X) == 0 { // the first step was cancelled
		st.X = nil
	}
	for _, x := range [][]float64{st.X, v.X, v.Z, v.Gain, v.Before, v.At} {
		if x != nil && len(x) != s.r.n {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a state of %d variables", len(x))}
		}
	}
	if c.Phase > graspEnded || c.Cursor < 0 || c.End > s.r.n || len(v.Mark) != s.r.n ||
		len(v.Acc) != s.p.Accumulators() {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the start is in phase %d, at variable %d", c.Phase, c.End)}
	}
	s.graspCounters, s.graspVectors = *c, *v
	if st.X == nil {
		return nil
	}
	return solvers.SameOnHost(s.p, st.X, st.Sample.Best)
}
