package methods

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/multistart"
	"github.com/clopt/clopt/solvers/random"
)

// AutoSummary describes in one sentence what Auto chooses.
const AutoSummary = "the method that suits what the problem declares; a run says which one, and why"

// choice is a method that Auto may choose.
type choice struct {
	method solvers.Solver
	reason string
}

// mostSequential is the largest number of variables for which one chain of local searches on whole points is better
// than a population that moves together.
const mostSequential = 5000

// Auto chooses a method for a problem. The method may have settings other than its defaults. The reason completes the
// sentence "NAME, because …", and names the published method if the chosen one is not published. No other function
// chooses a method. prec and budget are those of the run; a zero budget has no limit.
func Auto(p problems.Problem, prec problems.Precision, budget solvers.Budget) (m solvers.Solver, reason string) {
	all := choices(p)
	for _, c := range all {
		if solvers.Suits(c.method, p, prec) == nil &&
			solvers.Check(p, solvers.Settings{Precision: prec, Budget: budget}, solvers.Fit(c.method, p, budget, nil)) == nil {
			return c.method, c.reason
		}
	}
	return all[0].method, all[0].reason // its own error says what is wrong with p or the budget
}

// choices returns the methods for p, the best one first.
func choices(p problems.Problem) []choice {
	const published = "; the published algorithm is -s masw"
	var (
		parts = choice{&multistart.Multistart{}, "the function is a sum over parts that have no component in common" +
			published}
		chained    = choice{&graybox.Graybox{Grain: 1}, "the function is a sum over parts that share components" + published}
		sweeps     = choice{&anneal.SA{Variant: "sweeps"}, "a change of one variable changes few components"}
		sequential = choice{&graybox.Graybox{Parts: 1}, "every component may read every variable, and they are few"}
		population = choice{&masw.MASW{}, "every component may read every variable"}
	)
	d, s := p.Domain(), p.Structure()
	switch {
	case d.Binary:
		return []choice{
			{&mixing.GOMEA{Local: "sa"}, "the problem is a cut of a graph; the published algorithm is -s gomea"},
			{&random.Random{}, "the variables are 0 or 1, and the problem is not a cut of a graph"},
		}
	case !d.OneBox():
		return []choice{{&anneal.SA{}, "each variable has an interval of its own"}}
	case s.Whole() && d.N > mostSequential:
		return []choice{population, sequential}
	case s.Whole():
		return []choice{sequential, population}
	case p.Linear() == nil:
		return []choice{sweeps, population}
	}
	return []choice{parts, chained, sweeps, population}
}
