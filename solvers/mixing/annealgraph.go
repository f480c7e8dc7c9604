package mixing

import (
	"cmp"
	"context"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// AnnealGraph is simulated annealing on graphs (Kirkpatrick, Gelatt and Vecchi 1983, doi:10.1126/science.220.4598.671,
// with the rule of Metropolis), by classes of vertices:
//
//	repeat, with twice the sweeps each time: for all chains, from random partitions
//	   for each sweep s, T from T0 down to T0/10, then T = 0 until a sweep flips nothing:
//	      for each class of vertices that are not neighbours, all vertices v at once:
//	         g = change of the cut by flipping v;  flip if g >= T·ln(u), u uniform; at T = 0 if g > 0
//	      up to 512 times, if the graph has more than two edges for each vertex:
//	         some chains of small cuts become copies of chains of larger ones (population annealing)
//
// The gains of a class do not depend on each other, so the result is exact, in whole numbers, and the same for any
// number of work-items and devices. T0 is half to three quarters of the temperature at which a random graph of the same
// degrees and weights freezes. If weights are small whole numbers, 32 chains are annealed at once, each in one bit of a
// word, and share their draws. On a dense graph, each chain keeps the gains of all vertices. Chains are dealt to the
// devices. Each tried flip is a move, and a sweep of a chain is the work of two evaluations. Start points are evaluated
// first, and the best one is kept. The zero value of each field means its default.
type AnnealGraph struct {
	// Chains is the number of chains that anneal together. 0 means 128 at first, or fewer on more than 65,536 vertices
	// but at least 32, and twice as many at each restart, up to 8192.
	Chains  int
	Sweeps  int    // number of sweeps of the first chains; 0 means 100
	Variant string // as in GOMEA
}

// Plan returns the memory of the graph and the chains.
func (a *AnnealGraph) Plan(p problems.Problem, prec problems.Precision) shard.Plan {
	return a.gomea().Plan(p, prec)
}

// Traits describe annealing of graphs.
func (a *AnnealGraph) Traits() solvers.Traits {
	return solvers.Traits{
		Name: "annealgraph",
		About: `simulated annealing on graphs for maxcut, qubo and ising: many chains, dealt to the devices, that
restart with twice the sweeps each time; vertices that are not neighbours are decided at once.`,
		Settings: a.settings(),
		Suits:    a.gomea().suits, Limits: a.gomea().limits,
	}
}

// settings returns a setting for each field.
func (a *AnnealGraph) settings() []solvers.Setting {
	return []solvers.Setting{
		solvers.Int("chains", "chains that anneal together; auto: 128, or fewer on a large graph, and twice as many "+
			"at each restart, up to 8192", &a.Chains, 2, 1<<20, 0),
		solvers.Int("sweeps", "sweeps of the first chains; each restart doubles them", &a.Sweeps, 1,
			1<<24, defaultAnnealSweeps),
		solvers.Word("variant", "parallel (on the devices), serial (on one core of the host)", &a.Variant, "parallel",
			"serial"),
	}
}

// defaultAnnealSweeps is the default of Sweeps.
const defaultAnnealSweeps = 100

// gomea returns a GOMEA whose populations are annealed and never mixed.
func (a *AnnealGraph) gomea() *GOMEA {
	sweeps := cmp.Or(a.Sweeps, defaultAnnealSweeps)
	return &GOMEA{Population: a.Chains, Sweeps: sweeps, Variant: a.Variant, Local: "sa", Linkage: "univariate",
		unmixed: true}
}

// Start begins a run. Nothing is drawn before the first step.
func (a *AnnealGraph) Start(ctx context.Context, p problems.Problem, g *shard.Devices, s solvers.Setup) (solvers.Run,
	error) {
	run, err := a.gomea().Start(ctx, p, g, s)
	if err != nil {
		return nil, err
	}
	r := run.(*gomeaRun)
	if r.info.Units > 0 {
		r.info.UnitNames = "chains"
	}
	return r, nil
}
