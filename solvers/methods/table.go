package methods

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/solvers/slope"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

// properties are what a problem and the limits of a run have, of all that the table asks for.
type properties uint

const (
	graph properties = 1 << iota
	bits
	realValued
	linear
	curved
	slopes
	everywhere
	whole
	separate
	joined
	inner
	squares
	equations
	few
	many
	differentiable
	small
	evals
	called
	flat
)

// words has the words of docs/auto.md for each property, in the order of the constants.
var words = []string{
	"graph", "bits", "real variables", "g linear", "g not linear", "follows slopes", "a value everywhere", "whole",
	"parts", "one part", "inner sums", "squares", "squares in parts", "few reads", "many reads",
	"smooth", "n ≤ 5000", "only `--evals`", "function of the host",
	"`--gtol`",
}

// String returns the properties in words, separated by commas.
func (s properties) String() string {
	var list []string
	for i, w := range words {
		if s>>i&1 == 1 {
			list = append(list, w)
		}
	}
	return strings.Join(list, ", ")
}

// fewReads is the largest mean number of variables of a component for which sweeps are fast.
const fewReads = 10

// propertiesOf returns all properties of p and of the limits of its run.
func propertiesOf(p problems.Problem, budget solvers.Budget) (has properties) {
	if p.Domain().Binary {
		if _, ok := p.(problems.Cut); ok {
			return graph
		}
		return bits
	}
	if problems.CallOf(p) != nil {
		return called
	}
	s := p.Structure()
	parts := problems.SeparateParts(p)
	reads := meanReads(p)
	bent := p.Linear() == nil
	has = realValued | set(curved, bent) | set(slopes, problems.FollowsSlopes(p)) | set(whole, s.Whole()) |
		set(squares, s.Squares(0) > 0) | set(small, p.Domain().N <= mostSequential) |
		set(evals, budget.Evaluations > 0 && budget.Time == 0) | set(flat, budget.GTol > 0)
	if bent {
		return has | set(everywhere, problems.ShapeOf(p).Everywhere)
	}
	return has | linear | set(separate, parts > 1) | set(joined, parts == 1 && s.Inner() == 0) |
		set(inner, parts == 1 && s.Inner() > 0) | set(few, reads <= fewReads) | set(many, reads > fewReads) |
		set(differentiable, reads > fewReads && slope.Smooth(p)) |
		set(equations, reads > 1 && separateSquares(p)) // parts of one variable need no equations
}

// set returns s where it holds.
func set(s properties, holds bool) properties {
	if holds {
		return s
	}
	return 0
}

// row says which method Auto chooses for what, and why.
type row struct {
	when   properties
	method func() solvers.Solver
	reason string
}

const (
	published  = "; a published method on whole points is -s masw"
	sharing    = "a sum over parts that share components" + published
	shared     = "the function is " + sharing
	smoothly   = "the function is smooth, and " + sharing
	fewChange  = "a change of one variable changes few components"
	bySlopes   = "the value follows its slopes in sums over parts that share no components" + published
	everything = "every component may read every variable"
	unfit      = "no method that uses the structure of the function suits it and the limits"
	whichFew   = ", which are few"
	mates      = "; the published algorithm has mates=3"
)

// table has the methods for a problem; the first one that takes it is the best one known. Where g is not linear parts
// come first only if there is a value everywhere, since a part may leave the sums at which there is one. An evaluation
// of a sweep takes less time than one of graybox, and gains less.
var table = []row{
	{graph, mixed, "the problem is a graph; a published method is -s gomea"},
	{bits, uniform, "the variables are 0 or 1, and the problem is not a graph"},
	{called, descentsAndCrossings, "nothing but values of the function is known"},
	{called, uniform, "the limit of evaluations is below what other methods need to begin"},
	{linear | equations, descentsAndCrossings,
		"the function is a sum of squares over parts that share no components" + published},
	{linear | separate, searchParts, "the function is a sum over parts that share no components" + published},
	{linear | inner, searchParts, "components are functions of sums" + published},
	{linear | squares, descentsAndCrossings, "the function is a sum of squares" + published},
	{whole, descentsAndCrossings, everything},
	{whole, searchParts, everything + whichFew},
	{whole | small, sequential, everything},
	{whole, randomMates, everything + mates},
	{curved | slopes | everywhere, searchParts, bySlopes},
	{curved, descentsAndCrossings, fewChange},
	{curved | slopes, searchParts, bySlopes},
	{curved, annealBySweeps, fewChange},
	{joined, searchParts, "the components join all variables into one part" + whichFew},
	{many | differentiable, descentsAndCrossings, smoothly},
	{many, searchParts, shared},
	{many, descentsAndCrossings, shared},
	{few, descentsAndCrossings, fewChange},
	{few | evals, searchParts, shared},
	{few, annealBySweeps, fewChange},
	{realValued | flat, descents, "a limit of the slope ends a method that follows gradients"},
	{realValued | small, sequential, unfit},
	{realValued, randomMates, unfit + mates},
}

func mixed() solvers.Solver          { return &mixing.GOMEA{Local: "sa"} }
func uniform() solvers.Solver        { return &random.Random{} }
func descents() solvers.Solver       { return &lbfgs.LBFGS{} }
func searchParts() solvers.Solver    { return &graybox.Graybox{} }
func annealBySweeps() solvers.Solver { return &anneal.SA{Variant: "sweeps"} }
func sequential() solvers.Solver     { return &maswseq.MASWSeq{} }

// tableText returns the rows from which Auto chooses as a table in Markdown: what a problem has, the method and its
// settings, the reason.
func tableText() string {
	var b strings.Builder
	b.WriteString("| problem, limits | method | because |\n|---|---|---|\n")
	for _, r := range table {
		m := r.method()
		changes, err := Changes(m)
		if err != nil {
			panic(err) // the methods of the table are registered
		}
		name := strings.Join(append([]string{m.Traits().Name}, changes...), " ")
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", r.when, name, r.reason)
	}
	return b.String()
}
