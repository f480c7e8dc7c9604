package maswseq

import (
	"context"
	"math"

	"github.com/clopt/clopt/solvers"
)

// engine holds the population of MA-SW-Chains, and carries out the phases on it.
type engine interface {
	// populate draws and evaluates the individuals. It returns how many were evaluated before ctx was cancelled, the
	// first ones, of which best is until populate is called again.
	populate(ctx context.Context) (made int, err error)
	// evolve makes count evaluations of evolution. Their numbers begin at when. It returns how many were made before
	// ctx was cancelled.
	evolve(ctx context.Context, when uint32, count int) (made int, err error)
	// begin chooses the individual to improve in the given cycle.
	begin(cycle uint32) error
	// improve is evolve for evaluations of local search.
	improve(ctx context.Context, when uint32, count int) (made int, err error)
	// end stores the improved individual, or marks the individual.
	end() error
	// best returns the value of the best point so far, also during a local search, and the number of values
	// that were not finite.
	best() (f float64, nonFinite int64, err error)
	// incumbent writes that point to x.
	incumbent(first int, x []float64) error
	// state returns the state of the engine, together with that of the run.
	state(run *state) *solvers.State
	info() solvers.Info
	close()
}

// mostCounted is the largest number of evaluations of a phase, because the counter of the draws has 32
// bits. A run ends there.
const mostCounted = math.MaxUint32

// stepEvaluations returns the largest number of evaluations of one Step: 50, or fewer from a million variables on.
func stepEvaluations(dim int) int64 { return int64(min(max(5e7/dim, 1), 50)) }

// run runs the phases of MA-SW-Chains.
type run struct {
	engine     engine
	most       int64 // largest number of evaluations of a Step
	population int
	iterations int
	ratio      float64
	state      state
}

// state is the state of a run besides the population of its engine.
type state struct {
	Sample   solvers.Sample
	Evolved  int64 // E_ea
	Searched int64 // E_ls
	Cycle    uint32
	Phase    phase
	Left     int64 // evaluations left in the phase
	// A step that was cancelled has made so many evaluations, and has found this value.
	Made int64
	Now  float64
}

// now returns the value of the best point.
func (s *state) now() float64 {
	if s.Made > 0 {
		return s.Now
	}
	return s.Sample.F
}

type phase int

const (
	phasePopulate phase = iota
	phaseCycle          // a cycle begins
	phaseEvolve
	phaseSearch
)

func newRun(e engine, dim int, m *MASWSeq) *run {
	r := &run{engine: e, most: stepEvaluations(dim), population: m.population(), iterations: m.iterations(),
		ratio: m.ratio()}
	r.state.Sample.Best = math.Inf(1)
	return r
}

// share returns the number of evaluations of the next phase of evolution. After the local search that
// follows it, evolution has its ratio of the evaluations.
func (r *run) share(s *state) int64 {
	all := float64(s.Evolved + s.Searched + int64(r.iterations))
	return max(0, int64(math.Floor((r.ratio*all-float64(s.Evolved))/(1-r.ratio))))
}

func (r *run) Step(ctx context.Context, room solvers.Room) (solvers.Sample, bool, error) {
	if err := ctx.Err(); err != nil {
		return r.state.Sample, false, err
	}
	next := r.state
	done, err := r.advance(ctx, &next, room.Evaluations)
	if cancelled := err != nil && next.Made > 0; cancelled {
		s := next.Sample
		f, nonFinite, e := r.engine.best()
		if s.Add(next.Made, f, nonFinite); e != nil {
			return r.state.Sample, false, e
		}
		if s.Step--; next.Phase != phasePopulate { // which begins anew
			r.state, r.state.Now = next, f
		}
		return s, false, err
	}
	if err != nil || done == 0 {
		return r.state.Sample, false, err
	}
	f, nonFinite, err := r.engine.best()
	if err != nil {
		return r.state.Sample, false, err
	}
	next.Sample.Add(done, f, nonFinite)
	r.state = next
	return next.Sample, true, nil
}

// counted returns the evaluations of the current phase so far, in all cycles.
func (s *state) counted() int64 {
	if s.Phase == phaseSearch {
		return s.Searched
	}
	return s.Evolved
}

// advance makes at most limit evaluations of the current phase, and at most those of a step. At the end of the phase it
// goes to the next one. It returns the number of evaluations. If ctx is cancelled, s.Made has those of the step so far.
func (r *run) advance(ctx context.Context, s *state, limit int64) (done int64, err error) {
	switch s.Phase {
	case phasePopulate:
		if limit < int64(r.population) {
			return 0, nil
		}
		made, err := r.engine.populate(ctx)
		s.Made = int64(made)
		if err != nil {
			return 0, err
		}
		s.Phase, s.Made = phaseCycle, 0
		return int64(made), nil
	case phaseCycle:
		if limit < 1 {
			return 0, nil
		}
		s.Phase, s.Left = phaseEvolve, r.share(s)
		if s.Left == 0 {
			if err := r.beginSearch(s); err != nil {
				return 0, err
			}
		}
	}
	count := min(limit, r.most, s.Left, mostCounted-s.counted())
	if count < 1 {
		return 0, nil
	}
	phase, first := r.engine.improve, s.Searched
	if s.Phase == phaseEvolve {
		phase, first = r.engine.evolve, s.Evolved
	}
	made, err := phase(ctx, uint32(first+s.Made), int(max(0, count-s.Made)))
	s.Made += int64(made)
	if err != nil {
		return 0, err
	}
	s.Made, s.Left = 0, s.Left-count
	if s.Phase == phaseEvolve {
		s.Evolved += count
		if s.Left > 0 {
			return count, nil
		}
		return count, r.beginSearch(s)
	}
	s.Searched += count
	if s.Left > 0 {
		return count, nil
	}
	s.Phase = phaseCycle
	s.Cycle++
	return count, r.engine.end()
}

func (r *run) beginSearch(s *state) error {
	s.Phase, s.Left = phaseSearch, int64(r.iterations)
	return r.engine.begin(s.Cycle)
}

func (r *run) Incumbent(first int, x []float64) error { return r.engine.incumbent(first, x) }

// State returns the state of the run and that of its engine.
func (r *run) State() *solvers.State { return r.engine.state(&r.state) }

// Info describes the layout. A run has ended when its current phase has no draws left.
func (r *run) Info() solvers.Info {
	info := r.engine.info()
	info.Ended = r.state.counted() == mostCounted
	return info
}

func (r *run) Close() { r.engine.close() }
