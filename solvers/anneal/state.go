package anneal

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// State lists saState, the chains, the records and the widths.
func (r *saRun) State() *solvers.State {
	st := r.chains.State(&r.runs[0])
	st.Restored = r.restored
	return st
}

// restored writes the points of the latest exchange again, which no file has, and compares the values of the chains
// and of the best point with the stored ones.
func (r *saRun) restored(ctx context.Context) error {
	st := &r.runs[0]
	if st.Segment < 1 || st.Segment > r.sch.all() || st.X != nil && len(st.X) != r.p.Domain().N {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state after %d of %d segments", st.Segment, r.sch.all())}
	}
	if err := r.chains.Each(func(i int, _ *cl.Device) error {
		o := r.on[i]
		if err := r.chains.Launches(ctx, i, 1, o.groups, func(_, _, b0, b1 int) error {
			return o.launch(r, i, st.Segment, st.Segment, true, b0, b1)
		}); err != nil {
			return err
		}
		return r.chains.Wait(i)
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
	if now, kept := now[leastOf(now)], kept[leastOf(kept)]; now != st.Now || kept != st.Kept {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the best chain and record have the values %g and %g; the state says "+
			"%g and %g", now, kept, st.Now, st.Kept)}
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
