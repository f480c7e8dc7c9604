package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// graspRun is CGRASP on devices: a slot is a work-group's start. What it must
// remember is state, and on the devices what a slot has there.
type graspRun struct {
	p     problems.Partial
	s     Setup
	rules *graspRules
	width int
	slots int // on all devices
	info  Info

	starts           *shard.Replicas
	construct, local []*cl.Kernel
	on               []*graspDevice

	fresh *shard.Placement // evaluates the best point as a stored one
	point *shard.Reals

	state graspState
}

// graspState is the host's share of a run's state.
type graspState struct {
	Sample Sample
	Kept   float64   // value of the best point as its slot found it
	X      []float64 // the point that has Sample.Best
}

// What a slot keeps as words, reals and counts; kernels/solvers/cgrasp.cl.
const (
	graspWords, graspReals, graspCounts = 12, 5, 3

	graspWordPhase, graspWordWho, graspWordOdd = 0, 1, 11
	graspRealBest                              = 4
)

// graspDevice is the memory of one device.
type graspDevice struct {
	first, slots              int
	x, z, gain, before, at, y *shard.Reals
	mark                      *cl.Buffer[uint8]
	acc                       *shard.Sums
	words                     *cl.Buffer[uint32]
	reals                     *shard.Reals
	counts                    *cl.Buffer[uint64]
	x0                        *shard.Reals
	active                    *cl.Buffer[uint32]
	pace                      [2]float64 // seconds of a unit of a slot, of constructions and local searches; measured
	hostWords, hostActive     []uint32
	hostReals                 []float64
	hostCounts                []uint64
}

func (m *CGRASP) startDevices(ctx context.Context, rules *graspRules, p problems.Partial, g *shard.Group, s Setup) (_ Run, err error) {
	r := &graspRun{p: p, s: s, rules: rules, width: m.width(p.Dim()), slots: m.starts(), on: make([]*graspDevice, len(g.Devices()))}
	r.state = graspState{Sample: Sample{Best: math.Inf(1)}, Kept: math.Inf(1)}
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	use := m.deal(p, s.Precision, g, plans)
	if use == nil {
		need := m.Plan(p, s.Precision)
		return nil, &shard.PlanError{Need: need.Total(), Plan: need}
	}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if r.starts, err = shard.Replicate(g, p, s.Precision, use, r.defines(),
		kernels.Get("solvers/cgrasp_search.cl"), kernels.Get("solvers/cgrasp.cl")); err != nil {
		return nil, err
	}
	real, word, scalar := shard.RealArg(s.Precision), cl.Mem[uint32](), cl.F64
	if s.Precision == problems.FP32 {
		scalar = cl.F32
	}
	if r.construct, err = r.starts.Kernel("cgrasp_construct", func(d *cl.Device) []cl.Arg {
		return []cl.Arg{real, real, real, real, real, cl.Mem[uint8](), shard.SumArg(d), word, real, cl.Mem[uint64](),
			real, cl.U32, word, cl.U32, cl.U32, cl.U32, cl.U32, cl.U64, cl.U32}
	}); err != nil {
		return nil, err
	}
	if r.local, err = r.starts.Kernel("cgrasp_local", func(d *cl.Device) []cl.Arg {
		return []cl.Arg{real, real, real, real, cl.Mem[uint8](), shard.SumArg(d), word, real, cl.Mem[uint64](), word,
			cl.U32, cl.U32, cl.U32, cl.U64, cl.U32, scalar}
	}); err != nil {
		return nil, err
	}
	first := 0
	for i, n := range use {
		r.on[i] = &graspDevice{first: first, slots: n, pace: [2]float64{1e-4, 1e-4}}
		first += n
	}
	if err = r.starts.Each(r.room); err != nil {
		return nil, err
	}
	if g.Checked() {
		if err = r.starts.Check(s.Key); err != nil {
			return nil, err
		}
	}
	if err = r.evaluator(g, use); err != nil {
		return nil, err
	}
	r.info = Info{Plans: plans, BuildTime: r.starts.BuildTime + r.fresh.BuildTime}
	return r, nil
}

// deal gives each device its slots, in proportion to the weights of the plans
// and within their memory, and enters them there; nil if they do not fit.
func (m *CGRASP) deal(p problems.Problem, prec problems.Precision, g *shard.Group, plans []shard.DevicePlan) []int {
	plan := m.Plan(p, prec)
	shared, fixed := int64(0), int64(0)
	for _, item := range plan.Items {
		if item.Fixed {
			fixed += item.Bytes
		} else {
			shared += item.Bytes
		}
	}
	weights, limits := make([]float64, len(plans)), make([]int, len(plans))
	for i, d := range plans {
		weights[i] = d.Weight
		limits[i] = int(max(0, d.Limit-fixed) / max(1, shared/int64(m.starts())))
		if d.Weight == 0 {
			limits[i] = 0
		}
	}
	use := shard.Apportion(m.starts(), weights, limits)
	for i := range use {
		plans[i].Supers, plans[i].Bytes, plans[i].Largest = use[i], 0, 0
		if use[i] > 0 {
			plans[i].Bytes = fixed + shared*int64(use[i])/int64(m.starts())
			plans[i].Largest = plan.Items[0].Bytes * int64(use[i]) / int64(m.starts())
		}
	}
	return use
}

func (r *graspRun) defines() []kernels.Define {
	q := r.rules
	flag := func(name string, on bool) kernels.Define {
		return kernels.Define{Name: name, Value: map[bool]string{true: "1", false: "0"}[on]}
	}
	literal := func(name string, v float64) kernels.Define {
		return kernels.Define{Name: name, Value: "(" + shard.Literal(v) + ")"}
	}
	return []kernels.Define{
		{Name: "HALF", Value: strconv.Itoa(q.half)}, flag("GRASP_LOWER", q.lower), flag("GRASP_FULL", q.full),
		flag("GRASP_ADDITIVE", q.additive), flag("GRASP_MANY", q.many), flag("GRASP_SCALED", q.scale != nil),
		literal("GRASP_SPAN", q.span), define("MEET_STRIDE", q.stride), define("MEET_FROM", q.from), define("MEET_TO", q.to),
		define("WIDTH", r.width), define("BATCH", q.batch), define("EXTEND", q.extend), define("POINTS", q.points),
		literal("RHO", q.rho), literal("ALPHA", q.alpha), literal("GRASP_HS", q.hs), literal("GRASP_HE", q.he),
		flag("RESTART", q.restart), define("STARTS", r.slots),
	}
}

// room allocates a device's memory and sets what is not zero.
func (r *graspRun) room(i int, d *cl.Device) (err error) {
	o, prec, n := r.on[i], r.s.Precision, r.p.Dim()
	reals := func(n int) (v *shard.Reals) {
		if err == nil {
			v, err = shard.AllocReals(d, prec, n)
		}
		return v
	}
	o.x, o.z, o.gain, o.before, o.at = reals(o.slots*n), reals(o.slots*n), reals(o.slots*n), reals(o.slots*n), reals(o.slots*n)
	o.y, o.reals, o.x0 = reals(o.slots*n*r.width), reals(o.slots*graspReals), reals(max(1, len(r.s.X0)*n))
	if err == nil {
		o.mark, err = cl.Alloc[uint8](d, o.slots*n)
	}
	if err == nil {
		o.acc, err = shard.AllocSums(d, o.slots*r.p.Accumulators())
	}
	if err == nil {
		o.words, err = cl.Alloc[uint32](d, o.slots*graspWords)
	}
	if err == nil {
		o.counts, err = cl.Alloc[uint64](d, o.slots*graspCounts)
	}
	if err == nil {
		o.active, err = cl.Alloc[uint32](d, o.slots)
	}
	if err != nil {
		return err
	}
	o.hostWords, o.hostActive = make([]uint32, o.slots*graspWords), make([]uint32, o.slots)
	o.hostReals, o.hostCounts = make([]float64, o.slots*graspReals), make([]uint64, o.slots*graspCounts)
	for k := range o.slots {
		o.hostWords[k*graspWords+graspWordWho] = uint32(o.first + k)
		o.hostReals[k*graspReals+graspRealBest] = math.Inf(1)
	}
	if err := errors.Join(o.words.Write(0, o.hostWords), o.reals.Write(0, o.hostReals)); err != nil {
		return err
	}
	for k, x := range r.s.X0 {
		y := make([]float64, n)
		for i, v := range x {
			if prec == problems.FP32 {
				v = float64(float32(v))
			}
			y[i] = min(max(v, r.rules.lo[i]), r.rules.hi[i])
		}
		if err := o.x0.Write(k*n, y); err != nil {
			return err
		}
	}
	return nil
}

func (o *graspDevice) close() {
	if o == nil {
		return
	}
	for _, v := range []*shard.Reals{o.x, o.z, o.gain, o.before, o.at, o.y, o.reals, o.x0} {
		v.Close()
	}
	for _, v := range []*cl.Buffer[uint32]{o.words, o.active} {
		if v != nil {
			v.Close()
		}
	}
	if o.mark != nil {
		o.mark.Close()
	}
	if o.counts != nil {
		o.counts.Close()
	}
	o.acc.Close()
}

// evaluator places the problem on the first device in use for stored points:
// what is reported is evaluated as shard.Evaluate does.
func (r *graspRun) evaluator(g *shard.Group, use []int) (err error) {
	supers := make([]int, len(use))
	for i, n := range use {
		if n > 0 {
			supers[i] = r.p.Tiling().SuperTiles()
			break
		}
	}
	shards := shard.Split(r.p.Tiling(), supers, nil)
	if r.fresh, err = shard.Place(g, r.p, r.s.Precision, shards, shard.Plain(), r.p.Accumulators(), nil); err != nil {
		return err
	}
	return r.fresh.Each(func(_ int, sh shard.Shard, d *cl.Device) (err error) {
		r.point, err = shard.AllocReals(d, r.s.Precision, r.p.Dim())
		return err
	})
}

// value is the value of a stored point, with the bits of shard.Evaluate.
func (r *graspRun) value(ctx context.Context, x []float64) (float64, error) {
	if err := r.fresh.Each(func(int, shard.Shard, *cl.Device) error { return r.point.Write(0, x) }); err != nil {
		return 0, err
	}
	sums, err := r.fresh.Eval(ctx, 1, func(int) []any { return []any{r.point.Arg(), uint64(r.p.Dim()), uint32(0)} })
	if err != nil {
		return 0, err
	}
	return r.p.Objective(sums), nil
}

// quota is the evaluations of a slot in a Step: as many as the largest unit
// may take, at least 256 line searches.
func (r *graspRun) quota() int64 {
	return max(int64(256*(2*r.rules.half+1)), int64(r.rules.batch), int64(r.rules.extend))
}

// Step lets every slot make units until its quota, or its share of the limit,
// does not take another.
func (r *graspRun) Step(ctx context.Context, limit int64) (Sample, bool, error) {
	st := &r.state
	quota := min(r.quota(), limit/int64(r.slots))
	if quota < 1 || r.Ended() {
		return st.Sample, false, nil
	}
	if err := r.starts.Each(func(i int, d *cl.Device) error {
		if err := r.advance(ctx, i, quota); err != nil {
			return err
		}
		o := r.on[i]
		return errors.Join(o.words.Read(0, o.hostWords), o.reals.Read(0, o.hostReals), o.counts.Read(0, o.hostCounts))
	}); err != nil {
		return st.Sample, false, err
	}
	return r.collect(ctx)
}

// advance launches units of a device's slots, in launches of about
// LaunchTime, until no slot has more to do.
func (r *graspRun) advance(ctx context.Context, i int, quota int64) error {
	o, key := r.on[i], r.s.Key
	var until any = r.rules.until
	if r.s.Precision == problems.FP32 {
		until = float32(r.rules.until)
	}
	for fresh := uint32(1); ; fresh = 0 {
		if err := r.sweep(ctx, i, &o.pace[0], func(b, groups, size, units int) error {
			return r.construct[i].Launch([]int{groups * size}, []int{size}, r.starts.Args(i, o.x.Arg(), o.z.Arg(), o.gain.Arg(), o.before.Arg(),
				o.at.Arg(), o.mark, o.acc.Arg(), o.words, o.reals.Arg(), o.counts, o.x0.Arg(), uint32(len(r.s.X0)), o.active,
				key.Seed, key.Run, uint32(b), fresh, uint64(quota), uint32(units))...)
		}); err != nil {
			return err
		}
		if err := r.sweep(ctx, i, &o.pace[1], func(b, groups, size, units int) error {
			return r.local[i].Launch([]int{groups * size}, []int{size}, r.starts.Args(i, o.x.Arg(), o.before.Arg(), o.at.Arg(), o.y.Arg(),
				o.mark, o.acc.Arg(), o.words, o.reals.Arg(), o.counts, o.active, key.Seed, key.Run, uint32(b), uint64(quota), uint32(units), until)...)
		}); err != nil {
			return err
		}
		if err := o.active.Read(0, o.hostActive); err != nil {
			return err
		}
		if !slices.Contains(o.hostActive, 1) {
			return nil
		}
	}
}

// sweep launches some units of all slots of a device, by launches of the slots
// [b, b+groups) in groups of size items.
func (r *graspRun) sweep(ctx context.Context, i int, pace *float64, launch func(b, groups, size, units int) error) error {
	o := r.on[i]
	units, width := r.starts.Cut(o.slots, *pace)
	for b := 0; b < o.slots; b += width {
		if err := ctx.Err(); err != nil {
			return err
		}
		groups := min(width, o.slots-b)
		took, err := r.starts.Timed(i, func(size int) error { return launch(b, groups, size, units) })
		if err != nil {
			return err
		}
		// The pace only sizes later launches; half weight damps one slow call.
		*pace = (*pace + took.Seconds()/float64(units*groups)) / 2
	}
	return nil
}

// collect makes the sample of a step from what the slots tell.
func (r *graspRun) collect(ctx context.Context) (Sample, bool, error) {
	st := r.state
	evaluations, components, odd := uint64(0), uint64(0), int64(0)
	from, slot, kept := -1, 0, st.Kept
	for i, o := range r.on {
		if o.slots == 0 {
			continue
		}
		for k := range o.slots {
			evaluations += o.hostCounts[k*graspCounts]
			components += o.hostCounts[k*graspCounts+1]
			odd += int64(o.hostWords[k*graspWords+graspWordOdd])
			if f := o.hostReals[k*graspReals+graspRealBest]; f < kept {
				from, slot, kept = i, k, f
			}
		}
	}
	s := &st.Sample
	if int64(evaluations) == s.Evaluations {
		return r.state.Sample, false, nil
	}
	if from >= 0 {
		x := make([]float64, r.p.Dim())
		if err := r.starts.Each(func(i int, _ *cl.Device) error {
			if i != from {
				return nil
			}
			return r.on[i].at.Read(slot*len(x), x)
		}); err != nil {
			return r.state.Sample, false, err
		}
		f, err := r.value(ctx, x)
		if err != nil {
			return r.state.Sample, false, err
		}
		st.Kept = kept
		// Summed in another order, another point may have seemed better.
		if f < s.Best {
			s.Best, st.X = f, x
		}
	}
	s.Step++
	s.F = s.Best
	s.Evaluations, s.Work, s.NonFinite = int64(evaluations), float64(components)/float64(r.rules.comps), odd
	r.state = st
	return *s, true, nil
}

// Ended says whether no slot has anything left to do.
func (r *graspRun) Ended() bool {
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

func (r *graspRun) Incumbent(x []float64) error {
	if len(x) != len(r.state.X) {
		return fmt.Errorf("solvers: a point of %d variables for a problem of %d", len(r.state.X), len(x))
	}
	copy(x, r.state.X)
	return nil
}

func (r *graspRun) Info() Info { return r.info }

func (r *graspRun) Close() {
	if r.point != nil {
		r.point.Close()
	}
	if r.fresh != nil {
		r.fresh.Close()
	}
	for _, o := range r.on {
		o.close()
	}
	if r.starts != nil {
		r.starts.Close()
	}
}
