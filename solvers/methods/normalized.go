package methods

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// normalized is a method that takes one interval for all variables, for problems in which each has its own. It works on
// problems.Normalized.
type normalized struct{ solvers.Solver }

// normalizable reports whether normalized takes p.
func normalizable(p problems.Problem) bool {
	_, ok := problems.Normalized(p)
	return ok
}

// Suits returns why the method does not take p.
func (m normalized) Suits(p problems.Problem, prec problems.Precision) error {
	q, ok := problems.Normalized(p)
	if !ok {
		return solvers.CheckOneBox(m, p)
	}
	return solvers.Suits(m.Solver, q, prec)
}

// Limits returns those of the method.
func (m normalized) Limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	q, _ := problems.Normalized(p)
	return m.Solver.(solvers.Limiter).Limits(q, prec)
}

// Plan returns the memory of the method.
func (m normalized) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	q, _ := problems.Normalized(p)
	return m.Solver.Plan(q, prec)
}

// Start begins a run of the method.
func (m normalized) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	q, _ := problems.Normalized(p)
	starts := s.X0
	s.X0 = nil
	for _, x := range starts {
		s.X0 = append(s.X0, q.Normalize(x))
	}
	r, err := m.Solver.Start(ctx, q, g, s)
	if err != nil {
		return nil, err
	}
	return normalizedRun{r, q}, nil
}

// normalizedRun is a run on a normalized problem.
type normalizedRun struct {
	solvers.Run
	p problems.NormalizedProblem
}

// Incumbent writes the best point so far, as one of the original.
func (r normalizedRun) Incumbent(first int, x []float64) error {
	if err := r.Run.Incumbent(first, x); err != nil {
		return err
	}
	copy(x, r.p.Original(first, x))
	return nil
}

// Ended reports whether the run has ended by itself.
func (r normalizedRun) Ended() bool {
	e, ok := r.Run.(solvers.Ending)
	return ok && e.Ended()
}
