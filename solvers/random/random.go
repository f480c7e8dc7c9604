// Package random implements random search, the baseline for the other methods.
package random

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Random is random search: it returns the best of many uniform points of the box, or of uniform bits if
// variables are 0 or 1. It keeps no points. The best point is drawn again at the end. The zero value has
// all defaults.
type Random struct {
	// Batch is the number of points of a step. 0 means as many points as have 1e7 variables in all, but at
	// least 16 and at most 1024.
	Batch int
}

// Traits describe random search.
func (r *Random) Traits() solvers.Traits {
	return solvers.Traits{
		Name:     "random",
		About:    "random search, the best of uniform points of the box",
		Settings: r.settings(),
		Suits:    r.suits, Limits: limits, Uniform: true, Calls: true,
	}
}

// settings returns the only setting, the batch.
func (r *Random) settings() []solvers.Setting {
	return []solvers.Setting{solvers.Int("batch", "points of a step; auto: as many as have 1e7 variables in all, but "+
		"at least 16 and at most 1024", &r.Batch, 1, 65535, 0)}
}

// suits takes all problems whose variables have one interval, also those of bits.
func (r *Random) suits(p problems.Problem, _ problems.Precision) error {
	return solvers.CheckOneBox(r, p)
}

// limits allows steps of any size and no start points.
func limits(problems.Problem, problems.Precision) solvers.Limits {
	return solvers.Limits{Starts: 0, Step: 1}
}

func (r *Random) batch(dim int) int {
	if r.Batch > 0 {
		return r.Batch
	}
	return min(max(1e7/dim, 16), 1024)
}

// Plan returns the sums of one batch, and the points that are written before they are evaluated.
func (r *Random) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	if problems.CallOf(p) != nil {
		return shard.Plan{}
	}
	n := r.batch(p.Domain().N)
	return shard.Plan{
		Items: append(device.EvaluationItems(p, prec, n*p.Accumulators()),
			device.TableItems(p, prec, problems.Tile, 1)...),
	}
}

// Start compiles the problem for drawn points.
func (r *Random) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	n := r.batch(p.Domain().N)
	if problems.CallOf(p) != nil {
		return r.onHost(p).Start(ctx, p, g, s)
	}
	plans, err := g.Fit(ctx, r.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	shards := shard.Split(p.Tiling(), shard.Supers(plans), nil)
	pl, err := shard.Place(g, p, s.Precision, shards, shard.Drawn(), n*p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	run := &randomRun{p: p, pl: pl, s: s, cancelled: -1, info: solvers.Info{Plans: plans, Shards: shards},
		batch: n, check: g.Checked(), state: randomState{Sample: solvers.Sample{Best: math.Inf(1)}}}
	return run, nil
}

// randomState is the state of a run: a counter and the number of the best point. Everything else follows
// from the key.
type randomState struct {
	Sample solvers.Sample
	Next   int64 // number of the next point
	Best   int64 // number of the best point
}

type randomRun struct {
	p         problems.Problem
	pl        *shard.Placement
	s         solvers.Setup
	batch     int
	check     bool
	info      solvers.Info
	state     randomState
	cancelled int64 // number of the best point of a step that was cancelled, if it is better than state.Best; -1: none
}

// counter splits the number of a point into the two words of a draw's counter.
func counter(point int64) (who, when uint32) { return uint32(point), uint32(point >> 32) }

// Step evaluates one batch, or as much of it as fits. A step that was cancelled begins anew, but the best point that it
// has evaluated is the Incumbent.
func (r *randomRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	n := r.batch
	if who, _ := counter(r.state.Next); int64(who)+int64(n) > 1<<32 {
		n = int(1<<32 - int64(who)) // a batch has one value of the upper word
	}
	if n = int(min(int64(n), room.Evaluations)); n <= 0 {
		return r.state.Sample, false, nil
	}
	r.cancelled = -1
	who, when := counter(r.state.Next)
	key := r.s.Key
	sums, stopped := r.pl.Eval(ctx, n, func(int) []any {
		return []any{key.Seed, key.Run, who, when, uint32(rng.Random)}
	})
	if stopped != nil && len(sums) == 0 {
		return r.state.Sample, false, stopped
	}
	values := shard.Values(r.p, sums)
	if r.check && stopped == nil {
		r.check = false
		if err := r.pl.Check(key, n, func(p, lo, hi int) ([]float64, error) {
			w, t := counter(r.state.Next + int64(p))
			return host.Drawn(r.p, r.s.Precision, key, w, t, rng.Random, lo, hi), nil
		}); err != nil {
			return r.state.Sample, false, err
		}
	}
	s := r.state.Sample
	best := math.Inf(1)
	at := int64(-1)
	nonFinite := s.NonFinite
	for i, f := range values {
		if f = host.Infinite(f, &nonFinite); f < min(best, s.Best) {
			at = r.state.Next + int64(i)
		}
		best = min(best, f)
	}
	s.Add(int64(len(values)), best, nonFinite)
	if stopped != nil {
		s.Step, r.cancelled = s.Step-1, at
		return s, false, stopped
	}
	r.state.Next += int64(n)
	if at >= 0 {
		r.state.Best = at
	}
	r.state.Sample = s
	return s, true, nil
}

// Incumbent draws the best point again.
func (r *randomRun) Incumbent(first int, x []float64) error {
	best := r.state.Best
	if r.cancelled >= 0 {
		best = r.cancelled
	}
	who, when := counter(best)
	const span = 1 << 20
	for lo := 0; lo < len(x); lo += span {
		hi := min(lo+span, len(x))
		copy(x[lo:hi], host.Drawn(r.p, r.s.Precision, r.s.Key, who, when, rng.Random, first+lo, first+hi))
	}
	if r.p.Domain().Binary {
		for i, v := range x {
			x[i] = 0
			if v > 0.5 {
				x[i] = 1
			}
		}
	}
	return nil
}

// Info describes the shards.
func (r *randomRun) Info() solvers.Info { return r.info }

// Close releases the sums of a batch.
func (r *randomRun) Close() { r.pl.Close() }
