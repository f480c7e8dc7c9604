package methods

import (
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/hostmem"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

// AutoSummary describes in one sentence what Auto chooses.
const AutoSummary = "the method that suits what the problem declares; a run says which one, and why"

// choice is a method that Auto may choose.
type choice struct {
	method solvers.Solver
	reason string
}

// fewReads is the largest mean number of variables of a component for which sweeps are fast.
const fewReads = 10

// Auto chooses a method for a problem. The method may have settings other than its defaults. The reason completes the
// sentence "NAME, because …", and names the published method if the chosen one is not published. No other function
// chooses a method. prec and budget are those of the run; a zero budget has no limit. A method for which the host has
// too little memory is not chosen, and the reason says so.
func Auto(p problems.Problem, prec problems.Precision, budget solvers.Budget) (m solvers.Solver, reason string) {
	all, small := choices(p, budget), ""
	for _, c := range all {
		s := solvers.Settings{Precision: prec, Budget: budget}
		fitted := solvers.Fit(c.method, p, budget, nil)
		if solvers.Suits(c.method, p, prec) != nil || solvers.Check(p, s, fitted) != nil {
			continue
		}
		err := fitsHost(c.method, p)
		if err == nil {
			return c.method, c.reason + small
		}
		small = "; " + err.Error()
	}
	last := all[len(all)-1] // its error says what is wrong with p or the budget
	return last.method, last.reason
}

// fitsHost returns an error if the host has too little memory for a method.
func fitsHost(m solvers.Solver, p problems.Problem) error {
	if h, ok := m.(solvers.HostPlanner); ok {
		return hostmem.Check("method "+m.Name(), shard.SizeOf(h.HostPlan(p)))
	}
	return nil
}

// choices returns the methods for p, the best one first.
func choices(p problems.Problem, budget solvers.Budget) []choice {
	const (
		published  = "; a published method on whole points is -s masw"
		shared     = "the function is a sum over parts that share components" + published
		few        = "a change of one variable changes few components"
		joined     = "the components join all variables into one part"
		everything = "every component may read every variable"
		unfit      = "no method that uses the structure of the function suits it and the limits"
	)
	clusters := choice{&graybox.Graybox{}, shared}
	turns := choice{descentsAndCrossings(), few}
	sweeps := choice{&anneal.SA{Variant: "sweeps"}, few}
	d, s, parts := p.Domain(), p.Structure(), partsOf(p)
	reads := meanReads(p)
	var separate, squares []choice
	switch {
	case parts > 1:
		separate = []choice{{&graybox.Graybox{},
			"the function is a sum over parts that share no components" + published}}
		if reads > 1 && separateSquares(p) { // parts of one variable need no equations
			separate = slices.Insert(separate, 0, choice{descentsAndCrossings(),
				"the function is a sum of squares over parts that share no components" + published})
		}
	case parts == 1 && s.Inner() > 0:
		separate = []choice{{&graybox.Graybox{}, "components are functions of sums" + published}}
	case s.Squares(0) > 0 && parts == 0 && reads <= fewReads && !s.Whole():
		squares = []choice{{descentsAndCrossings(),
			"the function is a sum of squares that share variables" + published}}
	case s.Squares(0) > 0:
		squares = []choice{{descentsAndCrossings(), "the function is a sum of squares" + published}}
	}
	wholePoints := func(reason string) []choice {
		all := []choice{{&graybox.Graybox{}, reason + ", which are few"}, {descentsAndCrossings(), reason}}
		if d.N <= mostSequential {
			all = append(all, choice{&maswseq.MASWSeq{}, reason})
		}
		return append(all, choice{randomMates(), reason + "; the published algorithm has mates=3"})
	}
	switch {
	case d.Binary:
		if _, graph := p.(problems.Cut); !graph {
			return []choice{{&random.Random{}, "the variables are 0 or 1, and the problem is not a graph"}}
		}
		return []choice{{&mixing.GOMEA{Local: "sa"}, "the problem is a graph; a published method is -s gomea"}}
	case s.Whole() && !problems.FollowsSlopes(p):
		return wholePoints(everything)[1:]
	case s.Whole():
		return slices.Concat(squares, []choice{{descentsAndCrossings(), everything}}, wholePoints(everything))
	case p.Linear() == nil && problems.FollowsSlopes(p):
		inParts := choice{&graybox.Graybox{}, "the value follows its slopes in sums over parts that share no " +
			"components" + published}
		if !problems.ShapeOf(p).Everywhere { // the parts may leave the sums at which there is a value
			return append([]choice{turns, inParts, sweeps}, wholePoints(unfit)...)
		}
		return append([]choice{inParts, turns, sweeps}, wholePoints(unfit)...)
	case p.Linear() == nil:
		return append([]choice{turns, sweeps}, wholePoints(unfit)[1:]...)
	case parts == 1 && s.Inner() == 0:
		return append(squares, wholePoints(joined)...)
	case reads > fewReads:
		return slices.Concat(separate, squares, []choice{clusters, {descentsAndCrossings(), shared}},
			wholePoints(unfit))
	}
	single := []choice{sweeps, clusters} // for fp32, which relay does not take
	if budget.Evaluations > 0 && budget.Time == 0 {
		single = []choice{clusters, sweeps} // an evaluation of a sweep takes less time, and gains less
	}
	return slices.Concat(separate, squares, []choice{turns}, single, wholePoints(unfit))
}

// meanReads returns the mean number of variables that a component of p reads.
func meanReads(p problems.Problem) float64 {
	s := p.Structure()
	return s.MeanTouched() * float64(s.Variables()) / float64(s.Components())
}

// limited reports whether the value of p may bend up in one of several sums, as with a penalty for a limit. The slopes
// of such a penalty are 0 or so large that other sums do not count, so descents come to the limit and stay there.
// Sweeps find the Lagrange multiplier of the limit.
func limited(p problems.Problem) bool {
	return p.Linear() == nil && p.Accumulators() > 1 && problems.BendsUp(p)
}

// partsOf returns the number of parts that share no components, or 0 if there are none.
func partsOf(p problems.Problem) int {
	if p.Structure().Whole() {
		return 0
	}
	p = problems.Gathered(p)
	parts, err := problems.PartsOf(p, 1)
	if err != nil || parts.Colours > 1 {
		return 0
	}
	return len(parts.Parts) * p.Tiling().Tiles()
}
