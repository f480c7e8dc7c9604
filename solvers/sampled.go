package solvers

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/internal/solvers/judge"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Sampled says what the value of a run is beside those of uniform points. They are drawn after the run for this
// comparison only, and are no evaluations.
type Sampled = judge.Sampled

// sampled compares a result, which may be nil, with uniform points, unless the settings or the method leave no reason
// to, on several hosts, for functions of the host, of which a value may take minutes, and after a run that was stopped.
// What fails then is no reason to lose the result.
func (r *Result) sampled(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) {
	if r == nil || s.Unsampled || method.Traits().Uniform || !r.Confirmed || r.Status == Cancelled ||
		r.Status == Failed ||
		g.Shared() || problems.CallOf(p) != nil || p.Domain().Binary || p.Domain().N > judge.MostVars {
		return
	}
	run := judge.Run{Problem: p, Devices: g, Key: s.Key, Precision: s.Precision, Confirmer: confirming(g, s.Precision),
		F: r.Again, Tolerance: r.Tolerance, Limit: s.Budget.Time, Elapsed: r.Elapsed, Evals: s.Budget.Evaluations,
		Work: r.Work, HostTime: r.HostTime, Clock: elapsing()}
	if got, err := attempts(ctx, g, s.Slow, run.Compare, nil); err == nil {
		r.Sampled = got
	}
	if s := r.Sampled; s.Points > 0 && r.Rounding < 0x1p-52*math.Abs(s.Best) {
		r.Rounding = 0 // beside the values of the function, the best one is 0
	}
	x, err := r.point(p.Domain().N)
	if err != nil {
		return
	}
	d := p.Domain()
	atEnd := func(i int) bool { return rescale.AtEnd(d, i, x[i]) }
	for i := range x {
		if atEnd(i) {
			r.Endless = "the value has no limit if bounds that far stand for infinity: " + judge.AtBounds(d, x, atEnd)
			break
		}
	}
	if r.Sampled.Falls(r.Again) || r.infinite(ctx, p, g, s, x) {
		r.Endless = "the value seems to have no limit: " + judge.AtBounds(d, x, nil)
	}
}

// infinite reports whether the value is -Inf on the bounds that the point x of a result is near, as that of log(s0) at
// s0 = 0. It is asked of runs that met values that are not finite.
func (r *Result) infinite(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, x []float64) bool {
	if r.NonFinite == 0 {
		return false
	}
	f, err := attempts(ctx, g, s.Slow, func() (float64, error) {
		points := [][]float64{judge.OntoBounds(p.Domain(), x)}
		sums, err := shard.Accumulate(ctx, g, p, s.Precision, points)
		if err != nil {
			return 0, err
		}
		return shard.Values(p, sums)[0], nil
	}, nil)
	return err == nil && math.IsInf(f, -1)
}
