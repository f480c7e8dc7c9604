package anneal

import (
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Independent runs of V1 and V2 share launches. The groups of a run follow each other on one device. They
// number their chains and draw by their own run, and exchange only within it (SA_RUN_GROUPS in
// kernels/solvers/anneal/chains.cl).

// Limits for runs that are made together: their chains, and the bytes of their points.
const (
	mostChains = 1 << 20
	mostPoints = 1 << 30
)

func (m *SA) BatchSize(p problems.Problem, prec problems.Precision) int {
	m = m.of(p)
	if solvers.CheckPartial(m, p, prec) != nil || m.variant() == "v0" || m.variant() == "sweeps" || m.local() != "none" {
		return 1
	}
	chains := (m.chains() + chainGroup - 1) / chainGroup * chainGroup
	return max(1, min(solvers.MaxBatch, mostChains/chains, mostPoints/(chains*p.Domain().N*prec.Bits()/8)))
}

func (m *SA) StartBatch(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup,
	runs int) (solvers.Batch, error) {
	m = m.of(p)
	return m.startDevices(ctx, p, g, s, runs)
}

func (r *saRun) Values() (f []float64, nonFinite []int64) {
	for _, st := range r.runs {
		f, nonFinite = append(f, st.Sample.F), append(nonFinite, st.Sample.NonFinite)
	}
	return f, nonFinite
}

func (r *saRun) IncumbentOf(run int, x []float64) error {
	copy(x, r.runs[run].X)
	return nil
}
