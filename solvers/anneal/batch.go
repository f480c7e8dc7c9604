package anneal

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Independent runs of V1 and V2 share launches. The groups of a run follow each other on one device. Chains
// are numbered within their run, use the draws of their run, and exchange only within it (groups in
// kernels/solvers/anneal/chains.cl).

// Limits for runs that are made together: the number of their chains, and the bytes of their points.
const (
	mostChains = 1 << 20
	mostPoints = 1 << 30
)

// batchSize returns the number of runs that share launches. It is 1 for V0, sweeps and a local minimizer.
func (m *SA) batchSize(p problems.Problem, prec problems.Precision) int {
	m = m.of(p)
	if m.variant() == "v0" || m.variant() == "sweeps" || m.local() != "none" ||
		solvers.CheckPartial(m, p, prec) != nil {
		return 1
	}
	chains := (m.chains() + chainGroup - 1) / chainGroup * chainGroup
	return max(1, min(solvers.MaxBatch, mostChains/chains, mostPoints/(chains*p.Domain().N*prec.Bits()/8)))
}

// startBatch starts runs that share launches.
func (m *SA) startBatch(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	runs int) (solvers.Batch, error) {
	m = m.of(p)
	return m.startDevices(ctx, p, g, s, runs)
}

// Samples returns the sample of each run.
func (r *saRun) Samples() (all []solvers.Sample) {
	for _, st := range r.runs {
		all = append(all, st.Sample)
	}
	return all
}

// IncumbentOf is Incumbent for one of several runs.
func (r *saRun) IncumbentOf(run, first int, x []float64) error {
	copy(x, r.runs[run].X[first:])
	return nil
}
