package relay

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// run is a started Relay.
type run struct {
	rounds   Rounds
	p        problems.Problem
	g        *shard.Devices
	s        solvers.Setup
	patience float64       // times the work until the last gain
	unit     float64       // work that the most demanding search needs to begin
	legs     []solvers.Run // of each search; nil: it has none
	apart    bool          // a leg that was closed had gradients that did not agree with values
	state
}

// state is what a run must remember besides its legs.
type state struct {
	Searches []search
	At       int            // the search whose turn it is
	Begun    int            // legs that have begun
	Most     float64        // work of all at which the turn has to end
	Before   solvers.Sample // when the turn began
	X        []float64      // the best point then; nil before the first turn has ended, or if it found none
	Gained   float64        // work of all after the last turn that lowered the best value
	Pace     Pace           // the least one of the turn
	Mark     solvers.Sample // when the best value fell at that pace last, or the turn began
	Sample   solvers.Sample
	Legs     [][]uint8 // the states of the legs; nil: the search has none
}

// unbounded is more work than a run makes.
const unbounded = 1 << 62

// begin begins the turn of search k, with a new leg or with the one that it has.
func (r *run) begin(ctx context.Context, k int) error {
	s := &r.Searches[k]
	leg := r.rounds(s.Turns)[k]
	r.At = k
	r.Before = r.Sample
	r.Mark = r.Sample
	r.Pace = leg.Pace
	longest := r.longest()
	switch {
	case leg.Lasts == 0:
		r.Most = unbounded
	case r.Begun == 0:
		r.Most = r.unit / 10
		if len(r.s.X0) > 0 { // they are evaluated first
			r.Most = max(r.Most, float64(solvers.LimitsOf(leg, r.p, r.s.Precision).Step))
		}
	case longest > 0:
		r.Most = r.Sample.Work + leg.Lasts*longest
	default:
		r.Most = r.Sample.Work + leg.Lasts*math.Ldexp(r.unit, s.Turns)
	}
	goesOn := r.legs[k] != nil && (leg.Own || s.keepsUp(r.Sample.Best))
	s.Fell = 0
	if goesOn {
		return nil
	}
	s.Number = r.Begun
	s.From = s.Turns
	s.Leg = solvers.Sample{Best: math.Inf(1)}
	r.Begun++
	return r.open(ctx, k)
}

// open starts the leg of search k at the best point.
func (r *run) open(ctx context.Context, k int) (err error) {
	r.closeLeg(k)
	setup, s := r.s, &r.Searches[k]
	leg := r.rounds(s.From)[k]
	if n := s.Number; n > 0 {
		setup.Key = rng.Key{Seed: setup.Key.Seed + uint32(n)*0x9e3779b9, Run: setup.Key.Run}
		setup.X0 = setup.X0[:min(len(setup.X0), solvers.LimitsOf(leg, r.p, setup.Precision).Starts)]
	}
	if r.X != nil && !leg.Own {
		setup.X0 = [][]float64{r.X}
	}
	if left := setup.Left; left != nil && leg.Share > 0 {
		others := time.Duration((1 - leg.Share) * float64(left()))
		setup.Left = func() time.Duration { return max(0, left()-others) }
	}
	r.legs[k], err = solvers.Adapted(leg.Solver, r.p, setup.Precision).Start(ctx, r.p, r.g, setup)
	return err
}

// Step makes a step of the leg whose turn it is, or of the next one that can make one.
func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	out := make([]bool, len(r.legs)) // searches that could make no step
	for {
		s, ok, err := r.move(ctx, room)
		refusal, unsuited := errors.AsType[*solvers.SettingError](err)
		if unsuited { // it has found that the problem does not suit it
			if err = nil; r.idle() {
				r.Searches[r.At].Turns++
				r.Searches[r.At].Fruitless = true
			}
		}
		if err != nil && r.idle() && r.Begun > 1 && r.drop(r.At, err) {
			r.closeLeg(r.At)
			clear(out)
			err = nil
		}
		if err != nil {
			if r.leads() && !r.idle() || r.X == nil && s.Work > 0 {
				return r.joined(s, r.Sample.Step), false, err
			}
			return r.Sample, false, err
		}
		if ok {
			r.add(s)
			return r.Sample, true, nil
		}
		out[r.At] = r.idle()
		if err := r.end(); err != nil {
			return r.Sample, false, err
		}
		if on, err := r.proceed(ctx, out); err != nil || !on {
			if !on && err == nil && unsuited && r.Sample.Step == 0 {
				err = refusal
			}
			return r.Sample, false, err
		}
	}
}

// proceed begins the turn of the next search that is not left out and that can begin. It reports false if there is
// none, or the run has ended.
func (r *run) proceed(ctx context.Context, out []bool) (on bool, err error) {
	for {
		k := next(r.Searches, r.rounds(0), out)
		if k < 0 || r.ended() {
			return false, nil
		}
		r.leave()
		err := r.begin(context.WithoutCancel(ctx), k) // a run that is cancelled has a leg to store
		if err == nil {
			return true, nil
		}
		if !r.drop(k, err) {
			return false, err
		}
		clear(out) // the others have longer turns now
	}
}

// drop leaves search k out from now on, because of an error of its method. It reports false if the run cannot go on:
// the error is not one of a program or of its check, there is no other search, or other hosts may not have the error.
func (r *run) drop(k int, err error) bool {
	_, wrong := errors.AsType[*shard.CheckError](err)
	if !wrong && !unbuilt(err) || r.g.Shared() {
		return false
	}
	r.Searches[k].Dropped = true
	if !slices.ContainsFunc(r.Searches, func(s search) bool { return !s.Dropped }) {
		return false
	}
	if r.s.Dropped != nil {
		r.s.Dropped(r.rounds(0)[k].Traits().Name, err)
	}
	return true
}

// unbuilt reports whether a driver has refused a program.
func unbuilt(err error) bool {
	_, refused := errors.AsType[*cl.BuildError](err)
	return refused
}

// move makes a step of the leg whose turn it is, unless the turn is over.
func (r *run) move(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	leg := r.Searches[r.At].Leg
	if r.legs[r.At] == nil || r.creeps() { // it was dropped, and no other search could begin
		return leg, false, nil
	}
	room.Evaluations = int64(min(r.Most-r.Sample.Work, room.Work(r.Sample)))
	return r.legs[r.At].Step(ctx, room)
}

// creeps reports whether the best value falls more slowly than the least pace of the turn.
func (r *run) creeps() bool {
	return r.Pace.Steps > 0 && r.Sample.Step-r.Mark.Step >= int64(r.Pace.Steps)
}

// longest returns the work of the longest one of the last turns of searches that had no length; 0 if none has ended.
func (r *run) longest() (work float64) {
	for _, s := range r.Searches {
		work = max(work, s.Lasted)
	}
	return work
}

// add counts a step of the leg whose sample is s. The first finite value is no gain.
func (r *run) add(s solvers.Sample) {
	last, now := r.Sample, &r.Searches[r.At]
	if r.idle() {
		now.Before, now.Last = now.Last, turn{}
	}
	r.Sample = r.joined(s, r.Sample.Step+1)
	if from := r.Mark.Best; math.IsInf(from, 1) || r.Sample.Best < from-r.Pace.Fall*math.Abs(from) {
		r.Mark = r.Sample
	}
	now.Work += r.Sample.Work - last.Work
	now.Last.Work += r.Sample.Work - last.Work
	if !math.IsInf(last.Best, 1) {
		now.Gain += last.Best - r.Sample.Best
		now.Last.Fall += last.Best - r.Sample.Best
	}
	if !math.IsInf(now.Leg.Best, 1) {
		now.Fell += now.Leg.Best - s.Best
	}
	now.Leg = s
}

// joined returns the sample of the run after so many steps, from that of the leg that works.
func (r *run) joined(s solvers.Sample, steps int64) solvers.Sample {
	all := r.Sample
	leg := r.Searches[r.At].Leg
	best := min(r.Sample.Best, s.Best)
	joined := solvers.Sample{Step: steps, Moves: all.Moves + s.Moves - leg.Moves, F: max(s.F, best), Best: best,
		NonFinite: all.NonFinite + s.NonFinite - leg.NonFinite}
	joined.Slope = all.Slope.Better(s.Slope)
	joined.Worked(all.Work + s.Work - leg.Work)
	return joined
}

// end ends a turn, and keeps its point if that is the best one.
func (r *run) end() error {
	if r.idle() {
		return nil
	}
	s := &r.Searches[r.At]
	before, now := r.Before.Best, r.Sample.Best
	s.Fruitless = true
	drawn := r.X == nil
	if now < before || r.X == nil && !math.IsInf(now, 1) {
		x := make([]float64, r.p.Domain().N)
		if err := r.legs[r.At].Incumbent(0, x); err != nil {
			return err
		}
		r.X = x
	}
	if before-now <= worth*math.Abs(now) {
		s.Last.Fall = 0
	} else if now < before {
		r.Gained = r.Sample.Work
		for k := range r.Searches {
			r.Searches[k].Fruitless = false
		}
	}
	if s.Turns++; r.Most == unbounded {
		s.Lasted = s.Last.Work
		switch { // a descent from any point falls far at first, which says nothing about its next turn
		case drawn && r.creeps():
			s.Last = turn{r.Sample.Work - r.Mark.Work, r.Mark.Best - now}
			s.Fell = s.Last.Fall
		case drawn:
			s.Last = turn{} // it has come to its end
		}
	}
	r.Before = r.Sample
	r.apart = r.apart || r.legs[r.At].Info().Differences
	return nil
}

// leave closes the leg that has worked, unless it stays and has not ended.
func (r *run) leave() {
	if leg := r.legs[r.At]; !r.rounds(0)[r.At].stays() || leg != nil && leg.Info().Ended {
		r.closeLeg(r.At)
	}
}

// closeLeg releases the memory of the leg of search k.
func (r *run) closeLeg(k int) {
	if r.legs[k] != nil {
		r.apart = r.apart || r.legs[k].Info().Differences
		r.legs[k].Close()
		r.legs[k] = nil
	}
}

// idle reports whether the turn has made no step.
func (r *run) idle() bool { return r.Sample.Step == r.Before.Step }

// worth is the share of the value by which it must fall for a turn to count as better.
const worth = 1e-10

// ended reports whether the leg that works knows that nothing is better, or every search has had a turn since the last
// gain and all together have worked long enough without one.
func (r *run) ended() bool {
	leg := r.legs[r.At]
	return leg != nil && leg.Info().Optimal ||
		r.X != nil && r.Before.Work >= max(r.patience*r.Gained, r.Gained+r.s.Spent) &&
			!slices.ContainsFunc(r.Searches, func(s search) bool { return !s.Fruitless && !s.Dropped })
}

// Incumbent writes the best point to x.
func (r *run) Incumbent(first int, x []float64) error {
	if !r.leads() {
		copy(x, r.X[first:])
		return nil
	}
	return r.legs[r.At].Incumbent(first, x)
}

// leads reports whether the best point is that of the leg that works.
func (r *run) leads() bool { return r.X == nil || r.Sample.Best < r.Before.Best }

// Info describes the leg that works, unless it could not begin. The methods are the searches, and Ended is that of the
// whole run.
func (r *run) Info() (info solvers.Info) {
	if r.legs[r.At] != nil {
		info = r.legs[r.At].Info()
	}
	info.Differences = info.Differences || r.apart
	searches := make([]solvers.Search, len(r.Searches))
	for k, leg := range r.rounds(0) {
		searches[k] = solvers.Search{Name: leg.Traits().Name, Work: r.Searches[k].Work, Gain: r.Searches[k].Gain}
	}
	info.Searches, info.Ended = solvers.Shares(searches), r.ended()
	return info
}

// Close releases the memory of all legs.
func (r *run) Close() {
	for k := range r.legs {
		r.closeLeg(k)
	}
}
