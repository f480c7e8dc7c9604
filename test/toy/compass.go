package toy

import (
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

func init() { methods.Register(NewCompass) }

// NewCompass returns compass search (Lewis and Torczon 2000, doi:10.1137/S1052623497331373):
//
//	repeat: for every variable i: try x + h_i e_i, then x - h_i e_i; move to the better one if it is better than x
//	        if no variable moved: h = h/2
func NewCompass() solvers.Solver {
	var first, least *float64
	begin := func() steps { return steps{H: solvers.OrReal(first, 0.25), Least: solvers.OrReal(least, 1e-9)} }
	return methods.FromHost(solvers.Traits{
		Name:  "compass",
		About: "compass search: one variable after the other, both directions, with a step that is halved",
		Settings: []solvers.Setting{
			solvers.Real("step", "first step, as a fraction of the interval", &first, 1e-12, 1, new(0.25)),
			solvers.Real("least", "smallest step, as a fraction of the interval", &least, 1e-15, 1, new(1e-9)),
		},
		Check: func() error {
			if s := begin(); s.Least > s.H {
				return solvers.Settingf("least=%g is above step=%g", s.Least, s.H)
			}
			return nil
		},
	}, func(at methods.Start) methods.Search { return &compass{at, begin()} })
}

type compass struct {
	methods.Start // X is the best point so far, and F its value
	steps
}

type steps struct {
	H, Least float64
	At       int  // the variable that is next
	Moved    bool // a variable of this round has moved
}

func (c *compass) State() any { return &c.steps }
func (c *compass) Next(eval func(points ...[]float64) []float64) (more bool) {
	lo, hi := c.Domain.Interval(c.At)
	was, to := c.X[c.At], c.X[c.At]
	for _, h := range []float64{c.H, -c.H} {
		c.X[c.At] = was + h*(hi-lo)
		if f := eval(c.X)[0]; f < c.F {
			c.F = f
			to = c.X[c.At]
			c.Moved = true
		}
	}
	c.X[c.At] = to
	c.At = (c.At + 1) % len(c.X)
	if c.At == 0 && !c.Moved {
		c.H /= 2
	}
	c.Moved = c.Moved && c.At > 0
	return c.H >= c.Least
}
