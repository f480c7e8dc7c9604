package graybox

import (
	"context"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Independent runs of a problem of one tile share launches. To the devices they are the tiles of one
// problem (see repeated). In a kernel, each part finds its variables in the only tile of its run
// (PART_RUNS).

// partRuns is several runs that share launches.
type partRuns struct {
	solvers.Run
	engine *partEngine
}

// Ended reports whether the runs have ended. All end at the same step.
func (r partRuns) Ended() bool {
	e, ok := r.Run.(solvers.Ending)
	return ok && e.Ended()
}

func (r partRuns) Values() (f []float64, nonFinite []int64) {
	return r.engine.f, r.engine.nonFinite
}

func (r partRuns) IncumbentOf(run int, x []float64) error { return r.engine.incumbentOf(run, x) }

// alone returns p in the form in which decisions about it are made, and the shape of its parts. It returns
// false unless p has one tile.
func (m *Graybox) alone(p problems.Problem, prec problems.Precision) (problems.Problem, partShape, bool) {
	p, parts, err := m.grained(p)
	if err != nil || p.Tiling().Tiles() > 1 || p.Tiling().Whole {
		return nil, partShape{}, false
	}
	if !p.Domain().OneBox() {
		return nil, partShape{}, false
	}
	b, err := m.shape(p, parts, prec)
	return p, b, err == nil
}

// BatchSize returns solvers.MaxBatch for problems of one tile, and otherwise 1.
func (m *Graybox) BatchSize(p problems.Problem, prec problems.Precision) int {
	if host, err := m.onHost(p, prec); err != nil || host {
		return 1
	}
	if _, _, ok := m.alone(p, prec); !ok {
		return 1
	}
	return solvers.MaxBatch
}

// StartBatch starts several runs that share launches. See solvers.Batcher.
func (m *Graybox) StartBatch(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	runs int) (solvers.Batch, error) {
	p, b, _ := m.alone(p, s.Precision)
	b.runs, b.total = runs, runs
	starts := s.X0
	s.X0 = nil
	for _, x := range starts {
		s.X0 = append(s.X0, slices.Repeat(x, runs))
	}
	all := repeat(p, runs)
	run, err := m.startShape(ctx, all, all, g, s, b)
	if err != nil {
		return nil, err
	}
	r := partRuns{Run: run}
	switch run := run.(type) {
	case *syncRun:
		r.engine = run.engine
	case *chainsRun:
		r.engine = run.engine.(*partEngine)
	}
	return r, nil
}
