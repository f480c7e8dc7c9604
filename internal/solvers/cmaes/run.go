package cmaes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// run is a run of CMAES.
type run struct {
	domain problems.Domain
	setup  solvers.Setup
	stored *device.StoredPoint
	info   solvers.Info
	held   []float64 // the best point of a step that was cancelled, if it is better than X; else nil
	// strategies has the one with a large population, then those beside it. There is none at first.
	strategies []*strategy
	state
}

// state is what a run must remember.
type state struct {
	Population int
	Sample     solvers.Sample
	X          []float64 // the best point
	Started    int       // start points that have been evaluated
	Round      int       // of the present strategies, from 0 on
	Begun      uint32    // strategies that have begun
	Drawn      uint32    // generations that have been drawn, of all strategies
	Strategies []shape
}

// Step evaluates start points, or a generation of each strategy. It leaves strategies out that no longer fit.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	if n := len(r.setup.X0); r.Started < n {
		return r.start(ctx, room)
	}
	if r.strategies == nil {
		r.begin()
	}
	work, points := 0, [][]float64(nil)
	for i, s := range r.strategies {
		if int64(len(points)+s.Lambda) > room.Evaluations {
			break
		}
		points = append(points, s.draw(r.setup.Key, r.Drawn+uint32(i))...)
		work++
	}
	if work == 0 || r.Drawn > math.MaxUint32-1<<20 {
		return r.Sample, false, ctx.Err()
	}
	values, cut, err := r.evaluate(ctx, r.inBox(points))
	if err != nil {
		return cut, false, err
	}
	for _, s := range r.strategies[:work] {
		s.learn(values[:s.Lambda])
		values = values[s.Lambda:]
	}
	r.Drawn += uint32(work)
	r.restart()
	return r.Sample, true, nil
}

// start evaluates start points.
func (r *run) start(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	rest := r.setup.X0[r.Started:]
	rest = rest[:min(int64(len(rest)), room.Evaluations, mostPoints)]
	if len(rest) == 0 {
		return r.Sample, false, ctx.Err()
	}
	if _, cut, err := r.evaluate(ctx, rest); err != nil {
		return cut, false, err
	}
	r.Started += len(rest)
	return r.Sample, true, nil
}

// inBox returns points of the unit cube as points of the box, as devices store them.
func (r *run) inBox(unit [][]float64) [][]float64 {
	points := make([][]float64, len(unit))
	for k, u := range unit {
		x := make([]float64, len(u))
		for i, v := range u {
			lo, hi := r.domain.Interval(i)
			x[i] = lo + v*(hi-lo)
		}
		points[k] = r.domain.Stored(r.setup.Precision, 0, x)
	}
	return points
}

// evaluate returns the values of points, +Inf where they are not finite, and remembers the best one. If ctx is
// cancelled the run stays as it was, but for the best point, and the sample has those that were evaluated.
func (r *run) evaluate(ctx context.Context, points [][]float64) (values []float64, cut solvers.Sample, err error) {
	for some := range slices.Chunk(points, mostPoints) {
		var f []float64
		f, err = r.stored.Values(ctx, slices.Concat(some...))
		if values = append(values, f...); err != nil {
			break
		}
	}
	s, best, nonFinite := r.Sample, math.Inf(1), r.Sample.NonFinite
	r.held = nil
	for k, f := range values {
		values[k] = host.Infinite(f, &nonFinite)
		if values[k] < min(best, s.Best) {
			r.held = points[k]
		}
		best = min(best, values[k])
	}
	if err != nil && len(values) == 0 {
		return nil, s, err
	}
	if s.Add(int64(len(values)), best, nonFinite); err != nil {
		s.Step--
		return nil, s, err
	}
	r.Sample = s
	if r.held != nil {
		r.X, r.held = r.held, nil
	}
	return values, s, nil
}

// rounds is the number of rounds, of which each has twice the population of the one before.
const rounds = 10

// begin begins the strategies of a round.
func (r *run) begin() {
	large := r.Population << (r.Round % rounds)
	mean, sigma := r.mean(), 0.3
	if r.Round == 0 && r.Started > 0 {
		sigma = 0.1
		for i, x := range r.X {
			lo, hi := r.domain.Interval(i)
			mean[i] = 0
			if hi > lo {
				mean[i] = unfolded((x - lo) / (hi - lo))
			}
		}
	}
	r.strategies = []*strategy{newStrategy(mean, large, sigma)}
	r.Begun++
	if r.Round == 0 {
		return
	}
	for room := large; room >= r.Population; {
		small := r.small(room)
		room -= small.Lambda
		r.strategies = append(r.strategies, small)
	}
}

// mean returns the mean of the next strategy, uniform in the cube.
func (r *run) mean() []float64 {
	mean := make([]float64, r.domain.N)
	for i := range mean {
		mean[i] = unfolded(rng.Uniform(r.setup.Key.Word(uint32(i), r.Begun, 0, rng.Regime)))
	}
	return mean
}

// small begins a strategy with at most so many points in a generation.
func (r *run) small(most int) *strategy {
	large := float64(r.Population << (r.Round % rounds))
	u := rng.Uniform(r.setup.Key.Word(0, r.Begun, 1, rng.Regime))
	v := rng.Uniform(r.setup.Key.Word(1, r.Begun, 1, rng.Regime))
	lambda := int(float64(r.Population) * math.Pow(0.5*large/float64(r.Population), u*u))
	s := newStrategy(r.mean(), min(max(lambda, r.Population), most), 0.3*math.Pow(10, -2*v))
	r.Begun++
	return s
}

// restart replaces the strategies that have ended.
func (r *run) restart() {
	if r.strategies[0].ended() {
		r.Round++
		r.begin()
		return
	}
	for i, s := range r.strategies[1:] {
		if s.ended() {
			r.strategies[1+i] = r.small(s.Lambda)
		}
	}
}

// Incumbent copies the best point.
func (r *run) Incumbent(first int, x []float64) error {
	best := r.X
	if r.held != nil {
		best = r.held
	}
	copy(x, best[first:])
	return nil
}

// State returns the state of the run.
func (r *run) State() *solvers.State {
	r.Strategies = nil
	for _, s := range r.strategies {
		r.Strategies = append(r.Strategies, s.shape)
	}
	return &solvers.State{Host: &r.state, Arrange: r.loaded, Restored: r.restored}
}

// loaded completes strategies that were loaded.
func (r *run) loaded() error {
	n := r.domain.N
	damage := func(format string, args ...any) error { return &checkpoint.Damage{Msg: fmt.Sprintf(format, args...)} }
	if len(r.X) != n {
		return damage("a point of %d variables; this problem has %d", len(r.X), n)
	}
	r.strategies = nil
	for _, s := range r.Strategies {
		for _, v := range [][]float64{s.Mean, s.PathC, s.PathS, s.Roots} {
			if len(v) != n {
				return damage("a strategy of %d variables; this problem has %d", len(v), n)
			}
		}
		if len(s.C) != n*n || len(s.Axes) != n*n || s.Lambda < 4 {
			return damage("a strategy of %d points with a matrix of %d numbers", s.Lambda, len(s.C))
		}
		r.strategies = append(r.strategies, &strategy{shape: s, plan: planOf(n, s.Lambda)})
	}
	return nil
}

// restored compares the value of the best point with the stored one.
func (r *run) restored(ctx context.Context) error {
	if math.IsInf(r.Sample.Best, 1) {
		return nil
	}
	f, err := r.stored.Value(ctx, r.X)
	if err != nil {
		return err
	}
	return solvers.SameValue(f, r.Sample.Best, 0)
}

// Info describes the layout of the run.
func (r *run) Info() solvers.Info {
	info := r.info
	info.Ended = r.Drawn > math.MaxUint32-1<<20
	return info
}

// Close releases the points.
func (r *run) Close() { r.stored.Close() }
