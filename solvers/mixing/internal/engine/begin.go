package engine

import (
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// effort is what new individuals may cost.
type effort struct {
	annealing *host.Annealing // nil if they are not annealed
	cost      int64           // of an evaluation from scratch
	serial    bool            // on the host
	form      Form
}

// looksEvery is the number of steps of annealing between two evaluations of the individuals. They are also evaluated
// after the first and the last step.
const looksEvery = 16

// perIndividual returns the most edges that are evaluated for each of n new individuals.
func (c effort) perIndividual(n int) int64 {
	a := c.annealing
	switch {
	case c.serial:
		return c.cost*int64(1+a.Selections()) + a.Most()
	case a == nil:
		return c.cost
	}
	return a.Most() + c.cost*int64(len(a.Temps)/(looksEvery*c.form.sweepsOfStep(a, n))+2+a.Selections())
}

// sweepsOfStep returns the number of sweeps of one step for a population of n.
func (f Form) sweepsOfStep(a *host.Annealing, n int) int {
	if f.Block > 0 {
		return f.Block
	}
	return a.Step(n)
}

// First tells what a first population costs on the graph of s, before the kernels for it are built.
type First struct{ effort }

// Begins returns what first populations of m cost. serial says that they are made on the host.
func (m *Method) Begins(s *host.Shape, serial bool) First {
	return First{effort{m.newAnnealing(s, rng.Key{}), host.Cost(s.Graph), serial, m.Form}}
}

// Edges returns the most edges that are evaluated for a first population. The sweeps do not count if it is not
// annealed.
func (f First) Edges(size host.Size) int64 {
	if f.annealing != nil {
		f.annealing.Cool(size.Sweeps)
	}
	return int64(size.Chains) * f.perIndividual(size.Chains)
}
