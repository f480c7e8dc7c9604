package anneal

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal/internal/local"
)

// saHybrid is annealing, followed by a local minimizer on the host in float64. The minimizer starts from
// the best point that any chain visited. It then restarts Hops times from a random point near the best one,
// and a better result replaces it (basin hopping at temperature 0: Wales and Doye 1997,
// doi:10.1021/jp970984n). Values of the second phase are those of the host reference.
type saHybrid struct {
	m      *SA
	h      problems.Referenced
	key    rng.Key
	anneal solvers.Run
	local  local.Minimizer // nil before its phase
	state  saHybridState
}

// saHybridState is the host's share of a run's state. State sets Anneal and Local.
type saHybridState struct {
	Sample solvers.Sample
	Hop    int       // number of restarts so far
	Made   int64     // moves of the local phase
	Over   bool      // nothing more fits into LocalN
	X      []float64 // the best point of the local phase; nil: that of annealing
	Anneal []uint8   // the host's share of the state of annealing
	Local  []uint8   // the state of the local minimizer; nil before its phase
}

// localSteps is the number of moves of a Step of the local phase.
const localSteps = 1 << 13

func (m *SA) startLocal(p problems.Problem, s solvers.Setup, anneal solvers.Run) (solvers.Run, error) {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil, solvers.Settingf("local=%s needs a host reference, and %s has none; use local=none", m.local(),
			p.Spec())
	}
	return &saHybrid{m: m, h: h, key: s.Key, anneal: anneal}, nil
}

// Step anneals until annealing has ended. After that, it continues the local minimizer.
func (r *saHybrid) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	st := &r.state
	s := &st.Sample
	if !r.anneal.Info().Ended {
		now, ok, err := r.anneal.Step(ctx, room)
		if ok {
			*s = now
		}
		return now, ok, err
	}
	if err := ctx.Err(); err != nil {
		return *s, false, err
	}
	turn := max(localSteps, 4*int64(r.h.Domain().N)) // a gradient takes twice the variables
	var made int64
	var work float64
	for made == 0 {
		if r.local == nil || r.local.Done() && st.Hop < r.m.Hops {
			if err := r.begin(); err != nil {
				return *s, false, err
			}
		}
		made, work = r.local.Advance(min(room.Moves, turn, int64(r.m.localN())-st.Made), room.Work(*s))
		if made == 0 && !(r.local.Done() && st.Hop < r.m.Hops) {
			st.Over = min(room.Moves, room.Evaluations) >= turn // nothing fits into what is left of localn
			return *s, false, nil
		}
	}
	st.Made += made
	s.Step++
	s.Moves += made
	s.Worked(s.Work + work)
	x, _ := r.local.Best()
	f, err := problems.Eval(r.h, x)
	if err != nil {
		return *s, false, err
	}
	s.F = f
	if !host.Finite(f) {
		s.F = math.Inf(1)
	}
	if s.F < s.Best {
		s.Best, st.X = s.F, append(st.X[:0], x...)
	}
	return *s, true, nil
}

// begin starts the local minimizer at the best point. Later calls start it near that point.
func (r *saHybrid) begin() error {
	x := make([]float64, r.h.Domain().N)
	if err := r.Incumbent(0, x); err != nil {
		return err
	}
	if r.local != nil {
		r.state.Hop++
		for i := range x {
			lo, hi := r.h.Domain().Interval(i)
			u := rng.Uniform(r.key.Word(uint32(i), uint32(r.state.Hop), 0, rng.Hop))
			x[i] = min(max(math.FMA(2*u-1, r.m.hop()*(hi-lo), x[i]), lo), hi)
		}
	}
	r.local = local.New(r.m.local(), r.h, x)
	return nil
}

// Incumbent writes the best point of both phases.
func (r *saHybrid) Incumbent(first int, x []float64) error {
	if r.state.X == nil {
		return r.anneal.Incumbent(first, x)
	}
	copy(x, r.state.X[first:])
	return nil
}

// Info describes annealing. A run has ended when the local minimizer is done, too.
func (r *saHybrid) Info() solvers.Info {
	info := r.anneal.Info()
	info.Ended = info.Ended && r.local != nil && (r.state.Over || r.local.Done() && r.state.Hop == r.m.Hops)
	return info
}

// Close closes annealing.
func (r *saHybrid) Close() { r.anneal.Close() }
