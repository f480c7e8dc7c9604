package cgrasp

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/host"
)

// graspHostRun makes one start after the other on the host. It is the reference, and the baseline of speed-ups.
type graspHostRun struct {
	start  *graspStart
	starts uint32
	x0     [][]float64
	info   solvers.Info
	state  graspHostState
}

// graspHostState is the state of a run. State sets Counters and Vectors.
type graspHostState struct {
	Sample   solvers.Sample
	Kept     float64   // value of the best point as the start computed it
	X        []float64 // the point that has Sample.Best
	Counters graspCounters
	Vectors  graspVectors
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

// Ended reports whether all starts have ended, if their number is limited.
func (r *graspHostRun) Ended() bool {
	return r.starts > 0 && r.start.Phase == graspBegin && r.start.Who >= r.starts
}

// Step makes units until no other fits into the quota or the limit.
func (r *graspHostRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	s, st := r.start, &r.state
	t := &st.Sample
	if err := ctx.Err(); err != nil {
		return *t, false, err
	}
	began, quota := s.Evaluations, min(limit, s.r.quota)
	for !r.Ended() && s.Evaluations-began < quota {
		var x0 []float64
		if int(s.Who) < len(r.x0) {
			x0 = r.x0[s.Who]
		}
		if !s.unit(quota-(s.Evaluations-began), x0, 1) {
			break
		}
	}
	if s.Evaluations == began {
		return *t, false, nil
	}
	s.record()                                         // the step may have ended within a construction
	t.F = max(host.Infinite(s.FX, new(int64)), t.Best) // the current value
	if s.Best < st.Kept || st.X == nil {
		st.Kept = s.Best
		f, err := problems.Eval(s.p, s.At)
		if err != nil {
			return *t, false, err
		}
		// The sum in another order may be larger than the start found it.
		if f < t.Best {
			t.F, t.Best, st.X = f, f, append(st.X[:0], s.At...)
		}
	}
	t.Step++
	t.Evaluations, t.Work, t.NonFinite = s.Evaluations, float64(s.Components)/float64(s.r.comps), s.Odd
	return *t, true, nil
}

// Incumbent writes the best point of all starts.
func (r *graspHostRun) Incumbent(first int, x []float64) error {
	copy(x, r.state.X[first:])
	return nil
}

// Info lists the devices, which seq does not use.
func (r *graspHostRun) Info() solvers.Info { return r.info }

// Close does nothing.
func (r *graspHostRun) Close() {}
