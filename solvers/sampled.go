package solvers

import (
	"context"

	"github.com/clopt/clopt/internal/solvers/judge"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Sampled says what the value of a run is beside those of uniform points. They are drawn after the run for this
// comparison only, and are no evaluations.
type Sampled = judge.Sampled

// sampled compares a result, which may be nil, with uniform points, unless the settings or the method leave no reason
// to, on several hosts, and after a run that was stopped. What fails then is no reason to lose the result.
func (r *Result) sampled(ctx context.Context, p problems.Problem, g *shard.Devices, s Settings, method Solver) {
	if r == nil || s.Unsampled || method.Traits().Uniform || !r.Confirmed || r.Status == Cancelled ||
		r.Status == Failed ||
		g.Shared() || p.Domain().Binary || p.Domain().N > judge.MostVars {
		return
	}
	run := judge.Run{Problem: p, Devices: g, Key: s.Key, Precision: s.Precision, Confirmer: confirming(g, s.Precision),
		F: r.Again, Tolerance: r.Tolerance, Limit: s.Budget.Time, Elapsed: r.Elapsed, Evals: s.Budget.Evaluations,
		Work: r.Work, HostTime: r.HostTime, Clock: elapsing()}
	if got, err := attempts(ctx, g, s.Slow, run.Compare, nil); err == nil {
		r.Sampled = got
	}
	if x, err := r.point(p.Domain().N); err == nil && r.Sampled.Falls(r.Again) {
		r.Endless = judge.AtBounds(p.Domain(), x)
	}
}
