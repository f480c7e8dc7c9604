package masw

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/solvers"
)

// State returns maswState, the population and the biases of local search.
func (r *maswRun) State() *solvers.State { return r.StateOf(0) }

// StateOf is State for one of several runs.
func (r *maswRun) StateOf(run int) *solvers.State {
	st := r.memory.State(&r.states[run]).RowsOf(run, r.runs)
	if err := r.settle(); err != nil {
		st.Each = func(func(piece int) error) error { return err }
	}
	st.Restored = func(ctx context.Context) error { return r.restored(ctx, run) }
	return st
}

// restored evaluates the population of a run and compares the values with the stored ones. A device with other
// values is refused.
func (r *maswRun) restored(ctx context.Context, run int) error {
	st := &r.states[run]
	if st.Sample.Step == 0 { // the first step was cancelled
		st.F, st.Chains = nil, nil
		return nil
	}
	if n := len(st.F); n != r.n || len(st.Chains) != n {
		return fmt.Errorf("a state of %d individuals for a population of %d", n, r.n)
	}
	if !r.check {
		return nil
	}
	f, err := r.evaluateMoves(ctx, make([]proposal, r.all()))
	if err != nil {
		return err
	}
	lo, hi := r.of(run)
	for j, v := range f[lo:hi] {
		if err := solvers.SameValue(v, st.F[j], r.p.Tolerance(r.s.Precision)); err != nil {
			return fmt.Errorf("individual %d: %w", j, err)
		}
	}
	return nil
}
