// Package search makes methods of searches on the host, which only ask for values of whole points. Devices compute
// these, or a function of the host does. A search knows its next step; the run around it counts evaluations, keeps the
// limits, remembers the best point, and is stored and resumed.
package search

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Search is a search on the host. New makes a method of it.
type Search interface {
	// Next makes a step, and reports whether there is another one. eval returns the values of points, +Inf where they
	// are not finite. Before, it moves the points into the box, to numbers that devices can store. It does not return
	// from a step that no longer fits into the limits, or is cancelled, as FailNow of package testing does not: an
	// error would be forgotten, and a value that nobody has computed would decide. That step is undone: a search begins
	// at the best point so far, with the state before the step.
	Next(eval Eval) (more bool)
	// State points to a struct of what the search must remember besides the best point, with fields as
	// checkpoint.Encode takes them.
	State() any
}

// Eval returns the values of points in their order. They are evaluated at the same time where that is possible, so that
// a search had better ask for many at once. The points stay those of the search.
type Eval = func(points ...[]float64) []float64

// Loaded is a Search that completes itself after what State points to was loaded. An error means damage.
type Loaded interface{ Loaded() error }

// Steady is a Search whose steps ask once, before they change anything that State points to. A step that is undone then
// leaves it as it is.
type Steady interface{ Steady() }

// Start is where a Search begins, or goes on.
type Start struct {
	Domain problems.Domain
	Key    rng.Key      // of draws, for the purposes rng.User, rng.User+1, …
	X      []float64    // the best point: at first the start point, or a uniform one; it belongs to the search
	F      float64      // its value
	Given  bool         // the run was given start points
	Room   func() int64 // how many points a step may still ask for
}

// Uniform makes X the uniform point of a number, from 1 on, and returns it.
func (s Start) Uniform(number int) []float64 {
	host.Uniform(s.Domain, s.Key, number, s.X)
	return s.X
}

// Method is a method whose runs are searches.
type Method struct {
	Of    solvers.Traits
	Begin func(at Start) Search // reads the settings of the traits
	// Blind says that searches begin without a value, with F = +Inf, if no start point is given.
	Blind bool
}

// Traits returns those of the method, which takes functions of the host.
func (m *Method) Traits() solvers.Traits {
	t := m.Of
	t.Calls = true
	return t
}

// most returns how many points of n variables a device evaluates at a time.
func most(n int) int { return min(max(1<<20/n, 1), 1024) }

// Plan returns the memory of the points that are evaluated at a time, on one device.
func (m *Method) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return shard.Plan{Items: device.StoredItems(p, prec, most(p.Domain().N))}
}

// Start places the problem on the first device.
func (m *Method) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	plans, err := g.Fit(ctx, m.Plan(p, s.Precision), p, s.Precision)
	if err != nil {
		return nil, err
	}
	stored, err := device.PlaceStored(g, p, s.Precision, []int{1}, most(p.Domain().N))
	if err != nil {
		return nil, err
	}
	d := p.Domain().In(s.Precision)
	r := &run{p: p, domain: d, setup: s, stored: stored, method: m, info: solvers.Info{Plans: plans}}
	r.X = make([]float64, d.N)
	host.Uniform(d, s.Key, 0, r.X)
	r.Sample.Best = math.Inf(1)
	return r, nil
}
