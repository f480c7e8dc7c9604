// Package relay lets methods work on a problem in turn, each from the best point of those before it.
package relay

import (
	"cmp"
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Relay runs some methods in turn, until none of them finds anything better:
//
//	for round = 0, 1, 2, …:
//	   for every method of the round:
//	      x = the best point of the method, which begins at x, if it is better     // a leg
//	until Patience rounds in a row have found nothing better, or a method knows that nothing is better
//
// The methods of a round are the same in each round, with schedules that become longer: what suits a problem gets at
// least its share of the time, whatever the problem and the limits are. A leg ends when its method ends by itself, or
// when none of its steps fits into the limit of evaluations, which applies to the work. An endless leg ends when it has
// made as much work as the last leg that ended by itself, or, if it is the first one, a tenth of what the second needs
// to begin.
type Relay struct {
	Patience int // a run ends after this many rounds that found nothing better; 0: 4

	name, about string
	rounds      func(p problems.Problem) Rounds
}

// Rounds returns the methods of a round, from 0 on. All rounds have the same number of methods, which take the same
// problems.
type Rounds func(round int) []Leg

// Leg is a method that takes its turn.
type Leg struct {
	solvers.Solver
	Lasts float64 // work of a turn, as a multiple of that of the last turn that ended by itself; 0: it ends by itself
}

const usualPatience = 4

// New returns a relay. A run calls rounds once.
func New(name, about string, rounds func(p problems.Problem) Rounds) *Relay {
	return &Relay{name: name, about: about, rounds: rounds}
}

// Name returns the name that New got.
func (m *Relay) Name() string { return m.name }

// String returns all settings in the form that solvers.Configure parses.
func (m *Relay) String() string { return solvers.Spell(m) }

// About describes the method for help.
func (m *Relay) About() string { return m.about }

// Settings returns the only setting, Patience.
func (m *Relay) Settings() []solvers.Setting {
	return []solvers.Setting{solvers.Int("patience", "a run ends after this many rounds that found nothing better",
		&m.Patience, 1, 1<<20, usualPatience)}
}

// Validate checks the settings.
func (m *Relay) Validate() error { return solvers.CheckSettings(m) }

// Suits returns why one of the methods does not take p.
func (m *Relay) Suits(p problems.Problem, prec problems.Precision) error {
	for _, leg := range m.rounds(p)(0) {
		if err := leg.Validate(); err != nil {
			return err
		}
		if err := solvers.Suits(leg.Solver, p, prec); err != nil {
			return err
		}
	}
	return nil
}

// Limits returns those of the first method.
func (m *Relay) Limits(p problems.Problem, prec problems.Precision) solvers.Limits {
	return limits(m.rounds(p)(0)[0], p, prec)
}

func limits(m Leg, p problems.Problem, prec problems.Precision) solvers.Limits {
	if l, ok := m.Solver.(solvers.Limiter); ok {
		return l.Limits(p, prec)
	}
	return solvers.Limits{Starts: 1, Step: 1}
}

// Plan returns the memory of the method that needs most, since only one has memory at a time.
func (m *Relay) Plan(p problems.Problem, prec problems.Precision) (most shard.Plan) {
	for _, leg := range m.rounds(p)(0) {
		if plan := leg.Plan(p, prec); bytes(plan) > bytes(most) {
			most = plan
		}
	}
	return most
}

func bytes(plan shard.Plan) (n int64) {
	for _, item := range plan.Items {
		n += item.Bytes
	}
	return n
}

// Start begins the first leg. The kernels of the others are built when their turn comes; the clock of the run stands
// still then.
func (m *Relay) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run, error) {
	rounds := m.rounds(p)
	r := &run{rounds: rounds, p: p, g: g, s: s, size: len(rounds(0)), patience: cmp.Or(m.Patience, usualPatience)}
	r.Before.Best, r.Sample.Best = math.Inf(1), math.Inf(1)
	r.Turns = make([]turns, r.size)
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	return r, nil
}
