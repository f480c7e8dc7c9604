package methods

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// AutoSummary describes in one sentence what Auto chooses.
const AutoSummary = "the usual choice: masw; gomea for graphs"

// Auto chooses a method for a problem, with all defaults. The reason completes the sentence "masw, because
// …". No other function chooses a method. prec and budget are those of the run; a zero budget has no limit.
func Auto(p problems.Problem, prec problems.Precision, budget solvers.Budget) (m solvers.Solver, reason string) {
	name, reason := "masw", "the variables are real numbers"
	if p.Domain().Binary {
		name, reason = "gomea", "the variables are 0 or 1"
	}
	m, err := plain(name)
	if err != nil {
		panic(err) // the name is always known
	}
	return m, reason
}
