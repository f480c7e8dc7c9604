package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// run is a started Relay.
type run struct {
	rounds Rounds
	p      problems.Problem
	g      *shard.Devices
	s      solvers.Setup

	leg  solvers.Run // the one that works
	most float64     // work of all legs so far at which it has to end

	size, patience int // legs of a round, and rounds
	state
}

// state is what a run must remember besides the vectors of its leg.
type state struct {
	Legs      int            // before the one that works
	Fruitless int            // legs in a row that found nothing better
	Before    solvers.Sample // when the last of them ended
	X         []float64      // the best point then; nil before the first one has ended, or if it found none
	Lasted    float64        // work of the last leg that ended by itself; 0: none has
	Sample    solvers.Sample
	Turns     []turns // of each method of a round
	Leg       []uint8 // the state of the leg that works
}

// turns are what a method has done in all its turns.
type turns struct {
	Work float64
	Gain float64 // what the best value has fallen by
}

// unbounded is more work than a run makes.
const unbounded = 1 << 62

// begin starts a leg, in the place of the one before.
func (r *run) begin(ctx context.Context) (err error) {
	r.Close()
	s := r.s
	if r.Legs > 0 {
		s.Key = rng.Key{Seed: s.Key.Seed + uint32(r.Legs)*0x9e3779b9, Run: s.Key.Run}
		s.X0 = nil
	}
	if r.X != nil {
		s.X0 = [][]float64{r.X}
	}
	leg := r.rounds(r.Legs / r.size)[r.Legs%r.size]
	switch {
	case leg.Lasts == 0:
		r.most = unbounded
	case r.Legs == 0:
		r.most = float64(limits(r.rounds(0)[1], r.p, r.s.Precision).Step / 10)
	default:
		r.most = r.Before.Work + leg.Lasts*cmp.Or(r.Lasted, r.Before.Work)
	}
	r.leg, err = leg.Start(ctx, r.p, r.g, s)
	return err
}

// Step makes a step of the leg that works, or of the next one that can make one.
func (r *run) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	for range r.size + 1 {
		s, ok, err := r.leg.Step(ctx, min(limit, int64(r.most-r.Sample.Work)))
		if _, unsuited := errors.AsType[*solvers.SettingError](err); unsuited && r.Legs > 0 {
			err = nil // it has found that the problem does not suit it
		}
		if err != nil {
			if r.leads() && !r.idle() {
				return r.joined(s, r.Sample.Step), false, err
			}
			return r.Sample, false, err
		}
		if ok {
			r.add(s)
			return r.Sample, true, nil
		}
		if err := r.end(); err != nil || r.Ended() {
			return r.Sample, false, err
		}
		r.Legs++
		if err := r.begin(context.WithoutCancel(ctx)); err != nil { // a run that is cancelled has a leg to store
			return r.Sample, false, err
		}
	}
	return r.Sample, false, nil
}

// add counts a step of the leg whose sample is s. The first finite value is no gain.
func (r *run) add(s solvers.Sample) {
	last := r.Sample
	r.Sample = r.joined(s, r.Sample.Step+1)
	now := &r.Turns[r.Legs%r.size]
	now.Work += r.Sample.Work - last.Work
	if !math.IsInf(last.Best, 1) {
		now.Gain += last.Best - r.Sample.Best
	}
}

// joined returns the sample of the run after so many steps, from that of the leg that works.
func (r *run) joined(s solvers.Sample, steps int64) solvers.Sample {
	b, best := r.Before, min(r.Sample.Best, s.Best)
	return solvers.Sample{Step: steps, Evaluations: b.Evaluations + s.Evaluations, Work: b.Work + s.Work,
		F: max(s.F, best), Best: best, NonFinite: b.NonFinite + s.NonFinite}
}

// end ends a leg, and keeps its point if that is the best one.
func (r *run) end() error {
	if r.idle() {
		return nil
	}
	r.Fruitless++
	if before, now := r.Before.Best, r.Sample.Best; now < before || r.X == nil && !math.IsInf(now, 1) {
		x := make([]float64, r.p.Domain().N)
		if err := r.leg.Incumbent(0, x); err != nil {
			return err
		}
		r.X = x
		if !(before-now <= worth*math.Abs(now)) {
			r.Fruitless = 0
		}
	}
	if r.most == unbounded {
		r.Lasted = r.Sample.Work - r.Before.Work
	}
	r.Before = r.Sample
	return nil
}

// idle reports whether the leg that works has made no step.
func (r *run) idle() bool { return r.Sample.Step == r.Before.Step }

// worth is the share of the value by which it must fall for a leg to count as better.
const worth = 1e-10

// optimal is a run that may know that no point is better than its best one.
type optimal interface{ Optimal() bool }

// Ended reports whether enough rounds have found nothing better, or nothing is better.
func (r *run) Ended() bool {
	leg, ok := r.leg.(optimal)
	return r.Fruitless >= r.patience*r.size || ok && leg.Optimal()
}

// LimitsWork says that the limit of evaluations applies to the work, since sweeps count each change of a variable as an
// evaluation.
func (r *run) LimitsWork() {}

// Incumbent writes the best point to x.
func (r *run) Incumbent(first int, x []float64) error {
	if !r.leads() {
		copy(x, r.X[first:])
		return nil
	}
	return r.leg.Incumbent(first, x)
}

// leads reports whether the best point is that of the leg that works.
func (r *run) leads() bool { return r.X == nil || r.Sample.Best < r.Before.Best }

// Info describes the leg that works, unless it could not begin. The methods of a round are the searches.
func (r *run) Info() (info solvers.Info) {
	if r.leg != nil {
		info = r.leg.Info()
	}
	searches := make([]solvers.Search, r.size)
	for k, leg := range r.rounds(0) {
		searches[k] = solvers.Search{Name: leg.Name(), Work: r.Turns[k].Work, Gain: r.Turns[k].Gain}
	}
	info.Searches = solvers.Shares(searches)
	return info
}

// Close releases the memory of the leg that works.
func (r *run) Close() {
	if r.leg != nil {
		r.leg.Close()
		r.leg = nil
	}
}

// State returns the state of the run, with that of the leg that works. A run that was just started is at its first leg;
// when the state has been loaded, it begins the one that was stored.
func (r *run) State() *solvers.State {
	st := r.legState()
	r.Leg = checkpoint.Encode(st.Host)
	st.Host = &r.state
	st.Arrange = func() error {
		if r.Legs < 0 || len(r.Turns) != r.size {
			return &checkpoint.Damage{Msg: fmt.Sprintf("leg %d of a relay of %d methods", r.Legs, len(r.Turns))}
		}
		if err := r.begin(context.Background()); err != nil {
			return err
		}
		leg := r.legState()
		st.Vectors, st.Pieces, st.Common, st.Each = leg.Vectors, leg.Pieces, leg.Common, leg.Each
		st.Restored = leg.Restored
		if err := checkpoint.Decode(r.Leg, leg.Host); err != nil {
			return fmt.Errorf("leg %d: %w", r.Legs, err)
		}
		return nil
	}
	return st
}

// legState returns the state of the leg that works. A leg that has made no step has no vectors yet.
func (r *run) legState() *solvers.State {
	st := r.leg.State()
	if r.idle() {
		return &solvers.State{Host: st.Host}
	}
	return st
}
