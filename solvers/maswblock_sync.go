package solvers

import (
	"context"
	"math"
)

// blockSyncRun goes through the phases of the synchronous algorithm: a Step is
// one generation, or one evaluation of local search of every individual, in all
// blocks.
type blockSyncRun struct {
	engine     *blockEngine
	iterations int
	state      blockSyncState
}

// blockSyncState is all that a run remembers beside the populations.
type blockSyncState struct {
	Sample     Sample
	Generation uint32
	LocalStep  uint32
	Phase      int // steps done in the current cycle, 0 to 2·iterations-1
}

func newBlockSyncRun(e *blockEngine, iterations int) *blockSyncRun {
	r := &blockSyncRun{engine: e, iterations: iterations}
	r.state.Sample.Best = math.Inf(1)
	return r
}

func (r *blockSyncRun) Step(ctx context.Context, limit int64) (Sample, bool, error) {
	n := int64(r.engine.shape.n)
	if limit < n {
		return r.state.Sample, false, nil
	}
	if err := ctx.Err(); err != nil {
		return r.state.Sample, false, err
	}
	next := r.state
	if err := r.advance(ctx, &next); err != nil {
		return r.state.Sample, false, err
	}
	f, nonFinite, err := r.engine.best(ctx)
	if err != nil {
		return r.state.Sample, false, err
	}
	next.Sample.add(n, f, nonFinite)
	r.state = next
	return next.Sample, true, nil
}

func (r *blockSyncRun) advance(ctx context.Context, s *blockSyncState) error {
	if s.Sample.Step == 0 {
		return r.engine.populate(ctx)
	}
	if s.Phase < r.iterations {
		if err := r.engine.generation(s.Generation); err != nil {
			return err
		}
		s.Generation++
	} else {
		if s.Phase == r.iterations {
			if err := r.engine.start(); err != nil {
				return err
			}
		}
		if err := r.engine.search(s.LocalStep, 1, r.engine.shape.n); err != nil {
			return err
		}
		s.LocalStep++
	}
	if s.Phase++; s.Phase == 2*r.iterations {
		s.Phase = 0
	}
	return nil
}

// add counts a step of n evaluations by blocks, after which f is the best value.
func (s *Sample) add(n int64, f float64, nonFinite int64) {
	s.Step++
	s.Evaluations += n
	s.Work = float64(s.Evaluations)
	s.NonFinite = nonFinite
	s.F = math.Inf(1)
	if finite(f) {
		s.F = f
	}
	s.Best = min(s.Best, s.F)
}

func (r *blockSyncRun) Incumbent(x []float64) error { return r.engine.incumbent(x) }

func (r *blockSyncRun) Info() Info { return r.engine.info() }

func (r *blockSyncRun) Close() { r.engine.close() }

// generation makes the children of all individuals of all blocks, and puts the
// best in the places of the worst.
func (e *blockEngine) generation(when uint32) error {
	n := e.shape.n
	if err := e.pl.Rounds(&e.paces.children, 1, false, func(s, tile0, tiles, _, _ int) error {
		o := e.on[s]
		return e.groups(e.kernels.children, s, n, tile0, tiles, e.tables(s, o.childAcc.Arg(), o.mate, when)...)
	}); err != nil {
		return err
	}
	if err := e.pl.Rounds(&e.paces.survive, 1, false, func(s, tile0, tiles, _, _ int) error {
		o := e.on[s]
		return e.groups(e.kernels.survive, s, 1, tile0, tiles, o.childAcc.Arg(), o.take)
	}); err != nil {
		return err
	}
	pieces := (e.shape.used + 3 + e.writeVars - 1) / e.writeVars
	return e.pl.Rounds(&e.paces.write, 1, false, func(s, tile0, tiles, _, _ int) error {
		o := e.on[s]
		return e.groups(e.kernels.write, s, pieces, tile0, tiles, o.mate, o.take, when)
	})
}

// start sets the step sizes of the individuals that have none.
func (e *blockEngine) start() error {
	return e.pl.Rounds(&e.paces.begin, 1, false, func(s, tile0, tiles, _, _ int) error {
		return e.groups(e.kernels.begin, s, e.shape.n, tile0, tiles)
	})
}
