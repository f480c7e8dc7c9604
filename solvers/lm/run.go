package lm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a run on devices. Its state is state; everything else is room for a step.
type run struct {
	m         *LM
	j         jacobian
	p         problems.Problem
	s         solvers.Setup
	engine    *engine
	order     *order
	wave      []int // of each part
	waves     int
	most      int64 // evaluations of a step
	costly    bool  // derivatives cost more than all attempts of a step
	check     bool  // the next start point is compared with the host
	info      solvers.Info
	state     state
	cancelled []float64 // the start point, of a first step that was cancelled after it was evaluated; nil: it was not

	chosen              chosen    // components that are computed
	rounds              rounds    // in which stacks are differentiated
	gradient, direction []float64 // half the gradient
	normal              *matrix   // JᵀJ
	factors             []factor  // one for each processor
	y                   []float64 // points, one after the other
	held                []bool    // variables at a bound
	positive            []bool    // by part: whether its equations are
	moving, left        []int     // parts
	some, tried         []int     // parts
	open                int       // parts that go on with their descent
	spare               struct {  // where a step writes, so that the state stays what it was if the step fails
		descent descent
		best    point
		f       []float64
	}
}

// state is the state of a run.
type state struct {
	Sample    solvers.Sample
	Episode   int // number of descents that have begun
	Fruitless int // descents in a row that found nothing better
	Best      point
	Descent   descent
	Wave      int // of the next step
}

// point is a point, and for each part the sum of its squares.
type point struct{ X, F []float64 }

func newPoint(n, parts int) point { return point{make([]float64, n), make([]float64, parts)} }

// copy sets p to another point of the same size.
func (p point) copy(from point) {
	copied(p.X, from.X)
	copied(p.F, from.F)
}

// descent is the state of a descent: the point where it is, and how each part goes on.
type descent struct {
	At    point
	Parts []partDescent
	From  float64 // best value before the descent
}

// copy sets d to another descent of the same size.
func (d *descent) copy(from descent) {
	d.At.copy(from.At)
	copied(d.Parts, from.Parts)
	d.From = from.From
}

// partDescent is how the descent of a part goes on.
type partDescent struct {
	On      bool
	Stage   int     // index of its differences
	Damping float64 // λ of the next step
}

// Start allocates the vectors. Derivatives are differences where a device does not take the text of exact ones, or has
// wrong values of it.
func (m *LM) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	r, err := m.start(ctx, p, g, s, jacobianOf(p, s.Precision))
	if errors.Is(err, errNotExact) {
		r, err = m.start(ctx, p, g, s, jacobian{work: p.Structure().DifferencesWork()})
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (m *LM) start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup, j jacobian) (*run,
	error) {
	plans, err := g.Fit(ctx, planOf(p, s.Precision, j), p, s.Precision)
	if err != nil {
		return nil, err
	}
	n := p.Domain().N
	vector := func() []float64 { return make([]float64, n) }
	c := newComponents(p.Structure(), j.by, stacks(p))
	r := &run{j: j, m: m, p: p, s: s, order: newOrder(p.Structure()), check: g.Checked(),
		chosen: chosen{at: make([]int, len(c.of))}, rounds: newRounds(c, p.Tiling(), mostAnswers),
		gradient: vector(), direction: vector(), y: make([]float64, points*n), held: make([]bool, n),
		factors: make([]factor, runtime.GOMAXPROCS(0)), most: int64(math.Ceil(j.work)) + j.tries(),
		costly: j.costly()}
	r.wave, r.waves = r.order.waves(maxCells)
	parts := len(r.order.parts)
	r.positive, r.spare.f = make([]bool, parts), make([]float64, parts)
	r.state = state{Sample: solvers.Sample{Best: math.Inf(1)}, Best: newPoint(n, parts),
		Descent: descent{At: newPoint(n, parts), Parts: make([]partDescent, parts)}}
	for c := range parts {
		r.state.Best.F[c], r.state.Descent.At.F[c] = math.Inf(1), math.Inf(1)
	}
	r.spare.best = newPoint(n, parts)
	r.spare.descent = descent{At: newPoint(n, parts), Parts: make([]partDescent, parts)}
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r.engine, err = newEngine(p, g, s, j, c, shards, r.waves, func(k int) int { return r.wave[r.order.of[k]] })
		return err
	})
	if err != nil {
		return nil, err
	}
	r.normal = r.order.matrix(r.wave, r.waves, func(q part) bool { return r.order.own(c, q) })
	r.info = solvers.Info{Plans: plans, Shards: shards}
	if j.by.exact() && r.check {
		x := make([]float64, n)
		host.Uniform(p.Domain(), s.Key, math.MaxInt32, x)
		if good, err := r.engine.try(ctx, r, x); err != nil || !good {
			r.Close()
			return nil, cmp.Or(err, errNotExact)
		}
	}
	return r, nil
}

// Step makes a Jacobian of the parts of a wave, and moves each of them along the direction that follows from it. If no
// descent is on, it begins one. A step that was cancelled begins anew, but the start point of the first one is kept.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	if r.ended() || room.Evaluations < r.most {
		return r.state.Sample, false, nil
	}
	before, open := r.state, r.open
	s, err := &r.state.Sample, error(nil)
	if !r.descending() {
		err = r.begin(ctx, float64(room.Evaluations-r.most))
	}
	if err == nil && r.descending() {
		err = r.descend(ctx)
	}
	if err == nil {
		err = r.keep(ctx)
	}
	r.cancelled = nil
	if err != nil {
		reached := r.state
		r.state, r.open = before, open
		return r.begun(before.Sample, reached), false, err
	}
	r.spare.descent = before.Descent
	s.Step++
	s.Worked(s.Work)
	if !r.descending() { // the descent has ended
		if r.state.Fruitless++; falls(r.state.Descent.From, s.Best, least) {
			r.state.Fruitless = 0
		}
	}
	return *s, true, nil
}

// begun returns the sample of a step that was cancelled, from the one before it and the state that it has come to. The
// first point of a run is then the best one.
func (r *run) begun(s solvers.Sample, reached state) solvers.Sample {
	if s.Step > 0 || reached.Episode == 0 {
		return s
	}
	if f := r.value(reached.Descent.At.F); host.Finite(f) {
		r.cancelled = reached.Descent.At.X
		s.F = f
		s.Best = f
		s.Worked(reached.Sample.Work)
	}
	return s
}

// descending reports whether a part has not ended its descent.
func (r *run) descending() bool { return r.open > 0 }

// survey counts the parts that go on with their descent.
func (r *run) survey() {
	var open atomic.Int64
	blocks(len(r.state.Descent.Parts), func(_, lo, hi int) {
		on := 0
		for _, p := range r.state.Descent.Parts[lo:hi] {
			on += problems.Flag(p.On)
		}
		open.Add(int64(on))
	})
	r.open = int(open.Load())
}

// value returns the value of a point whose parts have the sums of squares f.
func (r *run) value(f []float64) float64 {
	sum := 0.0
	for _, v := range f {
		sum += v
	}
	if n := r.p.Accumulators(); n > 1 { // squares have the weights of the sums
		return sum + r.p.Objective(make([]float64, n))
	}
	return r.p.Objective([]float64{sum})
}

// keep evaluates the best known point with all parts that are better in the descent, and keeps it if its value is less.
func (r *run) keep(ctx context.Context) error {
	s := &r.state.Sample
	best := r.spare.best
	at := r.state.Descent.At
	best.copy(r.state.Best)
	parallel(len(at.F), func(_, c int) {
		if at.F[c] < best.F[c] {
			r.take(r.order.parts[c], at.X, best.X)
			best.F[c] = at.F[c]
		}
	})
	s.F = math.Inf(1)
	if math.IsInf(s.Best, 1) && !host.Finite(r.value(best.F)) { // no point of a part has a finite value so far
		return nil
	}
	s.Work++
	f, err := r.engine.evaluate(ctx, best.X)
	if err != nil {
		return err
	}
	s.F = host.Infinite(f, &s.NonFinite)
	if s.F < s.Best {
		s.Best, r.state.Best, r.spare.best = s.F, best, r.state.Best
	}
	return nil
}

// take copies the variables of a part.
func (r *run) take(q part, from, to []float64) {
	for _, i := range r.order.variables(q) {
		to[i] = from[i]
	}
}

// begin makes and evaluates the start point of a descent. room is the work for it beyond one value.
func (r *run) begin(ctx context.Context, room float64) error {
	st := &r.state
	d := r.p.Domain()
	key := r.s.Key
	at := newPoint(d.N, len(r.order.parts))
	switch n := st.Episode; {
	case n < len(r.s.X0):
		copy(at.X, r.s.X0[n])
	default:
		host.Uniform(d, key, n, at.X)
		if (n-len(r.s.X0))%2 == 1 {
			host.KickOf(key, n, d.N).Point(d, key, n, st.Best.X, r.y[:d.N])
			for c, q := range r.order.parts {
				if host.Finite(st.Best.F[c]) {
					r.take(q, r.y, at.X)
				}
			}
		}
	}
	r.choose(nil, 1)
	if err := r.compute(ctx, at.X); err != nil {
		return err
	}
	r.count(r.chosen.used.cost)
	parts := make([]partDescent, len(at.F))
	var infinite atomic.Int64
	parallel(len(parts), func(_, c int) {
		var odd int64
		at.F[c] = host.Infinite(r.squares(r.order.parts[c], 0), &odd)
		parts[c] = partDescent{On: host.Finite(at.F[c]) && at.F[c] > 0 && st.Best.F[c] > 0, Damping: 1}
		if odd > 0 {
			infinite.Add(odd)
		}
	})
	st.Sample.NonFinite += infinite.Load()
	if infinite.Load() > 0 && st.Episode >= len(r.s.X0) {
		if err := r.redraw(ctx, at, parts, room); err != nil {
			return err
		}
	}
	if r.check {
		if err := r.engine.compare(ctx, at.X, r.value(at.F)); err != nil {
			return err
		}
		r.check = false
	}
	st.Episode++
	st.Descent = descent{at, parts, st.Sample.Best}
	r.survey()
	return nil
}

// end ends a stage of the descent of a part, of so many.
func (p *partDescent) end(stages int) {
	p.Stage++
	p.On, p.Damping = p.Stage < stages, min(p.Damping, 1)
}

// enough returns the part of its value by which a part falls if its stage, of so many, goes on.
func (p *partDescent) enough(stages int) float64 {
	if p.Stage < stages-1 {
		return slow
	}
	return least
}

// falls reports whether a value falls by more than a part of it.
func falls(from, to, part float64) bool {
	return from-to > max(part*min(math.Abs(from), math.MaxFloat64), 1e-300)
}

// optimal reports whether the value is 0. No sum of squares is less.
func (r *run) optimal() bool { return r.state.Sample.Best == 0 && r.state.Sample.Step > 0 }

// ended reports whether enough descents were made, or have found nothing better, or nothing is better.
func (r *run) ended() bool {
	st, most := &r.state, r.m.Descents
	if most > 0 && math.IsInf(st.Sample.Best, 1) {
		most += more
	}
	return r.optimal() ||
		!r.descending() && (st.Fruitless >= r.m.patience() || most > 0 && st.Episode >= most)
}

// more is the number of descents beyond the most of a run while parts are left that have no finite value.
const more = 32

// Incumbent copies the best point.
func (r *run) Incumbent(first int, x []float64) error {
	best := r.state.Best.X
	if r.cancelled != nil {
		best = r.cancelled
	}
	copy(x, best[first:])
	return nil
}

// Info describes the shards of the residuals, and says how many parts have a point of a finite value.
func (r *run) Info() solvers.Info {
	info := r.info
	info.Ended, info.Optimal = r.ended(), r.optimal()
	for _, f := range r.state.Best.F {
		info.Finite += int64(problems.Flag(host.Finite(f)))
	}
	return info
}

// Close releases the vectors.
func (r *run) Close() { r.engine.close() }

// State lists state; the devices keep nothing from step to step.
func (r *run) State() *solvers.State { return &solvers.State{Host: &r.state, Restored: r.restored} }

// restored compares the value of the point with the stored one.
func (r *run) restored(ctx context.Context) error {
	st := &r.state
	n := len(r.held)
	parts := len(r.order.parts)
	at := &st.Descent
	for _, p := range []point{st.Best, at.At} {
		if len(p.X) != n || len(p.F) != parts {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a point of %d variables in %d parts", len(p.X), len(p.F))}
		}
	}
	damaged := func(p partDescent) bool { return p.Stage < 0 || p.On && p.Stage >= len(differences) }
	if st.Wave < 0 || st.Wave >= r.waves || len(at.Parts) != parts || slices.ContainsFunc(at.Parts, damaged) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the descents of %d parts for %d", len(at.Parts), parts)}
	}
	r.survey()
	if !r.check || st.Episode == 0 {
		return nil
	}
	f, err := r.engine.evaluate(ctx, st.Best.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, st.Sample.Best, r.p.Tolerance(r.s.Precision))
}
