package graybox

import (
	"context"
	"math"

	"github.com/clopt/clopt/solvers"
)

// syncRun runs the phases of the synchronous algorithm. A Step is some generations, or some evaluations of
// local search of every individual, in all parts. It does not go beyond the end of a phase.
type syncRun struct {
	engine     *partEngine
	iterations int
	most       int // generations or evaluations of local search in a Step
	state      syncState
}

// syncState is the state of a run besides the populations.
type syncState struct {
	Sample     solvers.Sample
	Generation uint32
	LocalStep  uint32
	Phase      int // steps done in the current cycle, 0 to 2·iterations-1
}

// syncStep is the approximate number of variables that a Step of the synchronous scheme computes at least.
// Launches are then long enough, and take less than a second on two cores.
const syncStep = 1 << 24

func newSyncRun(e *partEngine, dim, iterations int) *syncRun {
	r := &syncRun{engine: e, iterations: iterations, most: min(max(syncStep/(dim*e.shape.n), 1), 100)}
	r.state.Sample.Best = math.Inf(1)
	return r
}

func (r *syncRun) Step(ctx context.Context, limit int64) (solvers.Sample, bool, error) {
	n := int64(r.engine.shape.n)
	if limit < n {
		return r.state.Sample, false, nil
	}
	if err := ctx.Err(); err != nil {
		return r.state.Sample, false, err
	}
	next := r.state
	done, err := r.advance(ctx, &next, limit/n)
	if err != nil {
		return r.state.Sample, false, err
	}
	f, nonFinite, err := r.engine.best(context.WithoutCancel(ctx)) // work that was done is counted
	if err != nil {
		return r.state.Sample, false, err
	}
	next.Sample.Add(int64(done)*n, f, nonFinite)
	r.state = next
	return next.Sample, true, nil
}

// advance evaluates every individual up to limit times, and returns how many times.
func (r *syncRun) advance(ctx context.Context, s *syncState, limit int64) (int, error) {
	if s.Sample.Step == 0 {
		return 1, r.engine.populate(ctx)
	}
	count := r.iterations - s.Phase%r.iterations // the rest of the phase
	count = int(min(int64(min(count, r.most)), limit))
	if s.Phase < r.iterations {
		if err := r.engine.generations(s.Generation, count); err != nil {
			return 0, err
		}
		s.Generation += uint32(count)
	} else {
		if s.Phase == r.iterations {
			if err := r.engine.start(); err != nil {
				return 0, err
			}
		}
		if err := r.engine.search(s.LocalStep, count, r.engine.shape.n); err != nil {
			return 0, err
		}
		s.LocalStep += uint32(count)
	}
	if s.Phase += count; s.Phase == 2*r.iterations {
		s.Phase = 0
	}
	return count, nil
}

func (r *syncRun) Incumbent(x []float64) error { return r.engine.incumbent(x) }

func (r *syncRun) Info() solvers.Info { return r.engine.info() }

func (r *syncRun) Close() { r.engine.close() }

// generations makes count generations, numbered from when on: children of all individuals of all parts, the
// best of which replace the worst individuals.
func (e *partEngine) generations(when uint32, count int) error {
	pieces := (e.shape.used + 3 + e.writeVars - 1) / e.writeVars
	return e.pl.Rounds(&e.paces.evolve, count, false, func(s, tile0, tiles, from, rounds int) error {
		o, n := e.on[s], e.shape.n
		for k := range uint32(rounds) {
			now := when + uint32(from) + k
			if err := e.groups(e.kernels.children, s, e.pl.Groups(s, n), tile0, tiles,
				e.tables(s, o.childAcc.Arg(), o.mate, now)...); err != nil {
				return err
			}
			if err := e.groupsOf(e.ranking[e.pl.Shards()[s].Device], e.kernels.survive, s, 1, tile0, tiles,
				o.childAcc.Arg(), o.take); err != nil {
				return err
			}
			if err := e.groups(e.kernels.write, s, pieces, tile0, tiles, o.mate, o.take, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// start sets the step sizes of the individuals that have none.
func (e *partEngine) start() error {
	return e.pl.Rounds(&e.paces.begin, 1, false, func(s, tile0, tiles, _, _ int) error {
		return e.groups(e.kernels.begin, s, e.shape.n, tile0, tiles)
	})
}
