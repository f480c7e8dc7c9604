package graybox

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// Open parts have components in common. The parts of a colour, which have none, make a turn of some evaluations at the
// same time. They read the variables of other parts in the best point, which do not change meanwhile, so what improves
// a part improves the whole. A step makes turns of one layer of parts, and evaluates the best point.

// open reports whether parts read variables of each other.
func (r *run) open() bool { return r.classes[0].open }

// exchange copies the variables of the best point that parts read from the neighbours of their shard.
func (r *run) exchange() error {
	return device.Exchange(r.places[0], r.before, func(s int) *shard.Reals { return r.on[s].x })
}

// A turn of an open part.
const (
	turnQuota = 100 // evaluations of candidates
	refreshes = 2   // most evaluations of points whose surroundings have changed

	wholeFirst = 2 // most evaluations of the whole point in the first step: one is compared with the host
)

// openStep begins a step of a layer of open parts with work of room at most. It returns false if that is not enough.
func (r *run) openStep(ctx context.Context, room int64) (bool, error) {
	st := &r.state
	first, whole := r.checked && st.Sample.Step == 0, int64(1)
	if st.Sample.Step == 0 {
		whole = wholeFirst
	}
	room -= r.total() * whole
	st.Layer = r.nextLayer()
	cost := r.layers[st.Layer].cost
	quota := min(turnQuota, room/cost-refreshes)
	if quota < 1 {
		return false, nil
	}
	if first {
		if _, err := r.evaluate(ctx); err != nil {
			return false, err
		}
		if err := r.whole.Check(r.s.Key, 1, func(_, lo, hi int) ([]float64, error) {
			return r.first(lo, hi), nil
		}); err != nil {
			return false, err
		}
	}
	each := quota + refreshes
	st.Turns = turns{Quota: int(quota), Count: int(max(1, min(r.quota()*r.total(), room)/cost/each))}
	return true, nil
}

// everyLayer is the number of steps after which a layer is taken that may have gained nothing.
const everyLayer = 8

// nextLayer chooses the layer that has gained most in its last step, or from time to time the next one.
func (r *run) nextLayer() int {
	if step := int(r.state.Sample.Step); step%everyLayer == everyLayer-1 {
		return step / everyLayer % len(r.layers)
	}
	best := -1
	for l, st := range r.state.Layers {
		if st.Awake > 0 && (best < 0 || st.Gain > r.state.Layers[best].Gain) {
			best = l
		}
	}
	return best
}

// measure is report, with the value of the best point of open parts.
func (r *run) measure(ctx context.Context) (sums, error) {
	if !r.open() {
		return r.report(ctx)
	}
	acc, err := r.evaluate(ctx)
	if err != nil {
		return sums{}, err
	}
	found, err := r.report(ctx)
	found.acc, found.f = acc, r.p.Objective(acc)
	return found, err
}

// tiled returns the shards with which the best point of open parts is evaluated. The tiles are those that p had before
// gathered.
func tiled(p problems.Problem, shards []shard.Shard) []shard.Shard {
	t := problems.Tiled(p).Tiling()
	if t == p.Tiling() {
		return shards
	}
	supers := make([]int, shards[0].Device+1)
	supers[shards[0].Device] = t.SuperTiles()
	return shard.Split(t, supers, nil)
}

// evaluate returns the accumulators of the best point of open parts.
func (r *run) evaluate(ctx context.Context) ([]float64, error) {
	acc, err := r.whole.Eval(ctx, 1, func(s int) []any {
		return []any{r.on[s].x.Arg(), uint64(0), uint32(r.places[0].Shards()[s].ReadLo - r.before)}
	})
	if err == nil {
		r.state.Values++
	}
	return acc, err
}
