package masw

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/solvers"
)

// State returns maswState, the population and the biases of local search.
func (r *maswRun) State() *solvers.State {
	st := r.memory.State(&r.state)
	st.Restored = r.restored
	return st
}

// restored evaluates the population and compares the values with the stored ones. A device with other
// values is refused.
func (r *maswRun) restored(ctx context.Context) error {
	if n := len(r.state.F); n != r.n || len(r.state.Chains) != n {
		return fmt.Errorf("a state of %d individuals for a population of %d", n, r.n)
	}
	if !r.check {
		return nil
	}
	f, err := r.evaluateMoves(ctx, make([]proposal, r.n))
	if err != nil {
		return err
	}
	for j, v := range f {
		if err := solvers.SameValue(v, r.state.F[j], r.p.Tolerance(r.s.Precision)); err != nil {
			return fmt.Errorf("individual %d: %w", j, err)
		}
	}
	return nil
}
