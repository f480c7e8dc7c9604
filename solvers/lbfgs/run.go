package lbfgs

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a run on devices. Its state is state, and on the devices the point, the best point, the current minimum, the
// gradient and the pairs.
type run struct {
	m      *LBFGS
	p      problems.Problem
	s      solvers.Setup
	engine *engine
	check  bool // the next point is compared with the host
	info   solvers.Info
	state  state
}

// state is the host's part of the state of a run.
type state struct {
	Sample    solvers.Sample
	Episode   int // number of descents that have begun
	Fruitless int // descents in a row that found nothing better
	Hops      hops
	Descent   descent
	Exact     trust   // in exact gradients
	Steepest  float64 // largest slope so far
	Coarse    bool    // a descent has begun with coarse differences, or will next, though gradients are exact
}

// trust says what is known of exact gradients.
type trust int

const (
	untried trust = iota
	tried         // they agree with values
	refused       // they do not: gradients are differences
)

// descent is the state of a descent.
type descent struct {
	On    bool
	F     float64   // value of the point; NaN: the next descent was cancelled in its first evaluation
	Acc   []float64 // its accumulators
	From  float64   // best value before the descent
	Best  float64   // value of the vector best
	Slope float64   // along the last step, at its beginning; 0: there was no step
	Fine  int       // index of the stage
	Pairs recursion
	// Known says that the gradient at the point is known: a step was cancelled in its line search.
	Known bool
	// Counted says that its work is, too: the step ended at the point, since its slope met the limit of the run.
	Counted bool
	// In float32: the value of the best point, that before the descent or a later one; the smallest norm of a gradient
	// that halved it, 0: there was none; and how many steps it is since that, or since the value fell.
	Kept, Norm float64
	Idle       int
	Rounds     rounds // of the stage that rounds kinks, where F is the rounded value
}

// Start allocates the vectors. The first step begins the first descent.
func (m *LBFGS) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	if problems.CallOf(p) != nil {
		return m.onHost().Start(ctx, p, g, s)
	}
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	r := &run{m: m, p: p, s: s, check: g.Checked()}
	r.state.Sample.Best, r.state.Hops = math.Inf(1), hops{F: math.Inf(1), Best: math.Inf(1), Over: true}
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r.engine, err = m.engine(p, g, s, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.info = solvers.Info{Plans: plans, Shards: shards}
	return r, nil
}

// Step begins a descent or, if one is on, makes a gradient and moves the point along the direction that follows from
// it. A step that was cancelled begins anew, but keeps its gradient.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st, at := &r.state, &r.state.Descent
	left := room.Work(st.Sample)
	work := r.work()
	need := work + float64(tries(r.s.Precision))
	if !at.On {
		need++
	}
	if r.ended() || left < need {
		return st.Sample, false, nil
	}
	if err := ctx.Err(); err != nil {
		return st.Sample, false, err
	}
	s := st.Sample
	if !at.On {
		if err := r.begin(ctx, &s, int64(min(starts, 1+left-need))); err != nil {
			at.F = math.NaN() // no longer that of the point on the devices
			return st.Sample, false, err
		}
	} else if r.engine.exact != nil && st.Exact == untried {
		if err := r.try(ctx, &s); err != nil {
			return st.Sample, false, err
		}
	} else if r.stage().rounded && at.Rounds.Look {
		if err := r.look(ctx, &s); err != nil {
			return st.Sample, false, err
		}
	} else {
		if err := r.differentiate(ctx); err != nil {
			return st.Sample, false, err
		}
		if at.Counted {
			work = 0
		}
		before := at.clone()
		at.Counted = false
		values, err := r.descend(ctx, &s)
		if err != nil {
			*at = before
			if ctx.Err() != nil {
				return st.Sample, false, ctx.Err()
			}
			return st.Sample, false, err
		}
		at.Known = at.Counted
		s.Work += work + float64(values)
	}
	s.Worked(s.Work)
	s.Step++
	s.F = r.value()
	s.Best = min(s.Best, s.F)
	if !at.On {
		if n := s.Slope.Norm; s.Slope.Exact && min(at.F, at.Kept) <= s.Best && n <= least*st.Steepest {
			s.Slope.At, s.Slope.Least = s.Best, true
		}
		if err := r.end(); err != nil {
			return st.Sample, false, err
		}
	}
	st.Sample = s
	return s, true, nil
}

// starts is the largest number of start points of a step, while no point has had a finite value.
const starts = 8

// begin begins a descent. While no point has had a finite value, it tries as many start points as most allows. After an
// error it has begun none.
func (r *run) begin(ctx context.Context, s *solvers.Sample, most int64) (err error) {
	before := r.state
	defer func() {
		if err != nil {
			r.state = before
		}
	}()
	for {
		if err := r.start(ctx, s); err != nil {
			return err
		}
		s.Work++
		if most--; most == 0 || r.state.Descent.On || host.Finite(s.Best) || r.ended() {
			return nil
		}
		if err := r.end(); err != nil {
			return err
		}
	}
}

// Start makes and evaluates the start point of a descent.
func (r *run) start(ctx context.Context, s *solvers.Sample) (err error) {
	st := &r.state
	e := r.engine
	n := r.state.Episode
	var drawn kick
	from := usual // index of the differences
	switch {
	case n < len(r.s.X0):
		err = e.draw(n, r.s.X0[n])
	case st.Hops.Over:
		from, err = r.first(n), e.draw(n, nil)
	default:
		from = r.afterKick()
		drawn = r.m.kick(&st.Hops, r.s.Key, n, r.p.Domain().N)
		err = e.kick(n, drawn)
	}
	if err != nil {
		return err
	}
	acc, err := e.evaluate(ctx, func(v *vectors) *shard.Reals { return v.x })
	if err != nil {
		return err
	}
	if r.check {
		r.check = false
		if err := e.compare(); err != nil {
			return err
		}
	}
	st.Episode++
	st.Hops.Kick = drawn
	f := host.Infinite(r.p.Objective(acc), &s.NonFinite)
	st.Descent = descent{On: host.Finite(f), F: f, Acc: acc, From: s.Best, Kept: s.Best, Fine: from,
		Pairs: newRecursion(r.m.rows())}
	r.beginRounds()
	return nil
}

// clone returns a copy that no other descent shares.
func (d *descent) clone() descent {
	c := *d
	c.Pairs.SY, c.Pairs.YY = slices.Clone(d.Pairs.SY), slices.Clone(d.Pairs.YY)
	return c
}

// differentiate makes the gradient at the point, unless it is known.
func (r *run) differentiate(ctx context.Context) error {
	at := &r.state.Descent
	if at.Known {
		return nil
	}
	err := r.engine.differentiate(ctx, r.weights(at.Acc), r.stage(), at.Pairs.next())
	at.Known = err == nil
	return err
}

// weights returns the derivatives of f by the accumulators.
func (r *run) weights(acc []float64) []float64 {
	if linear := r.p.Linear(); linear != nil {
		return linear
	}
	return host.Slopes(r.p, acc)
}

// descend makes a line search, and returns the number of points that it evaluated. On the devices it changes the point
// last.
func (r *run) descend(ctx context.Context, s *solvers.Sample) (values int64, err error) {
	at := &r.state.Descent
	products, err := r.engine.products(ctx, at.Pairs.next())
	if err != nil {
		return 0, err
	}
	if at.Slope != 0 {
		at.Pairs.add(products, at.Slope)
	}
	length := math.Sqrt(products[len(products)-1])
	if r.seen(length, s) {
		return 0, nil
	}
	if length == 0 || !host.Finite(length) {
		r.stop()
		return 0, nil
	}
	if at.Norm == 0 || length < at.Norm/2 {
		at.Norm, at.Idle = length, 0
	}
	lo, hi := r.p.Domain().Box()
	for {
		steepest := at.Pairs.Made == 0
		t := 1.0
		if steepest {
			if t = at.Pairs.Scale; t == 0 {
				t = first * (hi - lo) / length
			}
		}
		moved, n, err := r.search(ctx, at.Pairs.weights(products), t, s)
		if values += n; moved || err != nil {
			return values, err
		}
		at.Pairs.Made = 0
		if steepest {
			r.stop()
			return values, nil
		}
	}
}

// least is the largest share of the steepest slope at which a descent counts as converged when it ends.
const least = 1e-3

// seen notes the slope of the point if no better one has any, and reports whether the step ends here, since it is the
// first one in which that slope meets the limit of the run. The gradient and its pair are kept for the next step.
func (r *run) seen(length float64, s *solvers.Sample) bool {
	at := &r.state.Descent
	stage := r.stage()
	now := slope.Slope{Known: host.Finite(length), Norm: length, At: at.F, Exact: stage.exact}
	if !now.Known || at.Fine < usual || stage.rounded || at.F > s.Best {
		return false
	}
	r.state.Steepest = max(r.state.Steepest, length)
	now = s.Slope.Then(now)
	again := s.Slope == now
	s.Slope = now
	if again || !now.Within(r.s.GTol, at.F) {
		return false
	}
	at.Slope, at.Counted = 0, true
	return true
}

// stop goes on with the next stage or, if there is none, ends a descent.
func (r *run) stop() {
	d := &r.state.Descent
	if r.stage().rounded && !d.Rounds.Done {
		d.Rounds.Look, d.Rounds.Over = true, true
		return
	}
	if d.Fine++; d.Fine == len(r.stages()) {
		d.On = false
		return
	}
	d.Slope, d.Pairs.Made = 0, 0 // the next gradient makes no pair with this one
	r.beginRounds()
}

// end ends a descent. Its minimum may become the best point, and the current one of the chain. A chain that has found
// nothing better for long ends, and the next one begins at a uniform point or at the best one, in turn.
func (r *run) end() error {
	st := &r.state
	at := &r.state.Descent
	e := r.engine
	h := &r.state.Hops
	best := func(v *vectors) *shard.Reals { return v.best }
	current := func(v *vectors) *shard.Reals { return v.current }
	if st.Fruitless++; falls(at.From, min(at.F, at.Kept), r.finest()) {
		st.Fruitless = 0
	}
	if at.F < at.Kept {
		if err := e.keep(best); err != nil {
			return err
		}
	}
	patience := max(defaultPatience, r.m.patience(st.Episode)) // of chains: a turn of a relay may be shorter
	accepted := at.F < h.F
	if kicked := st.Episode > len(r.s.X0) && !h.Over; kicked {
		accepted = h.land(at.F, h.temperature(patience/4), metropolis(r.s.Key, st.Episode-1))
	} else if accepted {
		h.begin(at.F)
	} else if host.Finite(h.F) {
		h.begin(h.F)
	}
	if e.exact != nil && !e.adjoint.steps && !st.Coarse && !h.Over && r.cheap() {
		st.Coarse, h.Over = true, true
	}
	if h.Over || h.Fruitless < max(1, patience/2) {
		if accepted {
			return e.keep(current)
		}
		return nil
	}
	if h.Restarts++; h.Restarts%2 == 1 {
		h.F, h.Over = math.Inf(1), true
		return nil
	}
	h.begin(min(at.Kept, at.F))
	return e.back()
}

// ended reports whether enough descents were made, or have found nothing better.
func (r *run) ended() bool {
	st, most := &r.state, r.m.Descents
	return !st.Descent.On && (st.Fruitless >= r.m.patience(st.Episode) || most > 0 && st.Episode >= most)
}

// Incumbent reads the best point: that of the descent, or the best one before.
func (r *run) Incumbent(first int, x []float64) error {
	at, e := &r.state.Descent, r.engine
	shards := e.pl.Shards()
	return e.pl.ReadPoint(first, x, func(s, lo int, dst []float64) error {
		if at.On && r.value() < at.Kept && !(r.stage().rounded && !at.Rounds.Here) {
			return e.on[s].x.Read(e.skip+lo-shards[s].VarLo, dst)
		}
		return e.on[s].best.Read(lo-shards[s].VarLo, dst)
	})
}

// Info describes the shards of the point, and says whether the run has ended.
func (r *run) Info() solvers.Info {
	info := r.info
	info.Ended = r.ended()
	info.Differences = r.state.Exact == refused
	return info
}

// Close releases the vectors.
func (r *run) Close() { r.engine.close() }
