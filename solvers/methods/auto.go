package methods

import (
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/problems/hostmem"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// AutoSummary describes in one sentence what Auto chooses.
const AutoSummary = "the method that suits what the problem declares; a run says which one, and why"

// Auto chooses a method for a problem: that of the first row of the table whose properties p has, if it takes p and the
// budget. The method may have settings other than its defaults. The reason completes the sentence "NAME, because …",
// and names the published method if the chosen one is not published. No other function chooses a method. prec and
// budget are those of the run; a zero budget has no limit. A method for which the host has too little memory is not
// chosen, and the reason says so.
func Auto(p problems.Problem, prec problems.Precision, budget solvers.Budget) (m solvers.Solver, reason string) {
	r, m, remark := chosen(p, prec, budget)
	return m, r.reason + remark
}

// chosen returns the row that applies to p, its method, and a remark on methods for which the host is too small. If
// the method of no row takes p and the budget they are those of the last row that applies, whose error says why.
func chosen(p problems.Problem, prec problems.Precision, budget solvers.Budget) (r row, m solvers.Solver,
	remark string) {
	has := propertiesOf(p, budget)
	for _, next := range table {
		if next.when&^has != 0 {
			continue
		}
		r, m = next, next.method()
		s := solvers.Settings{Precision: prec, Budget: budget}
		fitted := solvers.Fit(m, p, budget, nil)
		if solvers.Suits(m, p, prec) != nil || solvers.Check(p, s, fitted) != nil {
			continue
		}
		err := fitsHost(m, p)
		if err == nil {
			return r, m, remark
		}
		remark = "; " + err.Error()
	}
	return r, m, ""
}

// fitsHost returns an error if the host has too little memory for a method.
func fitsHost(m solvers.Solver, p problems.Problem) error {
	if t := m.Traits(); t.HostPlan != nil {
		return hostmem.Check("method "+t.Name, shard.SizeOf(t.HostPlan(p)))
	}
	return nil
}

// meanReads returns the mean number of variables that a component of p reads.
func meanReads(p problems.Problem) float64 {
	s := p.Structure()
	return s.MeanTouched() * float64(s.Variables()) / float64(s.Components())
}

// hasSlopes reports whether the text of p is understood, so that lbfgs has exact gradients, and has no steps, between
// which these say nothing.
func hasSlopes(p problems.Problem) bool {
	trees, _ := problems.TreesOf(p, problems.FP64)
	class, known := problems.ClassOf(p)
	return trees != nil && known && class.Kind() != smooth.Stepped
}

// hasKinks reports whether the text of p is understood and has kinks, which lbfgs rounds.
func hasKinks(p problems.Problem) bool {
	trees, _ := problems.TreesOf(p, problems.FP64)
	class, known := problems.ClassOf(p)
	return trees != nil && known && class.Kind() == smooth.Kinked
}

// limited reports whether the value of p may bend up in one of several sums, as with a penalty for a limit. The slopes
// of such a penalty are 0 or so large that other sums do not count, so descents come to the limit and stay there.
// Sweeps find the Lagrange multiplier of the limit.
func limited(p problems.Problem) bool {
	return p.Linear() == nil && p.Accumulators() > 1 && problems.BendsUp(p)
}
