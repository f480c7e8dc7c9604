package solvers

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/shard/trial"
)

// Adapted returns the method that works when m is run on p. If the variables of p have different intervals and m takes
// a single interval for all variables, it is m on variables from 0 to 1 (problems.Normalized). Otherwise it is m.
func Adapted(m Solver, p problems.Problem, prec problems.Precision) Solver {
	if p.Domain().OneBox() || suits(m, p, prec) == nil {
		return m
	}
	if q := problems.Normalized(p); suits(m, q, prec) == nil {
		return normalized{m, q}
	}
	return m
}

// Plan returns the memory that a run of m on p allocates on the devices. A text without a host reference is tried
// before the run and at its best point, when the run has released its memory; the plan says what that takes beyond it.
func Plan(m Solver, p problems.Problem, prec problems.Precision) shard.Plan {
	plan := Adapted(m, p, prec).Plan(p, prec)
	if _, hosted := p.(problems.Referenced); !hosted {
		if more := trial.Bytes(p, prec) - plan.Total(); more > 0 {
			plan.Items = append(plan.Items, shard.PlanItem{What: "trial of the text, beyond the rest", Bytes: more,
				Fixed: true})
		}
	}
	return plan
}

// normalized is a method that works on a normalized problem. Its Plan and Start are called with the original.
type normalized struct {
	Solver
	p problems.NormalizedProblem
}

// Plan returns the memory of the method.
func (m normalized) Plan(_ problems.Problem, prec problems.Precision) shard.Plan {
	return m.Solver.Plan(m.p, prec)
}

// Start begins a run of the method.
func (m normalized) Start(ctx context.Context, _ problems.Problem, g *shard.Devices, s Setup) (Run, error) {
	starts := s.X0
	s.X0 = nil
	for _, x := range starts {
		s.X0 = append(s.X0, m.p.Normalize(x))
	}
	r, err := m.Solver.Start(ctx, m.p, g, s)
	if err != nil {
		return nil, err
	}
	return normalizedRun{r, m.p}, nil
}

// normalizedRun is a run on a normalized problem.
type normalizedRun struct {
	Run
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
func (r normalizedRun) Ended() bool { return ended(r.Run) }

// Finite returns the number of parts that have a finite value.
func (r normalizedRun) Finite() int64 { return finite(r.Run) }

// Ahead reports whether the device has made steps before Step returns their samples.
func (r normalizedRun) Ahead() bool { return ahead(r.Run) }
