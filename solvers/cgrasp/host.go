package cgrasp

import (
	"context"
	"fmt"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/internal/host"
)

// graspHostRun makes one start after the other on the host: the reference, and
// what speed-ups are measured against.
type graspHostRun struct {
	start  *graspStart
	starts uint32
	x0     [][]float64
	info   solvers.Info
	sample solvers.Sample
	kept   float64 // value of the best point as the start found it
	x      []float64
}

func (m *CGRASP) startHost(r *graspRules, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil, solvers.Settingf("%s has no host reference, on which variant=seq runs; use variant=parallel", p.Spec())
	}
	if s.Precision != problems.FP64 {
		return nil, solvers.Settingf("variant=seq runs on the host in float64; use --precision fp64")
	}
	run := &graspHostRun{
		start: newGraspStart(r, h, s.Key, 0), starts: uint32(m.starts()), x0: s.X0,
		sample: solvers.Sample{Best: math.Inf(1)}, kept: math.Inf(1),
	}
	for _, i := range g.Infos() {
		run.info.Plans = append(run.info.Plans, shard.DevicePlan{Info: i})
	}
	// Without restarts the starts are made one by one, and then the run ends.
	if !r.restart {
		r.restart = true
	} else {
		run.starts = 0
	}
	return run, nil
}

// Ended says whether all starts are done, where they are counted.
func (r *graspHostRun) Ended() bool {
	return r.starts > 0 && r.start.phase == graspBegin && r.start.who >= r.starts
}

// Step makes units until the quota or the limit does not take another.
func (r *graspHostRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return r.sample, false, err
	}
	s := r.start
	began, quota := s.evaluations, min(limit, s.r.quota())
	for !r.Ended() && s.evaluations-began < quota {
		var x0 []float64
		if int(s.who) < len(r.x0) {
			x0 = r.x0[s.who]
		}
		if !s.unit(quota-(s.evaluations-began), x0, 1) {
			break
		}
	}
	if s.evaluations == began {
		return r.sample, false, nil
	}
	s.record() // in a construction too
	t := &r.sample
	t.F = max(host.Infinite(s.fx, new(int64)), t.Best) // where the start is
	if s.best < r.kept || r.x == nil {
		r.kept = s.best
		f, err := problems.Eval(s.p, s.at)
		if err != nil {
			return r.sample, false, err
		}
		// Summed in another order, another point may have seemed better.
		if f < t.Best {
			t.F, t.Best, r.x = f, f, append(r.x[:0], s.at...)
		}
	}
	t.Step++
	t.Evaluations, t.Work, t.NonFinite = s.evaluations, float64(s.components)/float64(s.r.comps), s.odd
	return *t, true, nil
}

func (r *graspHostRun) Incumbent(x []float64) error {
	if len(x) != len(r.x) {
		return fmt.Errorf("solvers: a point of %d variables for a problem of %d", len(r.x), len(x))
	}
	copy(x, r.x)
	return nil
}

func (r *graspHostRun) Info() solvers.Info { return r.info }

func (r *graspHostRun) Close() {}
