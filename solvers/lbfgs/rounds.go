package lbfgs

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// rounds is the state of the stage that rounds kinks. Each round descends with kinks of some width, and the next one
// with narrower kinks, which lean to the derivatives at which the last one ended (Bertsekas 1975,
// doi:10.1007/BFb0120696). Now and then the value of the function itself is looked at.
type rounds struct {
	Done  bool      // it has ended, or the descent begins after it
	Look  bool      // the next step looks at the value
	Over  bool      // so is the round; before the first one, all that it needs is made
	Here  bool      // Value is that of the point
	Width float64   // as a part of Sizes; 0: no round has begun
	Sizes []float64 // of the arguments of the kinks of each site
	Value float64   // of the function at the last point that was looked at
	Gap   float64   // between it and the rounded value there
	Last  float64   // Gap at the end of the round before
	Least float64   // value of the function when it fell last
	Idle  int       // rounds since then
	Count int       // rounds
	Slow  int       // steps in a row in which the rounded value fell by less than a part of Gap
	Steps int       // since the last look
}

const (
	firstWidth = 0.1  // of the first round, as a part of what kinks have as arguments
	narrower   = 0.3  // a width, as a part of the one before
	wideGap    = 1e-4 // part of the value above which every round is narrower; below it, one whose gap is no less
	slowFall   = 1e-5 // a step is slow if the rounded value falls by less than this part of Gap
	slowSteps  = 4    // in a row that end a round
	lookAfter  = 32   // steps
	mostRounds = 40
	idleRounds = 6     // without a better value that end the stage
	gained     = 1e-9  // a value is better if it is less by more than this part
	noGap      = 1e-10 // part of the value that ends the stage
)

// widths returns those of all sites.
func (o *rounds) widths() []float64 {
	all := slices.Clone(o.Sizes)
	for i := range all {
		all[i] = max(sharp, all[i]*o.Width)
	}
	return all
}

// stepped notes a step in which the rounded value fell.
func (o *rounds) stepped(fall float64) {
	o.Here = false
	if o.Slow++; fall > slowFall*o.Gap {
		o.Slow = 0
	}
	o.Steps++
	o.Over = o.Slow >= slowSteps
	o.Look = o.Over || o.Steps >= lookAfter
}

// afterKick returns the first stage of a descent after a kick: its kinks are not rounded, since the descents before it
// have come near a minimum.
func (r *run) afterKick() int {
	if r.engine.rounded != nil {
		return usual + 1
	}
	return usual
}

// beginRounds prepares the stage of the descent, if that rounds kinks.
func (r *run) beginRounds() {
	at := &r.state.Descent
	if at.On && r.stage().rounded {
		at.Rounds = rounds{Look: true, Over: true, Here: true, Value: at.F, Least: math.Inf(1)}
	}
}

// value returns the value of the function at the point, or at the last one that was looked at.
func (r *run) value() float64 {
	at := &r.state.Descent
	if at.On && r.stage().rounded {
		return at.Rounds.Value
	}
	return at.F
}

// look computes the value of the function at the point, and begins the next round if one is over. A best point is kept.
// The last round ends the stage, and the next one begins at the best point.
func (r *run) look(ctx context.Context, s *solvers.Sample) error {
	at, e := &r.state.Descent, r.engine
	o := at.Rounds // changed when nothing can fail any more
	o.Sizes = slices.Clone(o.Sizes)
	x := func(v *vectors) *shard.Reals { return v.x }
	work := 0.0
	if !o.Here {
		acc, err := e.evaluate(ctx, x)
		if err != nil {
			return err
		}
		work++
		o.Value, o.Here = host.Infinite(r.p.Objective(acc), &s.NonFinite), true
		o.Gap = math.Abs(o.Value - at.F)
	}
	always := context.WithoutCancel(ctx) // from here on the devices change
	best := at.Kept
	if o.Value < best {
		if err := e.keep(func(v *vectors) *shard.Reals { return v.best }); err != nil {
			return err
		}
		best = o.Value
	}
	o.Look, o.Steps = false, 0
	at.Known = false
	if !o.Over {
		at.Rounds, at.Kept = o, best
		s.Work += work
		return nil
	}
	if o.Width > 0 {
		o.Idle++
		if best < o.Least-gained*math.Abs(best) {
			o.Least, o.Idle = best, 0
		}
	}
	o.Over, o.Slow = false, 0
	if o.Width > 0 && (o.Gap <= noGap*math.Abs(o.Value) || o.Count >= mostRounds || o.Idle >= idleRounds) {
		at.Kept, at.Rounds = best, o
		s.Work += work
		return r.endRounds(always, s)
	}
	before := o.Width
	if err := r.narrow(always, &o); err != nil {
		return err
	}
	acc, err := e.rounded.sums(always, x)
	if err != nil {
		return err
	}
	s.Work += work + 2
	at.Acc, at.F = acc, host.Infinite(r.p.Objective(acc), &s.NonFinite)
	o.Gap = math.Abs(o.Value - at.F)
	at.Slope, at.Pairs.Made = 0, 0
	if before > 0 {
		at.Pairs.Scale *= o.Width / before // kinks bend so much more
	}
	at.Kept, at.Rounds = best, o
	return nil
}

// narrow begins a round: the first one with kinks as wide as their arguments at the point say, others with new
// multipliers and, unless those alone make the gap less, with narrower ones.
func (r *run) narrow(ctx context.Context, o *rounds) (err error) {
	e := r.engine.rounded
	o.Count++
	if o.Width == 0 {
		o.Width = firstWidth
		if err := e.forget(); err != nil {
			return err
		}
		if o.Sizes, err = e.sizes(ctx); err != nil {
			return err
		}
		return e.set(o.widths())
	}
	if err := e.set(o.widths()); err != nil {
		return err
	}
	if err := e.update(); err != nil {
		return err
	}
	if o.Gap > wideGap*math.Abs(o.Value) || o.Gap > o.Last/2 {
		o.Width *= narrower
	}
	o.Last = o.Gap
	return e.set(o.widths())
}

// endRounds ends the stage, and goes on from the best point of the descent.
func (r *run) endRounds(ctx context.Context, s *solvers.Sample) error {
	at, e := &r.state.Descent, r.engine
	if at.Kept < min(at.From, at.Rounds.Value) {
		if err := e.restore(); err != nil {
			return err
		}
	}
	acc, err := e.evaluate(ctx, func(v *vectors) *shard.Reals { return v.x })
	if err != nil {
		return err
	}
	s.Work++
	at.Acc, at.F = acc, host.Infinite(r.p.Objective(acc), &s.NonFinite)
	at.Rounds = rounds{Done: true}
	at.Pairs.Scale = 0
	r.stop()
	return e.rounded.sharpen()
}
