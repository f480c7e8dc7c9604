package lm

import (
	"context"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems/rng"
)

// redraws is the most often that variables are drawn again at the beginning of a descent.
const redraws = 32

// redraw draws the variables again that are read by components without a finite value, in parts of which no finite
// value is known, until all have one. A sum over many parts is hardly ever finite at a uniform point, even if each of
// them is in most of its box. The last values of the components at the point are those of chosen. The work is at most
// room, in values of whole points.
func (r *run) redraw(ctx context.Context, at point, parts []partDescent, room float64) error {
	st, d := &r.state, r.p.Domain()
	odd := make([]int, 0, len(parts))
	for try := uint32(1); try <= redraws; try++ {
		odd = filter(odd, len(parts), func(c int) (int, bool) {
			return c, !host.Finite(at.F[c]) && !host.Finite(st.Best.F[c])
		})
		if len(odd) == 0 {
			return nil
		}
		parallel(len(odd), func(_, j int) {
			for _, k := range r.order.components(r.order.parts[odd[j]]) {
				if host.Finite(r.chosen.answers[r.chosen.at[k]]) {
					continue
				}
				for _, i := range r.engine.c.variables(k) {
					lo, hi := d.Interval(i)
					u := rng.Uniform(r.s.Key.Word(uint32(i), try, uint32(st.Episode), rng.Init))
					at.X[i] = min(max(lo+u*(hi-lo), lo), hi)
				}
			}
		})
		r.choose(odd, 1)
		cost := r.chosen.used.cost
		if room -= float64(cost) / float64(r.engine.c.cost); room < 0 {
			return nil
		}
		if err := r.compute(ctx, at.X); err != nil {
			return err
		}
		r.count(cost)
		for _, c := range odd {
			at.F[c] = host.Infinite(r.squares(r.order.parts[c], 0), &st.Sample.NonFinite)
			parts[c] = partDescent{On: host.Finite(at.F[c]) && at.F[c] > 0, Damping: 1}
		}
	}
	return nil
}
