package lm

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/clopt/clopt/solvers/internal/host"
)

// choose chooses the components of some parts, nil: of all, for a task.
func (r *run) choose(parts []int, t task) {
	on := make([]bool, len(r.order.parts))
	for _, c := range parts {
		on[c] = true
	}
	of, all, m := &r.chosen, r.engine.c, len(r.order.of)
	chosen := func(k int) bool { return parts == nil || on[r.order.of[k]] }
	of.list, of.before, of.task = resized(of.list, m), resized(of.before, m+1), t
	used := cumulate(m, func(k int) room {
		if !chosen(k) {
			return room{}
		}
		return all.need(k, t)
	}, func(k int, before room) {
		if chosen(k) {
			of.list[before.components], of.before[before.components], of.at[k] = k, before, before.answers
		}
	})
	of.list, of.before[used.components] = of.list[:used.components], used
	of.answers = resized(of.answers, used.answers)
	of.work = all.work(of.list, t)
}

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

// next returns the parts that go on with their descent, of the next wave that has such parts.
func (r *run) next() (parts []int) {
	for parts == nil {
		for c, p := range r.state.Descent.Parts {
			if p.On && r.wave[c] == r.state.Wave {
				parts = append(parts, c)
			}
		}
		r.state.Wave = (r.state.Wave + 1) % r.waves
	}
	return parts
}

// descend makes a Jacobian of the parts of a wave, and moves each of them to the first better point that it finds.
func (r *run) descend(ctx context.Context) error {
	from, next := r.state.Descent, r.state.Descent.clone()
	left := r.next() // parts that have found nothing better
	r.choose(left, derivatives)
	r.chosen.parameter = func(k int) float64 { return differences[from.Parts[r.order.of[k]].Stage] }
	if err := r.compute(ctx, from.At.X); err != nil {
		return err
	}
	r.each(left, func(_ *factor, c int) {
		q := r.order.parts[c]
		if _, ok := r.own(q); ok {
			return
		}
		if r.normal.normal(r.engine.c, &r.chosen, q, r.gradient); from.Parts[c].Stage > 0 {
			r.hold(from.At.X, q)
		}
	})
	positive := make([]bool, len(from.Parts))
	for a := 0; a < attempts && len(left) > 0; a++ {
		if err := r.solve(ctx, left, next.Parts, positive); err != nil {
			return err
		}
		if tried := slices.DeleteFunc(slices.Clone(left), func(c int) bool { return !positive[c] }); len(tried) > 0 {
			if err := r.search(ctx, from.At, tried, next.At); err != nil {
				return err
			}
		}
		left = slices.DeleteFunc(left, func(c int) bool {
			at := &next.Parts[c]
			if !(next.At.F[c] < from.At.F[c]) {
				at.Damping *= 4
				return false
			}
			at.Damping /= 10
			switch {
			case next.At.F[c] == 0: // no sum of squares is less
				at.On = false
			case !falls(from.At.F[c], next.At.F[c], at.enough()):
				at.end()
			}
			return true
		})
	}
	for _, c := range left {
		next.Parts[c].end()
	}
	r.state.Descent = next
	return nil
}

// own returns the only component of a part if the devices solve its equations.
func (r *run) own(q part) (k int, ok bool) {
	comps := r.order.components(q)
	if len(comps) != 1 || !r.engine.c.own[comps[0]] {
		return 0, false
	}
	return comps[0], true
}

// solve sets the direction of some parts to the solution of their equations, and positive to whether these are
// positive.
func (r *run) solve(ctx context.Context, parts []int, at []partDescent, positive []bool) error {
	own := slices.DeleteFunc(slices.Clone(parts), func(c int) bool {
		_, ok := r.own(r.order.parts[c])
		return !ok
	})
	if len(own) > 0 {
		r.choose(own, steps)
		r.chosen.parameter = func(k int) float64 { return at[r.order.of[k]].Damping }
		r.chosen.hold = func(k int) bool { return at[r.order.of[k]].Stage > 0 }
		if err := r.compute(ctx, nil); err != nil {
			return err
		}
	}
	r.each(parts, func(l *factor, c int) {
		q := r.order.parts[c]
		if k, ok := r.own(q); ok {
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
	if slices.ContainsFunc(parts, func(c int) bool { _, ok := r.own(r.order.parts[c]); return !ok }) {
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

// parallel calls f for each number below n, on all processors. Each of them is a worker with a number of its own.
func parallel(n int, f func(worker, k int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	few := max(1, min(64, n/max(1, 16*workers))) // numbers that a worker takes at a time
	for worker := range workers {
		wg.Go(func() {
			for end := int(next.Add(int64(few))); end-few < n; end = int(next.Add(int64(few))) {
				for k := end - few; k < min(end, n); k++ {
					f(worker, k)
				}
			}
		})
	}
	wg.Wait()
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
