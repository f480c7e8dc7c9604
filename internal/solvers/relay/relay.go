// Package relay is a portfolio of methods, which work on a problem in turn, each from the best point of those before
// it.
package relay

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Relay is a portfolio. It runs some methods, its searches, in turn, until none of them finds anything better:
//
//	repeat:
//	   k = the search with the least Turns_k + min(behind, the doublings from its rate to the largest one)
//	   x = the best point of search k after its next turn, if it is better; it begins at x, or goes on
//	   rate_k = what the best value fell by in its last two turns, per work
//	until nothing better has been found for long, or a method knows that nothing is better
//
// The turns of a search become longer, each about twice as long as the one before. So a search that gains half as much
// per work as the best one is one turn behind, and as no search is more than some turns behind, what suits a problem
// gets its share of the time, whatever the problem and the limits are. Searches that gain nothing, or only the last
// digits of the value, take their turns one after the other. Gains are counted per work, not per time, so a run has the
// same turns each time.
//
// A turn ends when its method ends by itself, or when none of its steps fits into the limit of evaluations. That of an
// endless method has a length (Leg.Lasts), and that of a method that may creep ends when it does (Leg.Pace). Then
// the method ends, too, unless it stays (Leg.Stays): it goes on in its next turn if its own best value is no further
// above that of the run than it fell by in its last turn. So a long descent is not lost when others try, too.
//
// A run ends when it has worked Patience times as long as until its last gain, and every search has had a turn since.
// One that begins at the best point of others (solvers.Setup.Spent) works at least as long as they did without a gain.
type Relay struct {
	Patience int // a run ends when it has worked so many times as long as until its last gain; 0: 4

	name, about string
	rounds      func(p problems.Problem) Rounds
}

// Rounds returns the methods, each for its turn of that number, from 0 on. There are always the same searches, whose
// methods take the same problems.
type Rounds func(turn int) []Leg

// Leg is a method that takes its turn.
type Leg struct {
	solvers.Solver
	// Lasts is the work of a turn, as a multiple of the longest one of the last turns of searches that have no such
	// length. Until one has ended, it is a multiple of what the most demanding search needs to begin, twice as much in
	// each turn. 0: it ends by itself.
	Lasts float64
	// Pace is the least one of the best value of the run. If the value falls more slowly, the turn ends, too.
	Pace Pace
	// Share is the part of the time left to which a schedule of the method is fitted. 0: all of it.
	Share float64
	Stays bool // the method keeps its memory while others work, and may go on
	// Own means that the method stays, begins at points of its own and always goes on from them, however far above the
	// best point it is: a population that takes the best point of a descent is drawn into its valley. It is at most one
	// turn behind.
	Own bool
	// Optional means that the others take the problem alone if this method does not.
	Optional bool
}

// stays reports whether the method keeps its memory while others work.
func (l Leg) stays() bool { return l.Stays || l.Own }

// Pace is how fast a value falls: by more than the share Fall of its amount in so many steps. 0 steps are no pace.
type Pace struct {
	Steps int
	Fall  float64
}

const defaultPatience = 4

// New returns a relay. A run calls rounds once.
func New(name, about string, rounds func(p problems.Problem) Rounds) *Relay {
	return &Relay{name: name, about: about, rounds: rounds}
}

// Traits describe the relay.
func (m *Relay) Traits() solvers.Traits {
	return solvers.Traits{
		Name:     m.name,
		About:    m.about,
		Settings: m.settings(),
		Suits:    m.suits, Limits: m.limits, HostPlan: m.hostPlan, Slopes: m.slopes, Calls: true,
	}
}

// slopes reports whether one of the methods follows gradients on p.
func (m *Relay) slopes(p problems.Problem) bool {
	return slices.ContainsFunc(m.rounds(p)(0), func(leg Leg) bool {
		slopes := leg.Traits().Slopes
		return slopes != nil && slopes(p)
	})
}

// settings returns the only setting, Patience.
func (m *Relay) settings() []solvers.Setting {
	return []solvers.Setting{solvers.Int("patience", "a run ends when it has worked so many times as long as until "+
		"its last gain, and every search has had a turn since", &m.Patience, 1, 1<<20, defaultPatience)}
}

// roundsOf returns the rounds for p in a precision, without the optional methods that do not take it.
func (m *Relay) roundsOf(p problems.Problem, prec problems.Precision) Rounds {
	all := m.rounds(p)
	out := make([]bool, len(all(0)))
	for k, leg := range all(0) {
		out[k] = leg.Optional && solvers.Suits(leg.Solver, p, prec) != nil
	}
	return func(turn int) (legs []Leg) {
		for k, leg := range all(turn) {
			if !out[k] {
				legs = append(legs, leg)
			}
		}
		return legs
	}
}

// suits returns why one of the methods does not take p.
func (m *Relay) suits(p problems.Problem, prec problems.Precision) error {
	for _, leg := range m.roundsOf(p, prec)(0) {
		if err := solvers.Validate(leg); err != nil {
			return err
		}
		if err := solvers.Suits(leg.Solver, p, prec); err != nil {
			return err
		}
	}
	return nil
}

// limits returns those of the first method, but a step may be one of any method.
func (m *Relay) limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	legs := m.roundsOf(p, prec)(0)
	all := solvers.LimitsOf(legs[0], p, prec)
	for _, leg := range legs[1:] {
		all.Step = min(all.Step, solvers.LimitsOf(leg, p, prec).Step)
	}
	all.Moves = 0 // only some of them count moves
	return all
}

// Plan returns the memory of the methods that stay, and that of the largest other one.
func (m *Relay) Plan(p problems.Problem, prec problems.Precision) (all shard.Plan) {
	var most shard.Plan
	for _, leg := range m.roundsOf(p, prec)(0) {
		plan := solvers.Adapted(leg.Solver, p, prec).Plan(p, prec)
		switch all.Host = append(all.Host, plan.Host...); {
		case leg.stays():
			all.Items = append(all.Items, plan.Items...)
		case plan.Total() > most.Total():
			most = plan
		}
	}
	all.Items, all.Units = append(all.Items, most.Items...), most.Units
	return all
}

// hostPlan returns what the methods of a round keep in the memory of the host, as in Plan.
func (m *Relay) hostPlan(p problems.Problem) (all []shard.PlanItem) {
	for _, leg := range m.rounds(p)(0) {
		if plan := leg.Traits().HostPlan; plan != nil {
			all = append(all, plan(p)...)
		}
	}
	return all
}

// Start begins the first leg. The kernels of the others are built when their turn comes; the clock of the run stands
// still then. Which method works when follows from counted work alone, so that it does not depend on how long drivers
// compile. A method that cannot be built, or whose device disagrees with the host when its turn comes, is dropped, and
// the others go on; the last one ends the run.
func (m *Relay) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	rounds := m.roundsOf(p, s.Precision)
	legs := rounds(0)
	r := &run{rounds: rounds, p: p, g: g, s: s, patience: float64(cmp.Or(m.Patience, defaultPatience)),
		legs: make([]solvers.Run, len(legs))}
	for _, leg := range legs {
		r.unit = max(r.unit, float64(solvers.LimitsOf(leg, p, s.Precision).Step))
	}
	r.Before.Best, r.Sample.Best = math.Inf(1), math.Inf(1)
	r.Searches = make([]search, len(legs))
	var first error
	for k, none := 0, make([]bool, len(legs)); ; k = next(r.Searches, legs, none) {
		err := r.begin(ctx, k)
		if err == nil {
			return r, nil
		}
		if first = cmp.Or(first, err); !unbuilt(err) || !r.drop(k, err) {
			return nil, first
		}
	}
}
