package anneal

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal/internal/local"
)

// State lists saState, the chains, the records and the widths.
func (r *saRun) State() *solvers.State { return r.StateOf(0) }

// StateOf is State for one of several runs.
func (r *saRun) StateOf(run int) *solvers.State {
	st := r.chains.State(&r.runs[run]).ColumnsOf(run, len(r.runs))
	st.Restored = func(ctx context.Context) error { return r.restored(ctx, run) }
	return st
}

// restored writes the points of a run's latest exchange again, which no file has, and compares the values of its
// chains and of its best point with the stored ones.
func (r *saRun) restored(ctx context.Context, run int) error {
	st := &r.runs[run]
	if st.Segment < 1 || st.Segment > r.sch.all() || st.X != nil && len(st.X) != r.p.Domain().N {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state after %d of %d segments", st.Segment, r.sch.all())}
	}
	if err := r.chains.Each(func(i int, _ *cl.Device) error {
		o, first := r.on[i], r.on[i].first/chainGroup
		from, to := max(run*r.groups, first)-first, min((run+1)*r.groups, first+o.groups)-first
		if from >= to {
			return nil
		}
		var pace shard.Pacer
		if err := r.chains.Launches(ctx, i, &pace, 1, to-from, func(_, _, b0, b1 int) error {
			return o.launch(r, i, st.Segment, st.Segment, true, from+b0, from+b1)
		}); err != nil {
			return err
		}
		return pace.Wait(ctx)
	}); err != nil {
		return err
	}
	turn := r.sch.turn(st.Segment)
	now, err := r.ofGroups(func(o *saDevice) *shard.Reals { return o.outF[turn] })
	if err != nil {
		return err
	}
	kept, err := r.ofGroups(func(o *saDevice) *shard.Reals { return o.recF })
	if err != nil {
		return err
	}
	now, kept = now[run*r.groups:(run+1)*r.groups], kept[run*r.groups:(run+1)*r.groups]
	if now, kept := now[leastOf(now)], kept[leastOf(kept)]; now != st.Now || kept != st.Kept {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the best chain and record have the values %g and %g; the state "+
			"says %g and %g", now, kept, st.Now, st.Kept)}
	}
	if epoch := r.sch.epoch(); epoch > 0 && st.Segment%epoch == 0 && !r.alone {
		if err := r.exchange(turn); err != nil {
			return err
		}
	}
	if !r.check || st.X == nil {
		return nil
	}
	f, err := r.chains.Value(ctx, st.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, st.Sample.Best, r.p.Tolerance(r.s.Precision))
}

// State lists saHostState.
func (r *saHostRun) State() *solvers.State {
	r.state.Chain = r.chain.state()
	return &solvers.State{Host: &r.state, Restored: r.restored}
}

// restored sets the chain, and compares the value of the best point with the stored one.
func (r *saHostRun) restored(context.Context) error {
	st, p := &r.state, r.chain.p
	n := p.Domain().N
	if st.Level < 0 || st.Level > len(r.sch.levels) || int64(st.Next) >= int64(r.sch.n)*int64(r.sch.chains) ||
		len(st.X) != n || len(st.Chain.At) != n || len(st.Chain.Point) != n || len(st.Chain.Acc) != p.Accumulators() {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of level %d of %d, before step %d", st.Level,
			len(r.sch.levels), st.Next)}
	}
	r.chain.restore(st.Chain)
	return solvers.SameOnHost(p, st.X, st.Sample.Best)
}

// State lists saHybridState, and what annealing keeps.
func (r *saHybrid) State() *solvers.State {
	st := r.anneal.State()
	anneal, restored := st.Host, st.Restored
	r.state.Anneal, r.state.Local = checkpoint.Encode(anneal), nil
	if r.local != nil {
		r.state.Local = checkpoint.Encode(r.local.State())
	}
	st.Host = &r.state
	st.Arrange = func() error { return checkpoint.Decode(r.state.Anneal, anneal) }
	st.Restored = func(ctx context.Context) error {
		if err := restored(ctx); err != nil {
			return err
		}
		return r.restored()
	}
	return st
}

// restored sets the local minimizer, and compares the value of its best point with the stored one.
func (r *saHybrid) restored() error {
	st, n := &r.state, r.h.Domain().N
	if st.Hop < 0 || st.Hop > r.m.Hops || st.X != nil && len(st.X) != n {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state after %d of %d restarts", st.Hop, r.m.Hops)}
	}
	if st.Local != nil {
		r.local = local.New(r.m.local(), r.h, make([]float64, n))
		if err := checkpoint.Decode(st.Local, r.local.State()); err != nil {
			return err
		}
		if err := r.local.Restored(); err != nil {
			return err
		}
	}
	if st.X == nil {
		return nil
	}
	return solvers.SameOnHost(r.h, st.X, st.Sample.Best)
}
