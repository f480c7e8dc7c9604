package anneal

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/internal/solvers/deadline"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// saSweepRun is a run of sweeps on devices. Its state is sweepState, and on the devices the point, the best
// point and the widths.
type saSweepRun struct {
	m      *SA
	p      problems.Problem
	engine *sweepEngine
	levels schedule // temperatures, times state.T0
	most   int      // sweeps of a Step
	cost   cost     // of a move
	leaps  deadline.Leaps
	latest int64 // sweeps of the latest Step
	info   solvers.Info
	state  sweepState
}

// sweepState is the host's share of a run's state.
type sweepState struct {
	Sample solvers.Sample
	Sweeps int64     // done
	T0     float64   // factor of the temperatures
	Acc    []float64 // accumulators of the point
	Every  int       // number of turns into which a colour is split
	Bent   multipliers
	// Settling is the number of sweeps to make before T0 is measured.
	Settling int
	Steps    []float64 // mean steps of the levels of the pilot
}

func (m *SA) startSweeps(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	b, err := m.sweepShape(p)
	if err != nil {
		return nil, err
	}
	r := &saSweepRun{m: m, p: p, cost: m.costOf(p.Structure(), 1)}
	r.state = sweepState{Sample: solvers.Sample{Best: math.Inf(1)}, T0: 1, Every: 1}
	r.levels = newSchedule(m.sweepLevels())
	r.most = m.sweepsOfStep(p.Domain().N, g)
	if b.bent {
		r.most = 1 // near a limit the value differs from sweep to sweep
	}
	if m.fitted {
		r.leaps.Left = s.Left
	}
	plans, err := g.Fit(ctx, m.sweepPlan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r.engine, err = m.sweepEngine(p, g, s, b, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.info = solvers.Info{Plans: plans, Shards: shards}
	if err := r.engine.start(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// HoldTemperature makes m sweep at one temperature for as long as it is run, in Steps of equal length, and returns
// how many sweeps of n variables such a Step makes. It is for measurements, and refuses settings that ask for anything
// else as a *solvers.SettingError.
func (m *SA) HoldTemperature(n int, g *shard.Devices) (sweeps int, err error) {
	switch v := m.variant(); {
	case v != "auto" && v != "sweeps":
		return 0, solvers.Settingf("bench measures sweeps, not variant=%s", v)
	case m.T0 != nil || m.Tmin != nil || m.Rho != nil:
		return 0, solvers.Settingf("bench measures sweeps at one temperature; leave T0, Tmin and rho out")
	case m.local() != "none":
		return 0, solvers.Settingf("bench measures sweeps without a local minimizer; leave local out")
	}
	rho := 0.9999
	m.Variant = "sweeps"
	m.T0 = nil
	m.Tmin = nil
	m.Rho = &rho
	if err := solvers.Validate(m); err != nil {
		return 0, err
	}
	m.N = m.sweepsOfStep(n, g)
	return m.N, nil
}

// sweepsOfStep returns the number of sweeps of n variables that a Step makes: those of a level, or fewer.
func (m *SA) sweepsOfStep(n int, g *shard.Devices) int {
	return max(1, min(m.sweeps(), int(movesOf(g.Infos()))/n))
}

func (r *saSweepRun) all() int64 { return int64(len(r.levels.levels)) * int64(r.m.sweeps()) }

// Step makes the sweeps of a level, or as many of them as fit.
func (r *saSweepRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	n := int64(r.p.Domain().N)
	first := int64(0)
	if st.Sample.Step == 0 {
		first = 1
	}
	sweep := r.cost.moves(n)
	// Every Step evaluates the point at its end.
	left := solvers.Room{Evaluations: room.Evaluations - first - 1, Moves: room.Moves - first}
	level := int64(r.m.sweeps())
	st.Sweeps += r.leaps.Next(r.latest, r.all()-st.Sweeps, level, level) // whole levels
	sweeps := left.Fitting(min(int64(r.most), level-st.Sweeps%level), st.Sample, sweep, n)
	if r.ended() || sweeps <= 0 {
		return st.Sample, false, nil
	}
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	var repairs, odd int64
	scheduled := sweeps
	if err := solvers.Finish(ctx, func(ctx context.Context) (err error) {
		if first > 0 {
			spare := solvers.Room{Evaluations: left.Evaluations - atLeast(float64(sweeps)*sweep),
				Moves: left.Moves - sweeps*n}
			most := atOnce * spare.Fitting(mostRepairs/atOnce, st.Sample, atOnce*sweep+1, atOnce*n)
			if repairs, err = r.begin(ctx, most); err != nil {
				return err
			}
		}
		if st.Settling > 0 {
			scheduled = 0
			odd, err = r.settle(ctx)
			return err
		}
		odd, err = r.advance(ctx, int(sweeps))
		return err
	}); err != nil {
		return st.Sample, false, err
	}
	work := float64(first) + float64(repairs+sweeps)*sweep + float64(repairs/atOnce) + 1
	st.Sweeps, r.latest = st.Sweeps+scheduled, scheduled
	s := &st.Sample
	s.F = host.Infinite(r.p.Objective(st.Acc), &odd)
	if s.F < s.Best {
		if err := r.engine.keep(); err != nil {
			return st.Sample, false, err
		}
		s.Best = s.F
	}
	s.Step++
	s.Moves += first + (repairs+sweeps)*n
	s.Worked(s.Work + work)
	s.NonFinite += odd
	return *s, true, nil
}

// advance makes sweeps of a level, evaluates the point, and returns the number of values that were not finite.
func (r *saSweepRun) advance(ctx context.Context, sweeps int) (odd int64, err error) {
	st, level := &r.state, int64(r.m.sweeps())
	at := int(st.Sweeps / level)
	measured := at < r.levels.pilot && st.Sweeps%level+int64(sweeps) == level
	total, err := r.sweep(ctx, st.T0*r.levels.temperature(at, st.Steps), sweeps, measured)
	if err != nil {
		return 0, err
	}
	if measured {
		for len(st.Steps) <= at { // levels before it may have been left out
			st.Steps = append(st.Steps, total.step/total.tried)
		}
	}
	st.Acc, err = r.engine.evaluate(ctx)
	if err != nil {
		return 0, err
	}
	return r.engine.nonFinite()
}

// begin evaluates the start point, compares the devices with the host, and measures T0. If the value is not finite, it
// first makes up to `most` sweeps to change that, and returns their number.
func (r *saSweepRun) begin(ctx context.Context, most int64) (repairs int64, err error) {
	st, e := &r.state, r.engine
	st.Acc, err = e.evaluate(ctx)
	if err != nil {
		return 0, err
	}
	if e.check {
		if err := e.compare(); err != nil {
			return 0, err
		}
	}
	f := r.p.Objective(st.Acc)
	if e.shape.linear == nil && !host.Finite(f) {
		return 0, solvers.Settingf("variant=sweeps: f is %g at the start point. It must be finite there, because it "+
			"is not linear in its sums; use variant=v2, or give a point with --x0", f)
	}
	if err := r.slopes(); err != nil {
		return 0, err
	}
	for ; !host.Finite(f) && repairs+atOnce <= min(most, mostRepairs); repairs += atOnce {
		if err := e.moves(ctx, math.MaxFloat32, uint32(firstRepair+repairs), atOnce); err != nil {
			return repairs, err
		}
		st.Acc, err = e.evaluate(ctx)
		if err != nil {
			return repairs, err
		}
		f = r.p.Objective(st.Acc)
	}
	if host.Finite(f) { // a start point that was given may be the best
		if err := e.keep(); err != nil {
			return repairs, err
		}
		st.Sample.Best = f
	}
	if _, relative := r.m.sweepLevels(); !relative {
		return repairs, nil
	}
	if e.shape.bent {
		st.Settling = settling
		return repairs, nil
	}
	return repairs, r.measure(ctx)
}

// measure sets T0 to the mean change of f by one variable.
func (r *saSweepRun) measure(ctx context.Context) error {
	_, total, err := r.once(ctx, 0, math.MaxUint32, true)
	if mean := total.size / total.tried; err == nil && mean > 0 && host.Finite(mean) {
		r.state.T0 = mean
		// In intervals so wide that jumps change f by more than what temperatures span, f itself is the scale.
		if f := math.Abs(r.state.Sample.Best) + 1; mean*tminOfT0 > f {
			r.state.T0 = f
		}
	}
	return err
}

// Sweeps that make the value of the start point finite. Moves that do not concern it are free in them. Their draws have
// numbers that other sweeps do not reach.
const (
	mostRepairs = 400
	atOnce      = 10 // after these the value is computed
	firstRepair = 1 << 31
)

// slopes copies the weights of the accumulators at this point to the devices.
func (r *saSweepRun) slopes() error {
	switch st, shape := &r.state, r.engine.shape; {
	case shape.linear != nil:
		return r.engine.slopes(shape.linear)
	case shape.bent:
		if st.Bent.Weight == nil {
			st.Bent = newMultipliers(host.Slopes(r.p, st.Acc))
		}
		return r.engine.slopes(st.Bent.Weight)
	}
	return r.engine.slopes(host.Slopes(r.p, r.state.Acc))
}

// once makes a sweep. It returns the changes of the accumulators.
func (r *saSweepRun) once(ctx context.Context, t float64, sweep uint32, trial bool) (change []float64,
	all sweepTotal, err error) {
	change = make([]float64, r.p.Accumulators())
	for colour := range r.engine.shape.colours.Count {
		part, total, err := r.engine.sums(ctx, t, sweep, colour, 1, 0, trial)
		if err != nil {
			return nil, all, err
		}
		for a, v := range part {
			change[a] += v
		}
		all.add(total)
	}
	return change, all, nil
}

// sweep makes sweeps at one temperature. It returns the sums of the last one if measured.
func (r *saSweepRun) sweep(ctx context.Context, t float64, sweeps int, measured bool) (total sweepTotal, err error) {
	st, e := &r.state, r.engine
	first := st.Sweeps
	if e.shape.linear == nil {
		one := r.nonlinear
		if e.shape.bent {
			one = r.weighted
		}
		for k := range sweeps {
			if total, err = one(ctx, t, first+int64(k)); err != nil {
				return total, err
			}
		}
		return total, nil
	}
	last := sweeps
	if measured {
		last--
	}
	if first == 0 && e.check {
		// The changes of the first sweep are summed and compared with a full evaluation.
		if total, err = r.checked(ctx, t); err != nil {
			return total, err
		}
		first, last = 1, last-1
	}
	if last > 0 {
		if err := e.moves(ctx, t, uint32(first), last); err != nil {
			return total, err
		}
	}
	if last >= 0 && measured {
		_, total, err = r.once(ctx, t, uint32(first)+uint32(last), false)
	}
	return total, err
}

// checked makes the first sweep if g is linear, and checks the changes of the accumulators.
func (r *saSweepRun) checked(ctx context.Context, t float64) (sweepTotal, error) {
	change, total, err := r.once(ctx, t, 0, false)
	if err != nil {
		return total, err
	}
	for a, v := range r.state.Acc {
		change[a] += v
	}
	return total, r.agree(ctx, change)
}

// agree compares accumulators that were updated by differences with those of the point.
func (r *saSweepRun) agree(ctx context.Context, kept []float64) error {
	full, err := r.engine.evaluate(ctx)
	if err != nil {
		return err
	}
	for a, v := range full {
		// The errors of both are relative to the largest size that the sums had.
		scale := max(1, math.Abs(v), math.Abs(r.state.Acc[a]))
		if host.Finite(v) && host.Finite(r.state.Acc[a]) &&
			!(math.Abs(kept[a]-v) <= 1e3*r.p.Tolerance(r.engine.s.Precision)*scale) {
			return &partial.StructureError{File: problems.SourceOf(r.p), Variable: -1, Got: kept[a], Want: v}
		}
	}
	return nil
}

// nonlinear makes a sweep if g is not linear. After each turn it computes the accumulators again, and compares
// the change of g with that of its linear form.
func (r *saSweepRun) nonlinear(ctx context.Context, t float64, sweep int64) (all sweepTotal, err error) {
	st, e := &r.state, r.engine
	before := append([]float64(nil), st.Acc...)
	far := false
	for colour := range e.shape.colours.Count {
		for which := range st.Every {
			slope := host.Slopes(r.p, st.Acc)
			if err := e.slopes(slope); err != nil {
				return all, err
			}
			change, total, err := e.sums(ctx, t, uint32(sweep), colour, st.Every, which, false)
			if err != nil {
				return all, err
			}
			all.add(total)
			said, f := 0.0, r.p.Objective(st.Acc)
			for a, v := range change {
				said += slope[a] * v
				st.Acc[a] += v
			}
			far = departs(said, r.p.Objective(st.Acc)-f, t) || far
		}
	}
	if err := r.agreeFirst(ctx, sweep, before); err != nil {
		return all, err
	}
	switch {
	case far && st.Every == maxEvery && sweep < max(int64(r.m.sweeps()), refusedBy):
		return all, solvers.Settingf("variant=sweeps: %s bends too much for its variables to move %d at a time; use "+
			"variant=v2 (one variable at a time) with fewer variables, or solver masw",
			r.p.Spec(), max(1, r.p.Domain().N/maxEvery))
	case far:
		st.Every = min(4*st.Every, maxEvery)
	default:
		st.Every = max(st.Every/2, 1)
	}
	return all, nil
}

// agreeFirst compares the accumulators after the first sweep, which has updated them by differences, with those of the
// point.
func (r *saSweepRun) agreeFirst(ctx context.Context, sweep int64, before []float64) error {
	if sweep != 0 || !r.engine.check {
		return nil
	}
	kept := append([]float64(nil), r.state.Acc...)
	copy(r.state.Acc, before) // agree reads the sizes before the sweep
	if err := r.agree(ctx, kept); err != nil {
		return err
	}
	copy(r.state.Acc, kept)
	return nil
}

// ended reports whether all temperatures are done.
func (r *saSweepRun) ended() bool { return r.state.Sweeps == r.all() }

// Incumbent reads the best point with which a Step ended.
func (r *saSweepRun) Incumbent(first int, x []float64) error {
	shards := r.engine.pl.Shards()
	return r.engine.pl.ReadPoint(first, x, func(s, lo int, dst []float64) error {
		return r.engine.on[s].best.Read(lo-shards[s].VarLo, dst)
	})
}

// Info describes the shards of the point, and says whether the run has ended.
func (r *saSweepRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.ended()
	return info
}

// Close releases the point.
func (r *saSweepRun) Close() { r.engine.close() }
