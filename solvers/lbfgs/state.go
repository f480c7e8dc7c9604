package lbfgs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// State lists state, the point, the best one, the gradient and the pairs.
func (r *run) State() *solvers.State {
	st := r.engine.memory.State(&r.state)
	st.Restored = r.restored
	return st
}

// restored copies the variables before each shard, which no file has, and compares the value of the point with the
// stored one.
func (r *run) restored(ctx context.Context) error {
	st := &r.state
	e := r.engine
	n := r.m.rows()
	h := &r.state.Hops
	if st.Exact == refused {
		e.refuse()
	}
	if at := &st.Descent; at.Fine < 0 || at.On && at.Fine >= len(r.stages()) || len(at.Acc) != r.p.Accumulators() ||
		at.Pairs.Made < 0 || at.Pairs.Rows != n || len(at.Pairs.SY) != n*n || len(at.Pairs.YY) != n*n ||
		len(h.Rises) > kept || len(h.Kicks) > kept || h.Fruitless < 0 || h.Restarts < 0 ||
		slices.ContainsFunc(h.Kicks, func(k kick) bool { return k.Bodies < 0 || k.Bodies > mostBodies }) {
		return damaged(st.Episode, at.Pairs.Made)
	}
	x := func(v *vectors) *shard.Reals { return v.x }
	if err := e.exchange(x); err != nil || !r.check || math.IsNaN(st.Descent.F) {
		return err
	}
	var at stage
	if st.Descent.On {
		at = r.stage()
	}
	if at.rounded {
		if err := e.rounded.set(st.Descent.Rounds.widths()); err != nil {
			return err
		}
	}
	acc, err := e.evaluateFor(ctx, x, at)
	if err != nil {
		return err
	}
	return solvers.SameValue(r.p.Objective(acc), st.Descent.F, r.p.Tolerance(r.s.Precision))
}

// damaged is the error of a state that is not possible.
func damaged(descent, pairs int) error {
	return &checkpoint.Damage{Msg: fmt.Sprintf("a state of descent %d with %d pairs", descent, pairs)}
}
