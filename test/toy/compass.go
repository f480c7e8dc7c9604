// Package toy adds one method and one family of problems to clopt, as a program outside of it would. It imports public
// packages only, and no other package imports it. docs/add-a-method.md and docs/add-a-problem.md explain it.
package toy

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/methods"
)

func init() { methods.Register(func() solvers.Solver { return &Compass{} }) }

// Compass is compass search (R. M. Lewis, V. Torczon: Pattern Search Methods for Linearly Constrained Minimization,
// SIAM J. Optim. 10, 2000, doi:10.1137/S1052623497331373):
//
//	x = the start point, or the middle of the box; h = Step times the interval of each variable
//	repeat: for every variable i: try x + h_i e_i, then x - h_i e_i, cut to the box; move if that is better
//	        if no variable moved: h = h/2
//
// It ends when h is below Least. One Step of a run tries both directions of one variable. The devices compute the
// values, and the host chooses the next point.
type Compass struct {
	Step  *float64 // first step, as a fraction of the interval of a variable; nil: 1/4
	Least *float64 // smallest step, as a fraction of the interval; nil: 1e-9
}

var defaultStep, defaultLeast = 0.25, 1e-9

// Traits describe compass search.
func (c *Compass) Traits() solvers.Traits {
	return solvers.Traits{
		Name:  "compass",
		About: "compass search: one variable after the other, both directions, with a step that is halved",
		Settings: []solvers.Setting{
			solvers.Real("step", "first step, as a fraction of the interval of a variable", &c.Step, 1e-12, 1,
				&defaultStep),
			solvers.Real("least", "smallest step, as a fraction of the interval", &c.Least, 1e-15, 1, &defaultLeast),
		},
		Check: c.check, Limits: limits,
	}
}

// check checks both settings together.
func (c *Compass) check() error {
	if solvers.OrReal(c.Least, defaultLeast) > solvers.OrReal(c.Step, defaultStep) {
		return solvers.Settingf("least=%g is above step=%g", *c.Least, solvers.OrReal(c.Step, defaultStep))
	}
	return nil
}

// limits: one start point, and a step evaluates two points, the first one a third.
func limits(problems.Problem, problems.Precision) solvers.Limits {
	return solvers.Limits{Starts: 1, Step: 3}
}

// Plan returns the memory of one stored point.
func (c *Compass) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return shard.Plan{Items: device.StoredItems(p, prec)}
}

// Start compiles the problem for a stored point on the first device.
func (c *Compass) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	plans, err := g.Fit(ctx, c.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	stored, err := device.PlaceStored(g, p, s.Precision, []int{1})
	if err != nil {
		return nil, err
	}
	r := &compassRun{p: p, d: p.Domain().In(s.Precision), stored: stored, least: solvers.OrReal(c.Least, defaultLeast)}
	r.info = solvers.Info{Plans: plans}
	r.state = compassState{X: make([]float64, r.d.N), H: solvers.OrReal(c.Step, defaultStep)}
	r.state.Sample.Best = math.Inf(1)
	for i := range r.state.X {
		lo, hi := r.d.Interval(i)
		r.state.X[i] = lo + (hi-lo)/2
		if len(s.X0) > 0 {
			r.state.X[i] = min(max(s.X0[0][i], lo), hi)
		}
	}
	return r, nil
}

// compassState is the state of a run.
type compassState struct {
	Sample solvers.Sample
	X      []float64
	H      float64
	Next   int  // variable
	Moved  bool // a variable of this round has moved
}

type compassRun struct {
	p      problems.Problem
	d      problems.Domain
	stored *device.StoredPoint
	least  float64
	info   solvers.Info
	state  compassState
}

// Step tries both directions of the next variable.
func (r *compassRun) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	s := &r.state
	first := s.Sample.Step == 0
	if s.H < r.least || room.Evaluations < 2 || first && room.Evaluations < 3 {
		return s.Sample, false, nil
	}
	var made []float64
	value := func() (float64, error) {
		f, err := r.stored.Value(ctx, s.X)
		made = append(made, f)
		return f, err
	}
	best := s.Sample.Best
	if first {
		f, err := value()
		if err != nil {
			return s.Sample, false, err
		}
		best = f
	}
	lo, hi := r.d.Interval(s.Next)
	was := s.X[s.Next]
	at := was
	for _, h := range []float64{s.H, -s.H} {
		s.X[s.Next] = min(max(was+h*(hi-lo), lo), hi)
		f, err := value()
		if err != nil {
			s.X[s.Next] = was
			return s.Sample, false, err
		}
		if f < best {
			best, at, s.Moved = f, s.X[s.Next], true
		}
	}
	s.X[s.Next] = at
	if s.Next++; s.Next == r.d.N {
		if !s.Moved {
			s.H /= 2
		}
		s.Next, s.Moved = 0, false
	}
	s.Sample.Add(int64(len(made)), best, s.Sample.NonFinite)
	return s.Sample, true, nil
}

// Incumbent copies the current point, which moves only to better points.
func (r *compassRun) Incumbent(first int, x []float64) error {
	copy(x, r.state.X[first:])
	return nil
}

// State returns the state of the run, which is all on the host.
func (r *compassRun) State() *solvers.State { return &solvers.State{Host: &r.state} }

// Info describes the layout of the run, which ends when the step is below the smallest one.
func (r *compassRun) Info() solvers.Info {
	info := r.info
	info.Ended = r.state.H < r.least
	return info
}

// Close releases the stored point.
func (r *compassRun) Close() { r.stored.Close() }
