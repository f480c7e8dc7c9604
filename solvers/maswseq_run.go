package solvers

import (
	"context"
	"math"
)

// chainsEngine holds the populations of MA-SW-Chains, one for each block, and
// does to all of them what the phases ask: on the host for one block, on
// devices for many. An evaluation is one candidate of every block.
type chainsEngine interface {
	// populate draws and evaluates the individuals.
	populate(ctx context.Context) error
	// evolve makes count evaluations of evolution, numbered from when on.
	evolve(ctx context.Context, when uint32, count int) error
	// begin chooses who is improved, in cycle number cycle.
	begin(ctx context.Context, cycle uint32) error
	// improve makes count evaluations of local search, numbered from when on.
	improve(ctx context.Context, when uint32, count int) error
	// end keeps what was improved, or marks it.
	end(ctx context.Context) error
	// best is the value of the best point so far, in the midst of a local
	// search as well, and how many values were not finite.
	best(ctx context.Context) (f float64, nonFinite int64, err error)
	// incumbent writes the point of that value.
	incumbent(x []float64) error
	info() Info
	close()
}

// stepEvaluations is how many evaluations one Step of MA-SW-Chains makes at
// most: 50, fewer from a million variables on. A step is not interrupted.
func stepEvaluations(dim int) int64 { return int64(min(max(5e7/dim, 1), 50)) }

// chainsRun goes through the phases of MA-SW-Chains.
type chainsRun struct {
	engine     chainsEngine
	n          int   // individuals
	most       int64 // evaluations of a Step
	iterations int
	ratio      float64
	state      chainsState
}

// chainsState is all that a run remembers beside its engine's populations.
type chainsState struct {
	Sample   Sample
	Evolved  int64 // E_ea
	Searched int64 // E_ls
	Cycle    uint32
	Phase    chainsPhase
	Left     int64 // evaluations left in the phase
}

type chainsPhase int

const (
	phasePopulate chainsPhase = iota
	phaseEvolve
	phaseSearch
)

func newChainsRun(e chainsEngine, dim, n, iterations int, ratio float64) *chainsRun {
	r := &chainsRun{engine: e, n: n, most: stepEvaluations(dim), iterations: iterations, ratio: ratio}
	r.state.Sample.Best = math.Inf(1)
	return r
}

// share is how many evaluations of evolution come next, so that it has its
// ratio when a local search has followed.
func (r *chainsRun) share(s *chainsState) int64 {
	all := float64(s.Evolved + s.Searched + int64(r.iterations))
	return max(0, int64(math.Floor((r.ratio*all-float64(s.Evolved))/(1-r.ratio))))
}

func (r *chainsRun) Step(ctx context.Context, limit int64) (Sample, bool, error) {
	s := &r.state
	need := int64(1)
	if s.Phase == phasePopulate {
		need = int64(r.n)
	}
	if limit < need {
		return s.Sample, false, nil
	}
	count := max(need, min(limit, r.most, s.Left))
	if err := ctx.Err(); err != nil {
		return s.Sample, false, err
	}
	next := *s
	if err := r.advance(ctx, &next, int(count)); err != nil {
		return s.Sample, false, err
	}
	f, nonFinite, err := r.engine.best(ctx)
	if err != nil {
		return s.Sample, false, err
	}
	next.Sample.add(count, f, nonFinite)
	*s = next
	return next.Sample, true, nil
}

// advance makes count evaluations of the phase at hand and goes to the next
// phase where it ends.
func (r *chainsRun) advance(ctx context.Context, s *chainsState, count int) error {
	switch s.Phase {
	case phasePopulate:
		if err := r.engine.populate(ctx); err != nil {
			return err
		}
	case phaseEvolve:
		if err := r.engine.evolve(ctx, uint32(s.Evolved), count); err != nil {
			return err
		}
		s.Evolved += int64(count)
		s.Left -= int64(count)
	case phaseSearch:
		if err := r.engine.improve(ctx, uint32(s.Searched), count); err != nil {
			return err
		}
		s.Searched += int64(count)
		s.Left -= int64(count)
	}
	if s.Left > 0 {
		return nil
	}
	if s.Phase == phaseSearch {
		if err := r.engine.end(ctx); err != nil {
			return err
		}
	}
	if s.Phase != phaseEvolve {
		s.Phase = phaseEvolve
		if s.Left = r.share(s); s.Left > 0 {
			return nil
		}
	}
	if err := r.engine.begin(ctx, s.Cycle); err != nil {
		return err
	}
	s.Cycle++
	s.Phase, s.Left = phaseSearch, int64(r.iterations)
	return nil
}

func (r *chainsRun) Incumbent(x []float64) error { return r.engine.incumbent(x) }

func (r *chainsRun) Info() Info { return r.engine.info() }

func (r *chainsRun) Close() { r.engine.close() }
