package anneal

import "context"

// settling is the number of sweeps, with temperature 0, in which multipliers come near to their values before they are
// used to measure T0.
const settling = 40

// settle makes a sweep before T0 is measured, evaluates the point, and returns the number of values that were not
// finite.
func (r *saSweepRun) settle(ctx context.Context) (odd int64, err error) {
	st := &r.state
	if _, err = r.weighted(ctx, 0, firstRepair+mostRepairs+int64(st.Settling)); err != nil {
		return 0, err
	}
	st.Acc, err = r.engine.evaluate(ctx)
	if err != nil {
		return 0, err
	}
	if st.Settling--; st.Settling == 0 {
		if err := r.measure(ctx); err != nil {
			return 0, err
		}
	}
	return r.engine.nonFinite()
}

// weighted makes a sweep if g bends up: the weights of the accumulators are multipliers, and follow its slopes after
// the sweep.
func (r *saSweepRun) weighted(ctx context.Context, t float64, sweep int64) (sweepTotal, error) {
	st := &r.state
	if err := r.engine.slopes(st.Bent.Weight); err != nil {
		return sweepTotal{}, err
	}
	before := append([]float64(nil), st.Acc...)
	change, total, err := r.once(ctx, t, uint32(sweep), false)
	if err != nil {
		return total, err
	}
	for a, v := range change {
		st.Acc[a] += v
	}
	if err := r.agreeFirst(ctx, sweep, before); err != nil {
		return total, err
	}
	st.Bent.follow(r.p, st.Acc, change)
	return total, nil
}
