package cgrasp

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// graspHostRun makes one start after the other on the host. It is the reference, and the baseline of speed-ups.
type graspHostRun struct {
	start     *graspStart
	starts    uint32
	x0        [][]float64
	info      solvers.Info
	state     graspHostState
	cancelled bool // the best point is that of the start, in a step that was cancelled
}

// graspHostState is the state of a run. State sets Counters and Vectors.
type graspHostState struct {
	Sample     solvers.Sample
	Components int64     // evaluated at the end of the latest step
	Looked     bool      // the latest step has evaluated a point within its construction
	Kept       float64   // value of the best point as the start computed it
	X          []float64 // the point that has Sample.Best
	Counters   graspCounters
	Vectors    graspVectors
}

func (m *CGRASP) startHost(r *graspRules, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil, solvers.Settingf("variant=seq needs a host reference, and %s has none; use variant=parallel",
			p.Spec())
	}
	if s.Precision != problems.FP64 {
		return nil, solvers.Settingf("variant=seq runs on the host in float64; use --precision fp64")
	}
	run := &graspHostRun{
		start: newGraspStart(r, h, s.Key, 0), starts: uint32(m.starts()), x0: s.X0,
		state: graspHostState{Sample: solvers.Sample{Best: math.Inf(1)}, Kept: math.Inf(1)},
	}
	for _, i := range g.Infos() {
		run.info.Plans = append(run.info.Plans, shard.DevicePlan{Info: i})
	}
	// Each start is followed by another one here, until there are as many as starts, or for ever if it is 0.
	if r.restart {
		run.starts = 0
	}
	r.restart = true
	return run, nil
}

// ended reports whether all starts have ended, if their number is limited.
func (r *graspHostRun) ended() bool {
	return r.starts > 0 && r.start.Phase == graspBegin && r.start.Who >= r.starts
}

// Step makes units until no other fits into the quota or the room. If none fits, it looks at the point that is being
// constructed. A step that was cancelled goes on where it was.
func (r *graspHostRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	s, st := r.start, &r.state
	t := &st.Sample
	if err := ctx.Err(); err != nil {
		return *t, false, err
	}
	r.cancelled = false
	left := s.r.left(room, *t, st.Components)
	most := purse{t.Moves + min(left.values, s.r.quota), st.Components + left.components}
	last := left.values <= s.r.quota // a selection needs no values
	for !r.ended() && (last || s.Values < most.values) {
		if err := ctx.Err(); err != nil && s.Values > t.Moves {
			now, e := r.stop()
			return now, false, cmp.Or(e, err)
		}
		var x0 []float64
		if int(s.Who) < len(r.x0) {
			x0 = r.x0[s.Who]
		}
		if !s.unit(purse{most.values - s.Values, most.components - s.Components}, x0, 1) {
			break
		}
	}
	none := s.Values == t.Moves
	if none && (st.Looked || !s.look(left)) {
		return *t, false, nil
	}
	s.record() // the step may have ended within a construction
	now, better, err := r.sample()
	if err != nil {
		return *t, false, err
	}
	st.Kept = s.Best
	if better {
		st.X = append(st.X[:0], s.At...)
	}
	now.Step++
	st.Sample = now
	st.Components = s.Components
	st.Looked = none
	return now, true, nil
}

// sample returns the sample of a step in which the start has come so far, and whether its best point is a new one.
func (r *graspHostRun) sample() (t solvers.Sample, better bool, err error) {
	s := r.start
	t = r.state.Sample
	t.F = max(host.Infinite(s.FX, new(int64)), t.Best) // the current value
	t.Worked(float64(s.Components) / float64(s.r.comps))
	t.Moves, t.NonFinite = s.Values, s.Odd
	if !(s.Best < r.state.Kept) {
		return t, false, nil
	}
	f, err := problems.Eval(s.p, s.At)
	if better = err == nil && f < t.Best; better { // the sum in another order may be larger than the start found it
		t.F, t.Best = f, f
	}
	return t, better, err
}

// stop returns the sample of a step that was cancelled. The state stays as it is, so that the step goes on with it.
func (r *graspHostRun) stop() (t solvers.Sample, err error) {
	t, r.cancelled, err = r.sample()
	if err != nil {
		return r.state.Sample, err
	}
	return t, nil
}

// Incumbent writes the best point of all starts.
func (r *graspHostRun) Incumbent(first int, x []float64) error {
	best := r.state.X
	if r.cancelled {
		best = r.start.At
	}
	copy(x, best[first:])
	return nil
}

// Info lists the devices, which seq does not use, and says whether all starts have ended.
func (r *graspHostRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.ended()
	return info
}

// Close does nothing.
func (r *graspHostRun) Close() {}
