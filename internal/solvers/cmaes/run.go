package cmaes

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems/rng"
)

// rounds of strategies, as a search.
type restarts struct {
	search.Start
	// strategies has the one with a large population, then those beside it. There is none at first.
	strategies []*strategy
	state
}

// state is what the search must remember.
type state struct {
	Population int
	Round      int    // of the present strategies, from 0 on
	Begun      uint32 // strategies that have begun
	Drawn      uint32 // generations that have been drawn, of all strategies
	Strategies []shape
}

// mostDrawn is the number of generations after which draws would repeat.
const mostDrawn = math.MaxUint32 - 1<<20

// Next evaluates a generation of each strategy. It leaves strategies out that no longer fit.
func (r *restarts) Next(eval search.Eval) (more bool) {
	if r.strategies == nil {
		r.begin()
	}
	var points [][]float64
	work := 0
	for i, s := range r.strategies {
		if i > 0 && int64(len(points)+s.Lambda) > r.Room() {
			break
		}
		points = append(points, s.draw(r.Key, r.Drawn+uint32(i))...)
		work++
	}
	values := eval(r.inBox(points)...)
	for _, s := range r.strategies[:work] {
		s.learn(values[:s.Lambda])
		values = values[s.Lambda:]
	}
	r.Drawn += uint32(work)
	r.restart()
	return r.Drawn <= mostDrawn
}

// Steady says that Next evaluates before it changes anything, but begins strategies at first, always the same.
func (r *restarts) Steady() {}

// inBox returns points of the unit cube as points of the box.
func (r *restarts) inBox(unit [][]float64) [][]float64 {
	points := make([][]float64, len(unit))
	for k, u := range unit {
		x := make([]float64, len(u))
		for i, v := range u {
			lo, hi := r.Domain.Interval(i)
			x[i] = lo + v*(hi-lo)
		}
		points[k] = x
	}
	return points
}

// rounds is the number of rounds, of which each has twice the population of the one before.
const rounds = 10

// begin begins the strategies of a round.
func (r *restarts) begin() {
	large := r.Population << (r.Round % rounds)
	mean, sigma := r.mean(), 0.3
	if r.Round == 0 && r.Given {
		sigma = 0.1
		for i, x := range r.X {
			lo, hi := r.Domain.Interval(i)
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
func (r *restarts) mean() []float64 {
	mean := make([]float64, r.Domain.N)
	for i := range mean {
		mean[i] = unfolded(rng.Uniform(r.Key.Word(uint32(i), r.Begun, 0, rng.Regime)))
	}
	return mean
}

// small begins a strategy with at most so many points in a generation.
func (r *restarts) small(most int) *strategy {
	large := float64(r.Population << (r.Round % rounds))
	u := rng.Uniform(r.Key.Word(0, r.Begun, 1, rng.Regime))
	v := rng.Uniform(r.Key.Word(1, r.Begun, 1, rng.Regime))
	lambda := int(float64(r.Population) * math.Pow(0.5*large/float64(r.Population), u*u))
	s := newStrategy(r.mean(), min(max(lambda, r.Population), most), 0.3*math.Pow(10, -2*v))
	r.Begun++
	return s
}

// restart replaces the strategies that have ended.
func (r *restarts) restart() {
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

// State returns the state of the search.
func (r *restarts) State() any {
	r.Strategies = nil
	for _, s := range r.strategies {
		r.Strategies = append(r.Strategies, s.shape)
	}
	return &r.state
}

// Loaded completes strategies that were loaded.
func (r *restarts) Loaded() error {
	n := r.Domain.N
	damage := func(format string, args ...any) error { return &checkpoint.Damage{Msg: fmt.Sprintf(format, args...)} }
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
