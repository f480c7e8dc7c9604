package lbfgs

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// What is known of values in float32.
const (
	noise     = 1e-6 // their errors are below this part of the terms
	worth     = 1e-7 // a fall by this part of the value is one
	overshoot = 0.8  // a step is good if the slope after it is at most this part of that before, to the other side
	mostAhead = 5    // gradients of a line search
	mostIdle  = 20   // steps without a fall or half of the slope
)

// noisy reports whether the falls of good steps are lost in the errors of values.
func (r *run) noisy() bool { return r.s.Precision == problems.FP32 }

// finest returns the stage whose falls count as such.
func (r *run) finest() stage {
	if r.noisy() {
		return stage{exact: true, least: worth}
	}
	return byDifferences[usual]
}

// search tries points along the direction that is combined by weights, from t on, and moves to the first that is good.
// It returns the work of the values and gradients that it made.
func (r *run) search(ctx context.Context, weights []float64, t float64, s *solvers.Sample) (moved bool, values int64,
	err error) {
	at, e, ahead := &r.state.Descent, r.engine, mostAhead
	if err := e.direct(weights); err != nil {
		return false, values, err
	}
	for range halvings {
		acc, slope, err := e.step(ctx, t, r.stage())
		if err != nil {
			return false, values, err
		}
		values++
		f := host.Infinite(r.p.Objective(acc), &s.NonFinite)
		if slope < 0 && f < at.F && f <= at.F+armijo*slope {
			return true, values, r.move(acc, f, slope)
		}
		lost := r.noisy() && r.stage().exact && f <= at.F+noise*math.Abs(at.F)
		if lost && slope < 0 && ahead > 0 {
			ahead--
			values += exactWork
			after, err := e.ahead(ctx, r.weights(acc))
			if err != nil {
				return false, values, err
			}
			if after <= -overshoot*slope {
				at.Counted = true
				return true, values, r.move(acc, f, slope)
			}
			if err := e.direct(weights); err != nil {
				return false, values, err
			}
		}
		t /= 2
	}
	return false, values, nil
}

// move makes y the point of the descent, which may end it. If the gradient there is made, it is that of the point.
func (r *run) move(acc []float64, f, slope float64) error {
	at, e := &r.state.Descent, r.engine
	if f > at.F && at.F < at.Kept {
		if err := e.keep(func(v *vectors) *shard.Reals { return v.best }); err != nil {
			return err
		}
		at.Kept = at.F
	}
	pair := at.Pairs.next()
	if err := e.move(pair); err != nil {
		return err
	}
	if at.Counted {
		if err := e.turn(pair); err != nil {
			return err
		}
	}
	from := at.F
	at.F, at.Acc, at.Slope = f, acc, slope
	stage := r.stage()
	switch {
	case !r.noisy() || !stage.exact:
		if !falls(from, f, stage) {
			r.stop()
		} else if stage.rounded {
			at.Rounds.stepped(from - f)
		}
	case falls(from, f, r.finest()):
		at.Idle = 0
	default:
		if at.Idle++; at.Idle == mostIdle {
			r.stop()
		}
	}
	return nil
}

// falls reports whether a value falls by enough to go on with a stage.
func falls(from, to float64, at stage) bool {
	return from-to > max(at.least*min(math.Abs(from), math.MaxFloat64), 1e-300)
}
