package lm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/internal/host"
)

// run is a run on devices. Its state is state; everything else is room for a step.
type run struct {
	m      *LM
	p      problems.Problem
	s      solvers.Setup
	engine *engine
	check  bool // the next start point is compared with the host
	info   solvers.Info
	state  state

	residuals, derivatives []float64
	gradient, direction    []float64 // half the gradient
	normal, factor         *matrix   // JᵀJ, and the factor of the equations
	y, best                []float64
}

// state is the state of a run.
type state struct {
	Sample    solvers.Sample
	Episode   int // number of descents that have begun
	Fruitless int // descents in a row that found nothing better
	Best      []float64
	Descent   descent
}

// descent is the state of a descent.
type descent struct {
	On      bool
	X       []float64
	F       float64 // value of the point
	From    float64 // best value before the descent
	Fine    int     // index of the differences
	Damping float64 // λ of the next step
}

func (m *LM) start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	n := p.Domain().N
	vector := func() []float64 { return make([]float64, n) }
	r := &run{m: m, p: p, s: s, check: g.Checked(), gradient: vector(),
		direction: vector(), y: vector(), best: vector()}
	r.state = state{Sample: solvers.Sample{Best: math.Inf(1)}, Best: vector(), Descent: descent{X: vector()}}
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		r.engine, err = newEngine(p, g, s, shards)
		return err
	})
	if err != nil {
		return nil, err
	}
	j, o := r.engine.j, newOrder(p.Structure())
	r.residuals, r.derivatives = make([]float64, j.rows[len(j.rows)-1]), make([]float64, j.cells())
	r.normal, r.factor = o.matrix(), o.matrix()
	r.info = solvers.Info{Plans: plans, Shards: shards}
	return r, nil
}

// Step makes a Jacobian and moves the point along the direction that follows from it. If no descent is on, it begins
// one.
func (r *run) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	differences := int64(math.Ceil(r.engine.work))
	if r.Ended() || limit < differences+tries {
		return r.state.Sample, false, nil
	}
	before, values := r.state, int64(0)
	s, err := &r.state.Sample, error(nil)
	if !r.state.Descent.On {
		values++
		err = r.begin(ctx)
	}
	if at := &r.state.Descent; err == nil && at.On {
		var n int64
		n, err = r.descend(ctx)
		values += n
		s.Evaluations += differences
		s.Work += r.engine.work
	}
	if err != nil {
		r.state = before
		return before.Sample, false, err
	}
	s.Step++
	s.Evaluations += values
	s.Work += float64(values)
	s.F = r.state.Descent.F
	if s.Best = min(s.Best, s.F); !r.state.Descent.On {
		r.end()
	}
	return *s, true, nil
}

// begin makes and evaluates the start point of a descent.
func (r *run) begin(ctx context.Context) error {
	st, d, key, x := &r.state, r.p.Domain(), r.s.Key, make([]float64, len(r.y))
	switch n := st.Episode; {
	case n < len(r.s.X0):
		copy(x, r.s.X0[n])
	case (n-len(r.s.X0))%2 == 1 && host.Finite(st.Sample.Best):
		host.KickOf(key, n, d.N).Point(d, key, n, st.Best, x)
	default:
		host.Uniform(d, key, n, x)
	}
	v, err := r.engine.evaluate(ctx, x)
	if err != nil {
		return err
	}
	if r.check {
		if err := r.engine.compare(x); err != nil {
			return err
		}
		r.check = false
	}
	st.Episode++
	f := host.Infinite(v, &st.Sample.NonFinite)
	st.Descent = descent{On: host.Finite(f), X: x, F: f, From: st.Sample.Best, Damping: 1}
	return nil
}

// descend makes a Jacobian, and moves to the first better point that it finds. It returns the number of points that it
// evaluated.
func (r *run) descend(ctx context.Context) (values int64, err error) {
	at := &r.state.Descent
	if err := r.engine.differentiate(ctx, at.X, differences[at.Fine], r.residuals, r.derivatives); err != nil {
		return 0, err
	}
	values = 1
	r.engine.j.gradient(r.derivatives, r.residuals, r.gradient)
	r.engine.j.normal(r.derivatives, r.normal)
	for range attempts {
		if r.factor.factor(r.normal, at.Damping) {
			r.factor.solve(r.gradient, r.direction)
			f, err := r.search(ctx)
			if err != nil {
				return values, err
			}
			if values += points; f < at.F {
				from := at.F
				at.X, at.F, at.Damping = slices.Clone(r.best), f, at.Damping/3
				if !falls(from, f) {
					at.stop()
				}
				return values, nil
			}
		}
		at.Damping *= 4
	}
	at.stop()
	return values, nil
}

// search sets best to the best of some points along the direction, and returns its value.
func (r *run) search(ctx context.Context) (best float64, err error) {
	best = math.Inf(1)
	for k, t := 0, 1.0; k < points; k, t = k+1, t/4 {
		for i, v := range r.state.Descent.X {
			lo, hi := r.p.Domain().Interval(i)
			r.y[i] = min(max(math.FMA(t, r.direction[i], v), lo), hi)
		}
		f, err := r.engine.evaluate(ctx, r.y)
		if err != nil {
			return 0, err
		}
		if f = host.Infinite(f, &r.state.Sample.NonFinite); f < best {
			best, r.best, r.y = f, r.y, r.best
		}
	}
	return best, nil
}

// stop takes finer differences or, if there are none, ends a descent.
func (d *descent) stop() {
	d.Fine++
	d.On, d.Damping = d.Fine < len(differences), 1
}

// falls reports whether a value falls by enough to go on.
func falls(from, to float64) bool {
	return from-to > max(least*min(math.Abs(from), math.MaxFloat64), 1e-300)
}

// end ends a descent: a better point is kept.
func (r *run) end() {
	st, at := &r.state, &r.state.Descent
	if st.Fruitless++; falls(at.From, at.F) {
		st.Fruitless = 0
	}
	if at.F < at.From {
		st.Best = at.X
	}
}

// Ended reports whether enough descents have found nothing better, or the value is 0. No sum of squares is less.
func (r *run) Ended() bool {
	return r.state.Sample.Best == 0 && r.state.Sample.Step > 0 ||
		!r.state.Descent.On && r.state.Fruitless >= r.m.patience()
}

// Incumbent copies the best point: that of the descent, or the best one before.
func (r *run) Incumbent(first int, x []float64) error {
	best := r.state.Best
	if at := &r.state.Descent; at.On && at.F < at.From {
		best = at.X
	}
	copy(x, best[first:])
	return nil
}

// Info describes the shards of the residuals.
func (r *run) Info() solvers.Info { return r.info }

// Close releases the vectors.
func (r *run) Close() { r.engine.close() }

// State lists state; the devices keep nothing from step to step.
func (r *run) State() *solvers.State { return &solvers.State{Host: &r.state, Restored: r.restored} }

// restored compares the value of the point with the stored one.
func (r *run) restored(ctx context.Context) error {
	st, n := &r.state, len(r.y)
	if at := &st.Descent; at.Fine < 0 || at.On && at.Fine >= len(differences) || len(at.X) != n || len(st.Best) != n {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of descent %d with %d variables", st.Episode, len(at.X))}
	}
	if !r.check || st.Episode == 0 {
		return nil
	}
	f, err := r.engine.evaluate(ctx, st.Descent.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, st.Descent.F, r.p.Tolerance(r.s.Precision))
}
