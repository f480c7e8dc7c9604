package lm

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
)

// compute does the task of the chosen components at x.
func (r *run) compute(ctx context.Context, x []float64) error {
	return r.engine.compute(ctx, x, &r.chosen)
}

// count counts the work of tasks for components of a cost.
func (r *run) count(cost int) { r.state.Sample.Work += float64(cost) / float64(r.engine.c.cost) }

// squares returns the sum of the squares of a part at a point.
func (r *run) squares(q part, point int) (sum float64) {
	for _, k := range r.order.components(q) {
		sum += r.chosen.answers[r.chosen.at[k]+point]
	}
	return sum
}

// next sets parts to those that go on with their descent, of the next wave that has such parts.
func (r *run) next(parts []int) []int {
	for parts = parts[:0]; len(parts) == 0; r.state.Wave = (r.state.Wave + 1) % r.waves {
		all := r.state.Descent.Parts
		parts = filter(parts, len(all), func(c int) (int, bool) { return c, all[c].On && r.wave[c] == r.state.Wave })
	}
	return parts
}

// among sets to to those of some parts for which is is true.
func among(to, parts []int, is func(c int) bool) []int {
	return filter(to, len(parts), func(i int) (int, bool) { return parts[i], is(parts[i]) })
}

// descend makes a Jacobian of the parts of a wave, and moves each of them to the first better point that it finds.
func (r *run) descend(ctx context.Context) error {
	from, next := r.state.Descent, r.spare.descent
	next.copy(from)
	r.left = r.next(r.left) // parts that have found nothing better
	if err := r.differentiate(ctx, from.At.X, r.left, func(k int) float64 {
		return differences[from.Parts[r.order.of[k]].Stage]
	}); err != nil {
		return err
	}
	r.each(r.left, func(_ *factor, c int) {
		if q := r.order.parts[c]; from.Parts[c].Stage > 0 && !r.order.own(r.engine.c, q) {
			r.hold(from.At.X, q)
		}
	})
	r.moving = among(r.moving, r.left, func(int) bool { return true })
	for a := 0; a < attempts && len(r.left) > 0; a++ {
		if err := r.try(ctx, from.At, r.left, next.Parts, next.At); err != nil {
			return err
		}
		r.left = among(r.left, r.left, func(c int) (fruitless bool) {
			if fruitless = !(next.At.F[c] < from.At.F[c]); fruitless {
				next.Parts[c].Damping *= 4
			} else {
				next.Parts[c].Damping /= 10
			}
			return fruitless
		})
	}
	if err := r.further(ctx, from, next); err != nil {
		return err
	}
	r.each(r.moving, func(_ *factor, c int) {
		switch at := &next.Parts[c]; {
		case next.At.F[c] == 0: // no sum of squares is less
			at.On = false
		case !falls(from.At.F[c], next.At.F[c], at.enough(r.j.stages())):
			at.end(r.j.stages())
		}
	})
	r.state.Descent = next
	r.survey()
	return nil
}

// further moves the parts that move to better points, with the same derivatives and smaller λ, as long as they fall, if
// derivatives cost more than that. Where residuals are nearly straight lines, one step is enough then.
func (r *run) further(ctx context.Context, from, next descent) error {
	before := r.spare.f
	r.left = among(r.left, r.moving, func(c int) bool {
		before[c] = next.At.F[c]
		return r.costly && next.At.F[c] > 0 && next.At.F[c] < from.At.F[c]
	})
	for a := 0; a < attempts && len(r.left) > 0; a++ {
		r.left = among(r.left, r.left, func(c int) bool { return next.Parts[c].Damping >= leastDamping })
		if err := r.try(ctx, from.At, r.left, next.Parts, next.At); err != nil {
			return err
		}
		r.left = among(r.left, r.left, func(c int) (on bool) {
			f := next.At.F[c]
			if on = f > 0 && falls(before[c], f, slow); on {
				next.Parts[c].Damping /= 10
			}
			before[c] = f
			return on
		})
	}
	if r.costly {
		r.each(r.moving, func(_ *factor, c int) {
			next.Parts[c].Damping = max(next.Parts[c].Damping, nextDamping)
		})
	}
	return nil
}

// differentiate makes the equations of some parts, nil: of all, at x. size is that of the differences of a component.
// The host adds the products of stacks as they come, in rounds, so that it keeps those of a round only.
func (r *run) differentiate(ctx context.Context, x []float64, parts []int, size func(k int) float64) error {
	for round := range r.rounds.count {
		in := func(k int) bool { return r.engine.c.stack[k] > 0 && r.rounds.has(round, k) }
		r.chooseOf(parts, derivatives, in)
		r.chosen.parameter = size
		if err := r.compute(ctx, x); err != nil {
			return err
		}
		r.count(r.chosen.used.cost)
		r.each(parts, func(_ *factor, c int) { r.add(r.order.parts[c], round, in) })
	}
	return nil
}

// add adds the products of those stacks of a part that are in a round to its equations, if the host solves these.
func (r *run) add(q part, round int, in func(k int) bool) {
	c := r.engine.c
	if r.order.own(c, q) {
		return
	}
	if round == 0 {
		r.normal.clear(q, r.gradient)
	}
	for _, k := range r.order.components(q) {
		if in(k) {
			r.normal.add(c.variables(k), r.chosen.answers[r.chosen.at[k]+1:], r.gradient)
		}
	}
}

// try moves each of some parts from a point to the best of some points along the solution of its equations, if that is
// better. at has the λ and the stage of every part.
func (r *run) try(ctx context.Context, from point, parts []int, at []partDescent, to point) error {
	cost := 0
	for _, of := range []struct {
		own  bool
		find func(ctx context.Context, from point, parts []int, at []partDescent) error
	}{{true, r.trials}, {false, r.solve}} {
		r.some = among(r.some, parts, func(c int) bool { return r.order.own(r.engine.c, r.order.parts[c]) == of.own })
		if len(r.some) == 0 {
			continue
		}
		if err := of.find(ctx, from, r.some, at); err != nil {
			return err
		}
		cost += r.search(from, r.some, to)
	}
	r.count(cost)
	return nil
}

// trials lets the devices solve the equations of some parts, which have one component each, and compute its values at
// the points along the directions. It sets the directions, and positive to whether the equations are.
func (r *run) trials(ctx context.Context, _ point, parts []int, at []partDescent) error {
	r.choose(parts, trials)
	r.chosen.parameter = func(k int) float64 { return at[r.order.of[k]].Damping }
	r.chosen.hold = func(k int) bool { return at[r.order.of[k]].Stage > 0 }
	if err := r.compute(ctx, nil); err != nil {
		return err
	}
	r.each(parts, func(_ *factor, c int) {
		k := r.order.components(r.order.parts[c])[0]
		steps := r.chosen.answers[r.chosen.at[k]+points:]
		r.positive[c] = steps[0] > 0
		for v, i := range r.engine.c.variables(k) {
			r.direction[i] = steps[1+v]
		}
	})
	return nil
}

// solve is trials for parts of which the host solves the equations.
func (r *run) solve(ctx context.Context, from point, parts []int, at []partDescent) error {
	n := len(from.X)
	r.each(parts, func(l *factor, c int) {
		q := r.order.parts[c]
		r.positive[c] = l.of(r.normal, q, at[c].Damping)
		if !r.positive[c] {
			return
		}
		l.solve(r.gradient, r.direction)
		for k, t := range along {
			r.along(from, q, t, r.y[k*n:])
		}
	})
	r.tried = among(r.tried, parts, func(c int) bool { return r.positive[c] })
	if r.choose(r.tried, points); len(r.tried) == 0 {
		return nil
	}
	return r.compute(ctx, r.y)
}

// along sets the variables of a part in y to those of the point at a part t of its direction, in the box.
func (r *run) along(from point, q part, t float64, y []float64) {
	for _, i := range r.order.variables(q) {
		lo, hi := r.p.Domain().Interval(i)
		y[i] = lo
		if math.FMA(t, r.direction[i], from.X[i]) > lo { // a direction that overflowed may be NaN
			y[i] = min(math.FMA(t, r.direction[i], from.X[i]), hi)
		}
	}
}

// search moves each of some parts whose equations are positive from a point to the best of those along its direction,
// if that is better. It returns the cost of their values.
func (r *run) search(from point, parts []int, to point) (cost int) {
	var infinite, all atomic.Int64
	blocks(len(parts), func(_, lo, hi int) {
		odd, sum := 0, 0
		for _, c := range parts[lo:hi] {
			if r.positive[c] {
				odd += r.move(from, c, to)
				for _, k := range r.order.components(r.order.parts[c]) {
					sum += points * int(r.engine.c.of[k].cost)
				}
			}
		}
		infinite.Add(int64(odd))
		all.Add(int64(sum))
	})
	r.state.Sample.NonFinite += infinite.Load()
	return int(all.Load())
}

// move moves part c to the best of the points along its direction, if that is better. It returns how many of these have
// no finite value.
func (r *run) move(from point, c int, to point) (infinite int) {
	q, best := r.order.parts[c], -1
	for k := range along {
		sum := r.squares(q, k)
		if sum < to.F[c] {
			best, to.F[c] = k, sum
		}
		infinite += problems.Flag(!host.Finite(sum))
	}
	if best >= 0 {
		r.along(from, q, along[best], to.X)
	}
	return infinite
}

// each calls f for the given parts on all processors, each with a factor of its own.
func (r *run) each(parts []int, f func(l *factor, c int)) {
	parallel(len(parts), func(worker, k int) { f(&r.factors[worker], parts[k]) })
}

// hold leaves the variables of a part that are at a bound beyond which f falls out of its equations.
func (r *run) hold(x []float64, q part) {
	for _, i := range r.order.variables(q) {
		lo, hi := r.p.Domain().Interval(i)
		r.held[i] = x[i] <= lo && r.gradient[i] > 0 || x[i] >= hi && r.gradient[i] < 0
		if r.held[i] {
			r.gradient[i] = 0
		}
	}
	r.normal.leave(q, r.held)
}
