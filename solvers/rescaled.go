package solvers

import (
	"context"
	"math"

	"github.com/clopt/clopt/internal/problems/rescale"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// Adapted returns the method that works when m is run on p. If intervals of variables are wide, as with bounds of
// ±1e20, it is m on their logarithmic scale (rescale.Logarithmic). If the variables have different intervals and m
// takes a single interval for all variables, it is m on variables from 0 to 1 (rescale.Normalized). Otherwise it is m.
func Adapted(m Solver, p problems.Problem, prec problems.Precision) Solver {
	wide := !p.Domain().Binary && rescale.Wide(p.Domain())
	for k, q := range scales(p) {
		if suits(m, q, prec) != nil {
			continue
		}
		if r, ok := q.(rescale.Problem); ok && (wide || k > 0) { // or it is p itself, which is on another scale already
			return rescaled{m, r, wide}
		}
		break
	}
	return m
}

// scales returns a problem on the scales on which a method may work, the first one that it takes.
func scales(p problems.Problem) (all []problems.Problem) {
	switch d := p.Domain(); {
	case d.Binary:
		return []problems.Problem{p}
	case rescale.Wide(d):
		all = append(all, rescale.Logarithmic(p))
	default:
		all = append(all, p)
	}
	if !all[0].Domain().OneBox() {
		all = append(all, rescale.Normalized(p))
	}
	return all
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

// rescaled is a method that works on a problem on another scale. Its Plan and Start are called with the original.
type rescaled struct {
	Solver
	p    rescale.Problem
	wide bool // the original has wide intervals
}

// Traits returns those of the method, which makes one run at a time: the start points of each are drawn by its key.
func (m rescaled) Traits() Traits {
	t := m.Solver.Traits()
	t.BatchSize, t.StartBatch = nil, nil
	return t
}

// Plan returns the memory of the method.
func (m rescaled) Plan(_ problems.Problem, prec problems.Precision) shard.Plan {
	return m.Solver.Plan(m.p, prec)
}

// Start begins a run of the method. Uniform points say little about a wide interval, so points near 0 are start points,
// too.
func (m rescaled) Start(ctx context.Context, of problems.Problem, g *shard.Devices, s Setup) (Run, error) {
	starts := s.X0
	s.X0 = nil
	for _, x := range starts {
		s.X0 = append(s.X0, m.p.Rescale(x))
	}
	if m.wide {
		s.X0 = append(s.X0, m.near(of.Domain(), s)...)
	}
	r, err := m.Solver.Start(ctx, m.p, g, s)
	if err != nil {
		return nil, err
	}
	return rescaledRun{r, m.p}, nil
}

// near returns further start points for wide intervals, up to as many as the method keeps side by side: the point that
// is nearest to 0 if there are no others, and points near it.
func (m rescaled) near(d problems.Domain, s Setup) (starts [][]float64) {
	const (
		most   = 1 << 22 // numbers of all points
		reach  = 16      // of the first points on the scale; it doubles from one to the next, and begins again
		scales = 4
	)
	count := LimitsOf(m.Solver, m.p, s.Precision).Starts
	if count == math.MaxInt {
		count = 1
	}
	for k := len(s.X0); k < min(count, max(1, most/d.N)); k++ {
		x := rescale.Nearest(d)
		if k > 0 {
			x = m.p.Near(math.Ldexp(reach, k%scales), func(i int) float64 {
				return rng.Uniform(s.Key.Word(uint32(i), uint32(k), 0, rng.Init))
			})
		}
		starts = append(starts, m.p.Rescale(x))
	}
	return starts
}

// rescaledRun is a run on a problem on another scale.
type rescaledRun struct {
	Run
	p rescale.Problem
}

// Incumbent writes the best point so far, as one of the original.
func (r rescaledRun) Incumbent(first int, x []float64) error {
	if err := r.Run.Incumbent(first, x); err != nil {
		return err
	}
	copy(x, r.p.Original(first, x))
	return nil
}
