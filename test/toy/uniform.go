package toy

import (
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

func init() {
	methods.Register(func() solvers.Solver {
		return methods.FromHost(solvers.Traits{Name: "uniform", About: "the best of uniform points", Uniform: true},
			func(at methods.Start) methods.Search { return &uniform{Start: at} })
	})
}

type uniform struct {
	methods.Start
	drawn struct{ Points int }
}

func (u *uniform) State() any { return &u.drawn }
func (u *uniform) Next(eval func(points ...[]float64) []float64) (more bool) {
	u.drawn.Points++
	eval(u.Uniform(u.drawn.Points))
	return true
}
