package cgrasp

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// graspRun is CGRASP on devices. A slot is the start of a work-group. The state of a run is graspState, and
// on the devices the vectors of the slots.
type graspRun struct {
	p     problems.Problem
	s     solvers.Setup
	rules *graspRules
	width int  // points that a slot stores at a time
	slots int  // number of slots on all devices
	check bool // a stored point is compared with the host's value of it
	info  solvers.Info

	starts           *device.Replicas
	construct, local *device.Kernel
	on               []*graspDevice

	state     graspState
	cancelled []float64 // a better point than state.X, of a step that was cancelled; nil: there is none
}

// graspState is the host's share of a run's state.
type graspState struct {
	Sample     solvers.Sample
	Components int64     // evaluated at the end of the latest step
	Kept       float64   // value of the best point as its slot computed it
	X          []float64 // the point that has Sample.Best
	Before     []uint64  // values of each slot at the end of the latest step
	Partial    bool      // the slots have begun the next step
	// Looked is the number of slots that look has come to since the last unit, and Looks of the points that it has
	// evaluated in all.
	Looked, Looks int
}

func (m *CGRASP) startDevices(ctx context.Context, rules *graspRules, p problems.Problem, g *shard.Devices,
	s solvers.Setup) (solvers.Run, error) {
	r := &graspRun{p: p, s: s, rules: rules, width: m.width(p.Domain().N), slots: m.starts(),
		on: make([]*graspDevice, len(g.Infos())), check: g.Checked()}
	r.state = graspState{Sample: solvers.Sample{Best: math.Inf(1)}, Kept: math.Inf(1), Before: make([]uint64, r.slots)}
	plan := m.Plan(p, s.Precision)
	plans, err := g.Fit(ctx, plan, p, s.Precision)
	if err != nil {
		return nil, err
	}
	use, first := shard.Supers(plans), 0
	for i, n := range use {
		r.on[i] = newGraspDevice(first, n)
		if d := g.All()[i]; d != nil {
			g.Pace(&r.on[i].pace[0], d)
			g.Pace(&r.on[i].pace[1], d)
		}
		first += n
	}
	var x0 []float64
	for _, x := range s.X0 {
		x0 = append(x0, p.Domain().Stored(s.Precision, 0, x)...)
	}
	r.starts, err = device.PlaceReplicas(g, p, s, use, m.items, func(i int) device.Share {
		share := rules.share(r.on[i], s.Precision, p.Accumulators(), r.width, x0)
		share.Values = device.Values{"seed": s.Key.Seed, "run": s.Key.Run, "given": len(s.X0)}
		return share
	}, r.defines(), kernels.Get("solvers/cgrasp/search.cl"), kernels.Get("solvers/cgrasp/cgrasp.cl"))
	if err != nil {
		return nil, err
	}
	r.construct = r.starts.Kernel("cgrasp_construct",
		"xs zs gains befores ats marks accs words reals counts x0 given did seed run first quota work units tables")
	r.local = r.starts.Kernel("cgrasp_local",
		"xs zs befores ats ys marks accs words reals counts did seed run first quota work units tables")
	r.info = solvers.Info{Plans: plans, Units: plan.Units, UnitNames: "starts"}
	return r, nil
}

// items returns the number of work-items of a start. It is 1 on processors, whose compilers turn a group into a loop
// and split it at every barrier.
func (m *CGRASP) items(info cl.Info) int {
	switch {
	case m.Items > 0:
		return min(m.Items, info.MaxGroup)
	case info.Type == cl.CPU:
		return 1
	}
	return shard.GroupSize(info)
}

func (r *graspRun) defines() []kernels.Define {
	q := r.rules
	literal := func(name string, v float64) kernels.Define {
		if math.IsInf(v, -1) {
			return kernels.Define{Name: name, Value: "(-INFINITY)"}
		}
		return kernels.Define{Name: name, Value: "(" + problems.Literal(v) + ")"}
	}
	return []kernels.Define{
		kernels.Number("GRASP_WORDS", graspWords), kernels.Number("GRASP_REALS", graspReals),
		kernels.Number("GRASP_COUNTS", graspCounts), kernels.Number("GRASP_MARKS", q.marks()),
		kernels.Number("GRASP_FIXING", int(q.fixing)), kernels.Number("LINES", q.lines), kernels.Signed("HALF", q.half),
		kernels.Signed("GRASP_MOST", graspMost),
		kernels.Flag("GRASP_LOWER", q.lower), kernels.Flag("GRASP_FULL", q.full),
		kernels.Flag("GRASP_ADDITIVE", q.additive), kernels.Flag("GRASP_MANY", q.many),
		kernels.Flag("GRASP_SCALED", q.scale != nil), literal("GRASP_SPAN", q.span),
		kernels.Number("MEET_STRIDE", q.stride), kernels.Number("MEET_FROM", q.from), kernels.Number("MEET_TO", q.to),
		kernels.Number("WIDTH", r.width), kernels.Number("BATCH", q.batch), kernels.Number("EXTEND", q.extend),
		kernels.Number("POINTS", q.points), kernels.Number("TRIES", q.tries),
		literal("RHO", q.rho), literal("GRASP_WORTH", q.worth), literal("ALPHA", q.alpha), literal("GRASP_HS", q.hs),
		literal("GRASP_HE", q.he),
		literal("GRASP_UNTIL", q.until), kernels.Flag("RESTART", q.restart), kernels.Number("STARTS", r.slots),
	}
}

// Step lets every slot make units until no other fits into its share of the room. If that is too small for all slots,
// only the first ones make units. If no unit fits, Step looks at a point that is being constructed. A step that was
// cancelled goes on where it was.
func (r *graspRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	left := r.rules.left(room, st.Sample, st.Components)
	if !left.holds(1, int64(r.rules.comps)) || r.ended() {
		return st.Sample, false, nil
	}
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	r.cancelled = nil
	each := purse{values: min(r.rules.quota, left.values)}
	slots := int(min(left.values/each.values, max(1, left.components/r.rules.together), int64(r.slots)))
	each.components = left.components / int64(slots)
	of := func(o *graspDevice) int { return max(0, min(slots-o.first, o.slots)) }
	if !st.Partial {
		if err := r.starts.Each(func(i int, _ *cl.Device) error { return r.begin(i, of(r.on[i])) }); err != nil {
			return st.Sample, false, err
		}
		st.Partial = true
	}
	if err := r.starts.Each(func(i int, _ *cl.Device) error {
		return r.advance(ctx, i, of(r.on[i]), each)
	}); err != nil {
		if ctx.Err() == nil {
			return st.Sample, false, err
		}
		s, e := r.stop()
		return s, false, cmp.Or(e, err)
	}
	if err := r.read(); err != nil {
		return st.Sample, false, err
	}
	sample, ok, err := r.collect(ctx)
	if err == nil && !ok {
		sample, ok, err = r.look(ctx)
	}
	if err == nil {
		st.Partial = false
	}
	return sample, ok, err
}

// read reads the words, reals and counts of the slots of all ranks.
func (r *graspRun) read() error {
	if err := r.starts.Each(func(i int, _ *cl.Device) error {
		o := r.on[i]
		return errors.Join(o.words.Read(0, o.hostWords), o.reals.Read(0, o.hostReals), o.counts.Read(0, o.hostCounts))
	}); err != nil {
		return err
	}
	g := r.starts.Devices()
	return errors.Join(
		gather(g, r.on, graspWords, func(o *graspDevice) []uint32 { return o.hostWords }),
		gather(g, r.on, graspReals, func(o *graspDevice) []float64 { return o.hostReals }),
		gather(g, r.on, graspCounts, func(o *graspDevice) []uint64 { return o.hostCounts }))
}

// gather completes the numbers of each device, width for each slot.
func gather[T shard.Number](g *shard.Devices, on []*graspDevice, width int, of func(o *graspDevice) []T) error {
	if !g.Shared() {
		return nil
	}
	var all []T
	for _, o := range on {
		all = append(all, of(o)...)
	}
	end := func(i int) int { return (on[i].first + on[i].slots) * width }
	if err := shard.Gather(g, all, end); err != nil {
		return err
	}
	for i, o := range on {
		copy(of(o), all[o.first*width:end(i)])
	}
	return nil
}

// begin makes the quotas of the first slots of a device count from here.
func (r *graspRun) begin(i, slots int) error {
	if slots == 0 {
		return nil
	}
	size := r.starts.GroupSize(i)
	return r.construct.Launch(i, []int{slots * size}, []int{size},
		device.Values{"first": 0, "quota": uint64(0), "work": uint64(0), "units": 0})
}

// advance launches units of the first slots of a device until none of these has more to do. It launches the kernels of
// constructions and of local searches in turn.
func (r *graspRun) advance(ctx context.Context, i, slots int, each purse) error {
	o, active := r.on[i], slots
	args := device.Values{"quota": uint64(each.values), "work": uint64(each.components)}
	for active > 0 {
		var err error
		if _, err = r.sweep(ctx, i, slots, active, &o.pace[0], r.construct, args); err != nil {
			return err
		}
		if active, err = r.sweep(ctx, i, slots, active, &o.pace[1], r.local, args); err != nil {
			return err
		}
	}
	return nil
}

// sweep launches some units of the first slots of a device, of which active have something to do. It returns the number
// of slots that have more to do afterwards.
func (r *graspRun) sweep(ctx context.Context, i, slots, active int, pace *shard.Pacer, kernel *device.Kernel,
	args device.Values) (left int, err error) {
	o, size := r.on[i], r.starts.GroupSize(i)
	for b, groups := 0, 0; b < slots; b += groups {
		units, width := partial.Divide(pace.Fit(), active)
		if width >= active {
			width = slots
		}
		groups = min(width, slots-b)
		args["first"], args["units"] = b, units
		if err := kernel.Launch(i, []int{groups * size}, []int{size}, args); err != nil {
			return 0, err
		}
		did := o.hostDid[:2*groups]
		if err := o.did.Read(2*b, did); err != nil {
			return 0, err
		}
		made := uint32(0)
		for k := range groups {
			made += did[2*k]
			left += int(did[2*k+1])
		}
		if err := pace.Launched(ctx, float64(made)); err != nil {
			return 0, err
		}
		if err := pace.Wait(ctx); err != nil {
			return 0, err
		}
	}
	return left, nil
}

// reached is what the slots have done and found so far.
type reached struct {
	values, components int64
	nonFinite          int64
	here               float64 // the smallest current value among the slots that have made units in this step
	better             bool    // a slot has a better point than any before this step
	device, slot       int     // of that point
	kept               float64 // its value, as the slot computed it
}

// reached reads the counters that read has brought to the host.
func (r *graspRun) reached() reached {
	st := &r.state
	looks := int64(st.Looks)
	now := reached{here: math.Inf(1), kept: st.Kept, values: looks, components: looks * int64(r.rules.comps)}
	for i, o := range r.on {
		for k := range o.slots {
			now.values += int64(o.hostCounts[k*graspCounts])
			now.components += int64(o.hostCounts[k*graspCounts+1])
			now.nonFinite += int64(o.hostWords[k*graspWords+graspWordOdd])
			if f := o.hostReals[k*graspReals+graspRealBest]; f < now.kept {
				now.better = true
				now.device = i
				now.slot = k
				now.kept = f
			}
			if o.hostCounts[k*graspCounts] > st.Before[o.first+k] {
				now.here = min(now.here, host.Infinite(o.hostReals[k*graspReals+graspRealValue], new(int64)))
			}
		}
	}
	return now
}

// sample returns the sample of a step in which the slots have come so far, and the best point if it is a new one.
func (r *graspRun) sample(ctx context.Context, now reached) (s solvers.Sample, x []float64, err error) {
	s = r.state.Sample
	s.F = max(now.here, s.Best)
	s.Worked(float64(now.components) / float64(r.rules.comps))
	s.Moves, s.NonFinite = now.values, now.nonFinite
	if !now.better {
		return s, nil, nil
	}
	at := func() *shard.Reals { return r.on[now.device].at }
	if x, err = r.starts.Read(now.device, at, now.slot); err != nil {
		return s, nil, err
	}
	f, err := r.starts.Value(ctx, x)
	if err != nil || !(f < s.Best) { // the sum in another order may be larger than the slot found it
		return s, nil, err
	}
	s.F, s.Best = f, f
	return s, x, nil
}

// collect ends a step.
func (r *graspRun) collect(ctx context.Context) (solvers.Sample, bool, error) {
	st, now := &r.state, r.reached()
	if now.values == st.Sample.Moves {
		return st.Sample, false, nil
	}
	s, x, err := r.sample(ctx, now)
	if err != nil {
		return st.Sample, false, err
	}
	st.Kept = now.kept
	if x != nil {
		st.X = x
	}
	st.Components, st.Looked = now.components, 0
	for _, o := range r.on {
		for k := range o.slots {
			st.Before[o.first+k] = o.hostCounts[k*graspCounts]
		}
	}
	s.Step++
	st.Sample = s
	return s, true, nil
}

// look evaluates the point of the next slot that is within a construction. It is for the end, when no unit fits any
// more: where f is a sum, the point has no value before its construction has ended.
func (r *graspRun) look(ctx context.Context) (solvers.Sample, bool, error) {
	st := &r.state
	for ; st.Looked < r.slots && r.rules.additive; st.Looked++ {
		i, k := r.deviceOf(st.Looked)
		w := r.on[i].hostWords[k*graspWords:]
		if w[graspWordMoved] == 0 || !graspPhase(w[graspWordPhase]).constructs() {
			continue
		}
		x, err := r.starts.Read(i, func() *shard.Reals { return r.on[i].x }, k)
		if err != nil {
			return st.Sample, false, err
		}
		f, err := r.starts.Value(ctx, x)
		if err != nil {
			return st.Sample, false, err
		}
		s := st.Sample
		st.Looked++
		st.Looks++
		st.Components += int64(r.rules.comps)
		if looked(&s, f, st.Components, r.rules.comps); s.F < st.Sample.Best {
			st.X = x
		}
		st.Sample = s
		return s, true, nil
	}
	return st.Sample, false, nil
}

// looked counts an evaluation of a point within a construction, which was no step of its start.
func looked(s *solvers.Sample, f float64, components int64, comps int) {
	s.Step, s.Moves = s.Step+1, s.Moves+1
	s.Worked(float64(components) / float64(comps))
	s.F = host.Infinite(f, &s.NonFinite)
	s.Best = min(s.Best, s.F)
}

// deviceOf returns the device of a slot, and its number there.
func (r *graspRun) deviceOf(slot int) (device, number int) {
	for i, o := range r.on {
		if slot < o.first+o.slots {
			return i, slot - o.first
		}
	}
	panic("cgrasp: no such start")
}

// stop returns the sample of a step that was cancelled, and keeps its best point apart from the state, with which the
// step goes on.
func (r *graspRun) stop() (s solvers.Sample, err error) {
	if err := r.read(); err != nil {
		return r.state.Sample, err
	}
	s, r.cancelled, err = r.sample(context.Background(), r.reached())
	if err != nil {
		return r.state.Sample, err
	}
	return s, nil
}

// ended reports whether no slot has anything left to do.
func (r *graspRun) ended() bool {
	if r.rules.restart {
		return false
	}
	for _, o := range r.on {
		for k := range o.slots {
			if graspPhase(o.hostWords[k*graspWords+graspWordPhase]) != graspEnded {
				return false
			}
		}
	}
	return true
}

// Incumbent writes the best point that any start visited.
func (r *graspRun) Incumbent(first int, x []float64) error {
	best := r.state.X
	if r.cancelled != nil {
		best = r.cancelled
	}
	copy(x, best[first:])
	return nil
}

// Info describes the layout of the starts, and says whether they have ended.
func (r *graspRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.ended()
	return info
}

// Close releases the starts.
func (r *graspRun) Close() { r.starts.Close() }
