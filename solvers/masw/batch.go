package masw

import (
	"context"

	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// Independent runs share launches. Their populations are rows of the same vectors, one run after the other, and
// every launch is over the rows of all runs. An individual is numbered within its run, uses the draws of its run, and
// its mates are of its run. The host decides about each run by itself.

// Limits for runs that are made together: the number of their individuals, and the bytes of their points and partial
// sums. One run of this size has work for all of a device. Memory has up to four times the bytes of the points: biases,
// and copies of both (see maswShard).
const (
	mostIndividuals = 1<<16 - 1
	mostBytes       = 64 << 20
)

// batchSize returns the number of runs that share launches. It is 1 for large problems.
func (m *MASW) batchSize(p problems.Problem, prec problems.Precision) int {
	dim := p.Domain().N
	n, point := m.population(dim, prec), dim*prec.Bits()/8+8*p.Tiling().Tiles()*max(p.Accumulators(), gaps)
	return max(1, min(solvers.MaxBatch, mostIndividuals/n, mostBytes/(n*point)))
}

// startBatch allocates the populations of runs that share launches. On a device that refuses them as a whole, it
// allocates pieces.
func (m *MASW) startBatch(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	runs int) (solvers.Batch, error) {
	plans, err := g.Fit(ctx, m.plan(p, s.Precision, runs), p, s.Precision)
	if err != nil {
		return nil, err
	}
	var run *maswRun
	shards, err := device.SplitUntilFits(p.Tiling(), plans, func(shards []shard.Shard) (err error) {
		run, err = m.start(p, g, s, shards, runs)
		return err
	})
	if err != nil {
		return nil, err
	}
	run.info = solvers.Info{Plans: plans, Shards: shards}
	return run, nil
}

// Samples returns the sample of each run.
func (r *maswRun) Samples() []solvers.Sample {
	all := make([]solvers.Sample, 0, r.runs)
	for _, st := range r.states {
		all = append(all, st.Sample)
	}
	return all
}

// IncumbentOf reads the best individual of a run, which always survives.
func (r *maswRun) IncumbentOf(run, first int, x []float64) error {
	if err := r.settle(); err != nil {
		return err
	}
	values, best := r.states[run].F, 0
	if r.first != nil {
		values = r.first
	}
	for j, f := range values {
		if host.Better(f, values[best]) {
			best = j
		}
	}
	row, _ := r.of(run)
	row += best
	shards := r.moves.Shards()
	return r.moves.ReadPoint(first, x, func(s, lo int, dst []float64) error {
		return r.on[s].x.Read(row*shards[s].Vars()+lo-shards[s].ReadLo, dst)
	})
}
