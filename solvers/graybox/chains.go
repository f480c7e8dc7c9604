package graybox

import (
	"context"
	"math"

	"github.com/clopt/clopt/solvers"
)

// chainsEngine holds the populations of MA-SW-Chains, one for each part, and carries out the phases on
// them: on the host for one part, on devices for one or many. An evaluation is one candidate of every part
// of the current colour. Methods that change populations in place take no context, because a run must
// always hold a complete step.
type chainsEngine interface {
	// populate draws and evaluates the individuals.
	populate(ctx context.Context) error
	// evolve makes count evaluations of evolution. Their numbers begin at when.
	evolve(when uint32, count int) error
	// turn begins the turn of a colour. With one colour it does nothing.
	turn(colour int) error
	// begin chooses the individual to improve in the given cycle.
	begin(cycle uint32) error
	// improve makes count evaluations of local search. Their numbers begin at when.
	improve(when uint32, count int) error
	// end stores the improved individual, or marks the individual.
	end() error
	// best returns the value of the best point so far, also during a local search, and the number of values
	// that were not finite.
	best(ctx context.Context) (f float64, nonFinite int64, err error)
	// incumbent writes that point to x.
	incumbent(x []float64) error
	// state returns the state of the engine, together with that of the run.
	state(run *chainsState) *solvers.State
	info() solvers.Info
	close()
}

// chainsCosts is the cost of an engine's operations. The unit is chosen so that a value of the whole point
// costs total. Parts that have components in common have different colours, which move in turn.
type chainsCosts struct {
	total      int64
	populate   int64
	turn       []int64 // the beginning of the turn of a colour
	evaluation []int64 // one evaluation of the parts of a colour
	report     int64   // best
}

// oneCost returns the costs of n individuals whose parts have no components in common.
func oneCost(n int) chainsCosts {
	return chainsCosts{total: 1, populate: int64(n), turn: []int64{0}, evaluation: []int64{1}}
}

// mostCounted is the largest number of evaluations of a phase, because the counter of the draws has 32
// bits. A run ends there.
const mostCounted = math.MaxUint32

// stepEvaluations returns the largest number of evaluations of one Step of MA-SW-Chains: 50, or fewer from
// a million variables on. A step is not interrupted.
func stepEvaluations(dim int) int64 { return int64(min(max(5e7/dim, 1), 50)) }

// chainsRun runs the phases of MA-SW-Chains.
type chainsRun struct {
	engine     chainsEngine
	costs      chainsCosts
	most       int64 // largest number of evaluations of a Step
	iterations int
	ratio      float64
	state      chainsState
}

// chainsState is the state of a run besides the populations of its engine.
type chainsState struct {
	Sample   solvers.Sample
	Units    int64 // cost so far, in the unit of chainsCosts
	Evolved  int64 // E_ea of the current colour
	Searched int64 // E_ls
	Before   int64 // E_ea when the turn began
	Cycle    uint32
	Colour   int
	Phase    chainsPhase
	Left     int64 // evaluations left in the phase
}

type chainsPhase int

const (
	phasePopulate chainsPhase = iota
	phaseTurn                 // the turn of a colour begins
	phaseEvolve
	phaseSearch
)

func newChainsRun(e chainsEngine, dim int, costs chainsCosts, iterations int, ratio float64) *chainsRun {
	r := &chainsRun{engine: e, costs: costs, most: stepEvaluations(dim), iterations: iterations, ratio: ratio}
	r.state.Sample.Best = math.Inf(1)
	return r
}

// share returns the number of evaluations of the next phase of evolution. After the local search that
// follows it, evolution has its ratio of the evaluations.
func (r *chainsRun) share(s *chainsState) int64 {
	all := float64(s.Evolved + s.Searched + int64(r.iterations))
	return max(0, int64(math.Floor((r.ratio*all-float64(s.Evolved))/(1-r.ratio))))
}

func (r *chainsRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return r.state.Sample, false, err
	}
	// This is the rest of the limit in units. It counts from the evaluations of the sample, which are rounded
	// up.
	room := int64(math.MaxInt64)
	if c := r.costs; limit < (math.MaxInt64-r.state.Units)/c.total-r.state.Sample.Evaluations {
		room = (r.state.Sample.Evaluations+limit)*c.total - r.state.Units
	}
	next := r.state
	done, err := r.advance(ctx, &next, room-r.costs.report)
	if err != nil || !done {
		return r.state.Sample, false, err
	}
	f, nonFinite, err := r.engine.best(context.WithoutCancel(ctx)) // work that was done is counted
	if err != nil {
		return r.state.Sample, false, err
	}
	next.Units += r.costs.report
	all := (next.Units + r.costs.total - 1) / r.costs.total
	next.Sample.Add(all-next.Sample.Evaluations, f, nonFinite)
	next.Sample.Work = float64(next.Units) / float64(r.costs.total)
	r.state = next
	return next.Sample, true, nil
}

// counted returns the evaluations of the current phase so far, over all its turns.
func (s *chainsState) counted() int64 {
	if s.Phase == phaseSearch {
		return s.Searched
	}
	return s.Evolved
}

// Ended reports whether the current phase has no draws left.
func (r *chainsRun) Ended() bool { return r.state.counted() == mostCounted }

// advance makes as many evaluations of the current phase as fit into room, at most those of a step. At the
// end of the phase it goes to the next one. If nothing fits, it does nothing and returns false.
func (r *chainsRun) advance(ctx context.Context, s *chainsState, room int64) (bool, error) {
	c := r.costs
	if s.Phase == phasePopulate {
		if room < c.populate {
			return false, nil
		}
		s.Units += c.populate
		s.Phase = phaseTurn
		return true, r.engine.populate(ctx)
	}
	began := false
	if s.Phase == phaseTurn {
		if room -= c.turn[s.Colour]; room < c.evaluation[s.Colour] {
			return false, nil
		}
		s.Units += c.turn[s.Colour]
		if err := r.engine.turn(s.Colour); err != nil {
			return false, err
		}
		began = true
		s.Before = s.Evolved
		if s.Phase, s.Left = phaseEvolve, r.share(s); s.Left == 0 {
			if err := r.beginSearch(s); err != nil {
				return false, err
			}
		}
	}
	count := min(room/c.evaluation[s.Colour], r.most, s.Left, mostCounted-s.counted())
	if count < 1 {
		return began, nil
	}
	s.Units += count * c.evaluation[s.Colour]
	s.Left -= count
	if s.Phase == phaseEvolve {
		if err := r.engine.evolve(uint32(s.Evolved), int(count)); err != nil {
			return false, err
		}
		if s.Evolved += count; s.Left > 0 {
			return true, nil
		}
		return true, r.beginSearch(s)
	}
	if err := r.engine.improve(uint32(s.Searched), int(count)); err != nil {
		return false, err
	}
	if s.Searched += count; s.Left > 0 {
		return true, nil
	}
	if err := r.engine.end(); err != nil {
		return false, err
	}
	s.Phase = phaseTurn
	if s.Colour++; s.Colour < len(c.turn) {
		// The evaluations of the next colour have the same numbers.
		s.Searched -= int64(r.iterations)
		s.Evolved = s.Before
		return true, nil
	}
	s.Colour = 0
	s.Cycle++
	return true, nil
}

func (r *chainsRun) beginSearch(s *chainsState) error {
	s.Phase, s.Left = phaseSearch, int64(r.iterations)
	return r.engine.begin(s.Cycle)
}

func (r *chainsRun) Incumbent(x []float64) error { return r.engine.incumbent(x) }

// State returns chainsState and the state of the engine.
func (r *chainsRun) State() *solvers.State { return r.engine.state(&r.state) }

func (r *chainsRun) Info() solvers.Info { return r.engine.info() }

func (r *chainsRun) Close() { r.engine.close() }
