package anneal

import (
	"context"
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Step anneals through some segments. Every Step has the same number, except at a limit and at the end.
func (r *saRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	sch := r.sch
	now := r.runs[0].Sample
	from := r.runs[0].Segment
	starts := int64(0)
	if now.Step == 0 {
		starts = int64(sch.chains)
	}
	moves := func(to int) int64 { return int64(sch.chains) * (sch.made(to) - sch.made(from)) }
	// An even number of epochs is left out, so that the buffers of exchanges keep their turns.
	pair := 2 * max(1, sch.exchange*sch.segments)
	from += int(r.leaps.Next(int64(r.latest), int64(sch.all()-from), int64(r.step), int64(pair)))
	to := min(from+r.step, sch.all())
	for to > from && !r.cost.fits(starts+moves(to), room, now) {
		to--
	}
	if to == from {
		return now, false, nil
	}
	if err := ctx.Err(); err != nil {
		return now, false, err
	}
	made := moves(to)
	for _, o := range r.on {
		o.made = 0
	}
	if err := solvers.Finish(ctx, func(ctx context.Context) error {
		if err := r.segments(ctx, from, to); err != nil {
			return err
		}
		for k := range r.runs {
			r.runs[k].Segment = to
		}
		r.latest = to - from
		return r.report(ctx)
	}); err != nil {
		if _, abandoned := errors.AsType[*solvers.AbandonedError](err); abandoned {
			return r.salvage(), false, err
		}
		return now, false, err
	}
	for k := range r.runs {
		s := &r.runs[k].Sample
		s.Step++
		r.cost.add(starts+made, s)
	}
	return r.runs[0].Sample, true, nil
}

// salvage notes the best points of a Step that was abandoned, and returns the sample. The run cannot go on.
func (r *saRun) salvage() solvers.Sample {
	now := r.runs[0].Sample
	err := r.chains.Each(func(i int, d *cl.Device) error { return r.on[i].close(r, i) })
	if err != nil || r.report(context.Background()) != nil {
		return now
	}
	made := int64(0)
	for _, o := range r.on {
		made += o.made
	}
	for k := range r.runs {
		s := &r.runs[k].Sample
		r.cost.add(made/int64(len(r.runs)), s)
		s.F = s.Best // the values of the chains are those of no step
	}
	return r.runs[0].Sample
}

// segments runs the segments [from, to) of all chains, with an exchange after each epoch.
func (r *saRun) segments(ctx context.Context, from, to int) error {
	epoch := r.sch.epoch()
	if epoch == 0 || r.alone {
		return r.chains.Each(func(i int, d *cl.Device) error { return r.on[i].run(ctx, r, i, from, to) })
	}
	for from < to {
		end := min(to, (from/epoch+1)*epoch)
		if err := r.chains.Each(func(i int, d *cl.Device) error {
			return r.on[i].run(ctx, r, i, from, end)
		}); err != nil {
			return err
		}
		if end%epoch == 0 {
			if err := r.exchange(r.sch.turn(end)); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

// run queues the segments [from, to) on a device. The launches of an epoch read the points of the epoch
// before, and write those for the next epoch to another buffer.
func (o *saDevice) run(ctx context.Context, r *saRun, i, from, to int) error {
	epoch := r.sch.epoch()
	for from < to {
		end := to
		if epoch > 0 {
			end = min(to, (from/epoch+1)*epoch)
		}
		if o.groups > 0 && !o.quick(r, i) {
			if err := o.parts(ctx, r, i, from); err != nil {
				return err
			}
			from++
			continue
		}
		begin := from
		if err := r.chains.Launches(ctx, i, &o.pace, end-begin, o.groups, func(p0, p1, b0, b1 int) error {
			return o.launch(r, i, begin+p0, begin+p1, epoch > 0 && (begin+p1)%epoch == 0, b0, b1)
		}); err != nil {
			return err
		}
		from = end
	}
	return o.pace.Wait(context.Background())
}

// launch queues the segments [from, to) of an epoch for the groups [b0, b1) of a device. If last, the groups write the
// points of their best chains.
func (o *saDevice) launch(r *saRun, i, from, to int, last bool, b0, b1 int) error {
	o.made += int64(b1-b0) * chainGroup * (r.sch.made(to) - r.sch.made(from) + int64(problems.Flag(from == 0)))
	return o.launchPart(r, i, from, to, last, saPart{first: b0, end: b1, lanes: chainGroup, steps: r.sch.segment}, 0, 0,
		true)
}

// launchPart queues a launch of the segments [from, to): of one segment, the steps from step on and the chains from
// lane on that the part has, or of whole segments all of them. If record, the segments come to their ends.
func (o *saDevice) launchPart(r *saRun, i, from, to int, last bool, p saPart, lane, step int, record bool) error {
	turn, ins := r.sch.turn(to), r.groups
	if !r.alone {
		ins = 1 // the host has chosen the point
	}
	return r.anneal.Launch(i, []int{(p.end - p.first) * chainGroup}, []int{chainGroup}, device.Values{
		"in_f": o.outF[1-turn], "in_x": o.outX[1-turn], "out_f": o.outF[turn], "out_x": o.outX[turn],
		"now": chainsLaunch{Ins: uint32(ins), Group0: uint32(p.first), Segment0: uint32(from), Segment1: uint32(to),
			Exchange: uint32(r.sch.epoch()), Refresh: uint32((r.p.Domain().N + r.sch.n - 1) / r.sch.n),
			Last: uint32(problems.Flag(last)), Lane0: uint32(lane), Lane1: uint32(p.lanes), Step0: uint32(step),
			Step1: uint32(p.steps), Record: uint32(problems.Flag(record))}})
}

// exchange finds the best chain of all devices and copies its point to every device. turn is the turn of the
// epoch that has just ended.
func (r *saRun) exchange(turn int) error {
	all, err := r.ofGroups(func(o *saDevice) *shard.Reals { return o.outF[turn] })
	if err != nil {
		return err
	}
	best := leastOf(all)
	device, group := r.deviceOf(best)
	x, err := r.chains.Read(device, func() *shard.Reals { return r.on[device].outX[turn] }, group)
	if err != nil {
		return err
	}
	return r.chains.Each(func(i int, d *cl.Device) error {
		if err := r.on[i].outF[turn].Write(0, all[best:best+1]); err != nil {
			return err
		}
		return r.on[i].outX[turn].Write(0, x)
	})
}

// ofGroups returns the values of all groups, device after device.
func (r *saRun) ofGroups(of func(o *saDevice) *shard.Reals) ([]float64, error) {
	values := make([]float64, r.end(len(r.on)-1))
	if err := r.chains.Each(func(i int, d *cl.Device) error {
		return of(r.on[i]).Read(0, values[r.end(i-1):r.end(i)])
	}); err != nil {
		return nil, err
	}
	return values, shard.Gather(r.chains.Devices(), values, r.end)
}

// end returns the number of groups of the devices up to device i.
func (r *saRun) end(i int) int {
	if i < 0 {
		return 0
	}
	return r.on[i].first/chainGroup + r.on[i].groups
}

// leastOf returns the index of the first of the smallest values.
func leastOf(values []float64) (at int) {
	for i, v := range values {
		if v < values[at] {
			at = i
		}
	}
	return at
}

// deviceOf returns the device of a group, and its number there, from its number among all groups.
func (r *saRun) deviceOf(number int) (device, group int) {
	for i, o := range r.on {
		if first := o.first / chainGroup; o.groups > 0 && number < first+o.groups {
			return i, number - first
		}
	}
	panic("anneal: no such group of chains")
}

// report completes the samples.
func (r *saRun) report(ctx context.Context) error {
	turn := r.sch.turn(max(1, r.runs[0].Segment))
	kept, err := r.ofGroups(func(o *saDevice) *shard.Reals { return o.recF })
	if err != nil {
		return err
	}
	now, err := r.ofGroups(func(o *saDevice) *shard.Reals { return o.outF[turn] })
	if err != nil {
		return err
	}
	odd := make([]uint32, len(now))
	if err := r.chains.Each(func(i int, d *cl.Device) error {
		return r.on[i].odd.Read(0, odd[r.end(i-1):r.end(i)])
	}); err != nil {
		return err
	}
	if err := shard.Gather(r.chains.Devices(), odd, r.end); err != nil {
		return err
	}
	for k := range r.runs {
		a, b := k*r.groups, (k+1)*r.groups
		if err := r.reportOn(ctx, &r.runs[k], a, kept[a:b], now[a:b], odd[a:b]); err != nil {
			return err
		}
	}
	return nil
}

// reportOn completes the sample of the run whose groups begin at number first and have the given records,
// values and counts. A new record is evaluated in full.
func (r *saRun) reportOn(ctx context.Context, st *saState, first int, kept, now []float64, odd []uint32) error {
	s := &st.Sample
	st.Now = now[leastOf(now)]
	s.F = max(st.Now, s.Best)
	if best := leastOf(kept); kept[best] < st.Kept {
		device, group := r.deviceOf(first + best)
		x, err := r.chains.Read(device, func() *shard.Reals { return r.on[device].recX }, group)
		if err != nil {
			return err
		}
		f, err := r.chains.Value(ctx, x)
		if err != nil {
			return err
		}
		st.Kept = kept[best]
		s.F = host.Infinite(f, new(int64))
		if s.F < s.Best {
			s.Best, st.X = s.F, x
		}
	}
	s.NonFinite = 0
	for _, n := range odd {
		s.NonFinite += int64(n)
	}
	return nil
}
