package lm

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/clopt/clopt/solvers/internal/host"
)

// compute does the task of the chosen components at x.
func (r *run) compute(ctx context.Context, x []float64) error {
	r.state.Sample.Work += r.chosen.work
	return r.engine.compute(ctx, x, &r.chosen)
}

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
	r.choose(r.left, derivatives)
	r.chosen.parameter = func(k int) float64 { return differences[from.Parts[r.order.of[k]].Stage] }
	if err := r.compute(ctx, from.At.X); err != nil {
		return err
	}
	r.each(r.left, func(_ *factor, c int) {
		q := r.order.parts[c]
		if r.order.own(r.engine.c, q) {
			return
		}
		if r.normal.normal(r.engine.c, &r.chosen, q, r.gradient); from.Parts[c].Stage > 0 {
			r.hold(from.At.X, q)
		}
	})
	for a := 0; a < attempts && len(r.left) > 0; a++ {
		if err := r.solve(ctx, r.left, next.Parts, r.positive); err != nil {
			return err
		}
		if r.some = among(r.some, r.left, func(c int) bool { return r.positive[c] }); len(r.some) > 0 {
			if err := r.search(ctx, from.At, r.some, next.At); err != nil {
				return err
			}
		}
		r.left = among(r.left, r.left, func(c int) (fruitless bool) {
			at := &next.Parts[c]
			if !(next.At.F[c] < from.At.F[c]) {
				at.Damping *= 4
				return true
			}
			at.Damping /= 10
			switch {
			case next.At.F[c] == 0: // no sum of squares is less
				at.On = false
			case !falls(from.At.F[c], next.At.F[c], at.enough()):
				at.end()
			}
			return false
		})
	}
	r.each(r.left, func(_ *factor, c int) { next.Parts[c].end() })
	r.state.Descent = next
	r.count()
	return nil
}

// solve sets the direction of some parts to the solution of their equations, and positive to whether these are
// positive.
func (r *run) solve(ctx context.Context, parts []int, at []partDescent, positive []bool) error {
	r.some = among(r.some, parts, func(c int) bool { return r.order.own(r.engine.c, r.order.parts[c]) })
	if len(r.some) > 0 {
		r.choose(r.some, steps)
		r.chosen.parameter = func(k int) float64 { return at[r.order.of[k]].Damping }
		r.chosen.hold = func(k int) bool { return at[r.order.of[k]].Stage > 0 }
		if err := r.compute(ctx, nil); err != nil {
			return err
		}
	}
	r.each(parts, func(l *factor, c int) {
		q := r.order.parts[c]
		if r.order.own(r.engine.c, q) {
			k := r.order.components(q)[0]
			answers := r.chosen.answers[r.chosen.at[k]:]
			positive[c] = answers[0] > 0
			for v, i := range r.engine.c.variables(k) {
				r.direction[i] = answers[1+v]
			}
			return
		}
		if positive[c] = l.of(r.normal, q, at[c].Damping); positive[c] {
			l.solve(r.gradient, r.direction)
		}
	})
	return nil
}

// along sets the variables of a part in y to those of the point at a part t of its direction, in the box.
func (r *run) along(from point, q part, t float64, y []float64) {
	for _, i := range r.order.variables(q) {
		lo, hi := r.p.Domain().Interval(i)
		y[i] = min(max(math.FMA(t, r.direction[i], from.X[i]), lo), hi)
	}
}

// search moves each of some parts from a point to the best of some points along its direction, if that is better. The
// devices have these points of the parts of which they have solved the equations.
func (r *run) search(ctx context.Context, from point, parts []int, to point) error {
	n, y := len(from.X), []float64(nil)
	if !r.own && slices.ContainsFunc(parts, func(c int) bool { return !r.order.own(r.engine.c, r.order.parts[c]) }) {
		y = r.y
		r.each(parts, func(_ *factor, c int) {
			for k, t := range along {
				r.along(from, r.order.parts[c], t, y[k*n:])
			}
		})
	}
	r.choose(parts, points)
	if err := r.compute(ctx, y); err != nil {
		return err
	}
	var infinite atomic.Int64
	r.each(parts, func(_ *factor, c int) {
		q := r.order.parts[c]
		for k, t := range along {
			sum := r.squares(q, k)
			if sum < to.F[c] {
				r.along(from, q, t, to.X)
				to.F[c] = sum
			}
			if !host.Finite(sum) {
				infinite.Add(1)
			}
		}
	})
	r.state.Sample.NonFinite += infinite.Load()
	return nil
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
