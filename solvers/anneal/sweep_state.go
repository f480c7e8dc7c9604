package anneal

import (
	"context"
	"errors"
	"fmt"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/solvers"
)

// State lists sweepState, the point, the best one and the widths.
func (r *saSweepRun) State() *solvers.State {
	st := r.engine.memory.State(&r.state)
	st.Restored = r.restored
	return st
}

// restored copies the variables before each shard, which no file has, and compares the value of the point
// with the stored one.
func (r *saSweepRun) restored(ctx context.Context) error {
	st, e := &r.state, r.engine
	if st.Sweeps < 0 || st.Sweeps > r.all() || st.Every < 1 || st.Every > maxEvery ||
		len(st.Acc) != r.p.Accumulators() || !(st.T0 > 0) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state after %d of %d sweeps, in %d turns", st.Sweeps, r.all(),
			st.Every)}
	}
	if err := errors.Join(e.exchange(), r.slopes()); err != nil || !e.check {
		return err
	}
	acc, err := e.evaluate(ctx)
	if err != nil {
		return err
	}
	return solvers.SameValue(r.p.Objective(acc), st.Sample.F, r.p.Tolerance(e.s.Precision))
}
