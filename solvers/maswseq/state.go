package maswseq

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// state returns the vectors that are kept, and the state of the run.
func (e *deviceEngine) state(run *state) *solvers.State {
	st := e.memory.State(run)
	st.Restored = func(ctx context.Context) error {
		if run.Phase == phasePopulate { // the first step was cancelled, and begins anew
			return nil
		}
		now, err := e.now()
		if err != nil {
			return err
		}
		if run.Phase < phaseCycle || run.Phase > phaseSearch || int(now[0]) >= e.population {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a state in phase %d of individual %d", run.Phase, now[0])}
		}
		e.searching = run.Phase == phaseSearch
		if !e.check {
			return nil
		}
		return e.recall(ctx, run.now())
	}
	return st
}

// recall evaluates the stored points and compares their values with the stored ones, which it does not change, and the
// best of them with f.
func (e *deviceEngine) recall(ctx context.Context, f float64) error {
	rows := e.rows()
	want, err := e.values(rows)
	if err != nil {
		return err
	}
	stored := make([]byte, 8*rows*e.p.Accumulators())
	if err := e.pl.Each(func(int, shard.Shard, *cl.Device) error {
		return e.on.acc.Raw().ReadBytes(0, stored)
	}); err != nil {
		return err
	}
	if _, err := e.evaluate(ctx, rows); err != nil {
		return err
	}
	got, err := e.values(rows)
	if err != nil {
		return err
	}
	tol, best := e.p.Tolerance(e.s.Precision), got[0]
	for j, v := range got {
		if err := solvers.SameValue(v, want[j], tol); err != nil {
			return fmt.Errorf("row %d: %w", j, err)
		}
		if host.Better(v, best) {
			best = v
		}
	}
	if err := solvers.SameValue(best, f, tol); err != nil {
		return err
	}
	return e.pl.Each(func(int, shard.Shard, *cl.Device) error { return e.on.acc.Raw().WriteBytes(0, stored) })
}
