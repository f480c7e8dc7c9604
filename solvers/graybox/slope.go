package graybox

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// An objective that is not linear in its sums, such as Ackley's function, is searched as if it were: the value of
// a part is the sum of its accumulators, each times the slope of the objective in that accumulator. When the value
// of the whole has improved, the parts are searched with the slopes there. Suits takes only objectives of which points
// that are better for the slopes are better points (problems.FollowsSlopes), if the objective has a value there. If it
// has none, the run ends with the best point before.

// slopes returns the slopes of the objective at the first start point.
func slopes(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	plans []shard.DevicePlan) ([]float64, error) {
	shards := shard.Split(p.Tiling(), shard.Supers(plans), nil)
	pl, err := shard.Place(g, p, s.Precision, shards, shard.Drawn(), p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	defer pl.Close()
	sums, err := pl.Eval(ctx, 1, func(int) []any {
		return []any{s.Key.Seed, s.Key.Run, uint32(0), uint32(0), uint32(rng.Init)}
	})
	if err != nil {
		return nil, err
	}
	return slopesAt(p, sums, directions(p, sums)), nil
}

// directions returns for each accumulator the sign of the change of the objective at the accumulators acc, for the
// first of ever longer steps at which there is one; 1 if there is none.
func directions(p problems.Problem, acc []float64) []float64 {
	at, signs := slices.Clone(acc), slices.Repeat([]float64{1}, len(acc))
	for a, v := range acc {
		for h := 1e-4 * max(math.Abs(v), 1e-4); h < 1e6*max(math.Abs(v), 1); h *= 4 {
			at[a] = v + h
			up := p.Objective(at)
			at[a] = v - h
			if change := up - p.Objective(at); change != 0 && !math.IsNaN(change) {
				signs[a] = math.Copysign(1, change)
				break
			}
		}
		at[a] = v
	}
	return signs
}

// slopesAt returns the slopes of the objective at the accumulators acc, by differences if the problem does not know
// them, as parts of the largest one. It returns the old ones where they are not finite, or 0 because the objective does
// not change nearby.
func slopesAt(p problems.Problem, acc, old []float64) []float64 {
	at := slices.Clone(acc)
	slopes := slices.Clone(old)
	largest := 0.0
	known := problems.SlopesOf(p, acc)
	difference := func(a int, v float64) float64 {
		h := 1e-4 * math.Abs(v)
		if h == 0 {
			h = 1e-8
		}
		at[a] = v + h
		up := p.Objective(at)
		at[a] = v - h
		down := p.Objective(at)
		at[a] = v
		return (up - down) / (2 * h)
	}
	for a, v := range acc {
		slope := 0.0
		if known != nil {
			slope = known[a]
		} else {
			slope = difference(a, v)
		}
		if !math.IsNaN(slope) && !math.IsInf(slope, 0) && slope != 0 {
			slopes[a] = slope
		}
		largest = max(largest, math.Abs(slopes[a]))
	}
	for a := range slopes {
		slopes[a] /= largest
	}
	return slopes
}

// steer keeps the best points of the parts together, and sets the slopes to those there, if the whole has improved.
func (r *run) steer(now sums) error {
	if r.p.Linear() != nil {
		return nil
	}
	if best := r.state.Sample.Best; !(now.f < best) {
		r.state.Lost = !host.Finite(now.f) && host.Finite(best)
		return nil
	}
	if err := r.places[0].Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		return r.on[s].kept.Copy(0, r.on[s].x, 0, sh.Vars())
	}); err != nil {
		return err
	}
	r.state.Slopes = slopesAt(r.p, now.acc, r.state.Slopes)
	return r.weigh(r.state.Slopes)
}
