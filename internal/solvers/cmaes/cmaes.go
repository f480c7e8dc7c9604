// Package cmaes implements an evolution strategy that learns the shape of a valley, for functions of few variables of
// which nothing but values is known.
package cmaes

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/internal/solvers/search"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// CMAES is the evolution strategy with covariance matrix adaptation, with active updates and two populations
// (Hansen and Ostermeier 2001, doi:10.1162/106365601750190398; Hansen 2009, doi:10.1145/1570256.1570333; the numbers
// are those of Hansen 2016, arXiv:1604.00772):
//
//	a strategy: a mean m, a step size s, a matrix C; in the unit cube
//	   repeat: L points m + s·N(0, C); m moves to the better half of them, C learns from all, s from the path of m
//	   until it has converged, C is nearly singular, or nothing is gained for long
//	repeat, for r = 0, 1, 2, …, 9 and from 0 on again:
//	   one strategy with L = 2^r times the population, from a uniform mean with s = 0.3
//	   at the same time, in as many evaluations, strategies with L and s drawn between those and small ones
//
// In the first round there is only one strategy. It begins at the start point if there is one, with s = 0.1. Hansen's
// BIPOP runs one strategy after the other; here both kinds make a generation at a time, so that devices get larger
// batches. Points outside of the box are folded back into it, as in the program pycma.
//
// A generation takes some n² operations of the host for each point. The zero value of each field means its default.
type CMAES struct {
	Population int // points of a generation of a first strategy; 0: 4 + 3 ln n
}

// mostVars is the largest number of variables.
const mostVars = 1000

func (m *CMAES) traits() solvers.Traits {
	return solvers.Traits{
		Name: "cmaes",
		About: `CMA-ES (Hansen): an evolution strategy that learns the shape of a valley, with restarts of large
and small populations. It asks for values of whole points, and needs no slopes: for functions of some ten or hundred
variables with kinks, penalties or steps.`,
		Settings: []solvers.Setting{solvers.Int("population", "points of a generation; auto: 4 + 3 ln n",
			&m.Population, 4, 1<<16, 0)},
		Suits: m.suits, Limits: m.limits,
	}
}

func (m *CMAES) suits(p problems.Problem, _ problems.Precision) error {
	if err := solvers.Continuous(m, p); err != nil {
		return err
	}
	if n := p.Domain().N; n > mostVars {
		return solvers.Settingf("solver cmaes keeps a matrix of n·n numbers on the host, and takes %d variables at "+
			"most; %s has %d", mostVars, p.Spec(), n)
	}
	return nil
}

func (m *CMAES) population(n int) int { return cmp.Or(m.Population, defaultLambda(n)) }

// limits: the first step is a generation, or the start points.
func (m *CMAES) limits(p problems.Problem, _ problems.Precision) solvers.Limits {
	return solvers.Limits{Starts: math.MaxInt, Step: int64(m.population(p.Domain().N))}
}

// method returns the method whose runs are the restarts.
func (m *CMAES) method() *search.Method {
	return &search.Method{Of: m.traits(), Blind: true, Begin: func(at search.Start) search.Search {
		return &restarts{Start: at, state: state{Population: m.population(at.Domain.N)}}
	}}
}

// Traits describe CMAES.
func (m *CMAES) Traits() solvers.Traits { return m.method().Traits() }

// Plan returns the memory of some points on one device.
func (m *CMAES) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return m.method().Plan(p, prec)
}

// Start places the problem on the first device.
func (m *CMAES) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	return m.method().Start(ctx, p, g, s)
}
