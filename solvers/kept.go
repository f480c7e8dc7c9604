package solvers

import (
	"fmt"

	"github.com/clopt/clopt/internal/solvers/samples"
	"github.com/clopt/clopt/problems"
)

// validate returns an error unless p has the points that k asks for.
func (k Keep) validate(p problems.Problem) error {
	switch {
	case k.Points < 0 || k.Points > mostKept:
		return Settingf("Keep.Points is %d; use 0 to %d", k.Points, mostKept)
	case k.Distance < 0:
		return Settingf("Keep.Distance is %d; use 0 or more", k.Distance)
	case k.Points == 0:
		return nil
	}
	if _, ok := p.(problems.Cut); !ok {
		return Settingf("%s has no different points to keep: that is for problems of graphs, whose variables are 0 "+
			"and 1. Leave --keep out", p.Spec())
	}
	if n := p.Domain().N; k.Distance > n {
		return Settingf("points cannot differ in %d of %d variables. Use a smaller distance", k.Distance, n)
	}
	return nil
}

// keep finds the best different points. If one of them is better than the best point of the run, it takes its place.
func (r *Result) keep(p problems.Problem, s Settings) error {
	c, ok := p.(problems.Cut)
	if !ok || s.Keep.Points == 0 || r.X == nil {
		return nil
	}
	sign := p.Info().Sign()
	r.Kept = nil
	for _, k := range samples.Best(c, r.X, samples.Wanted(s.Keep), s.Key) {
		f, _ := k.Value.Float64()
		r.Kept = append(r.Kept, Kept{k.X, sign * f, k.Count})
	}
	if len(r.Kept) == 0 {
		return nil
	}
	x := make([]float64, len(r.X))
	for i, v := range r.Kept[0].X {
		x[i] = float64(v)
	}
	if excess, exact := problems.Excess(p, r.X, x); exact && excess > 0 {
		f, err := problems.Eval(c, x)
		if err != nil {
			return fmt.Errorf("solvers: %w", err)
		}
		r.X, r.F = x, f
	}
	return nil
}
