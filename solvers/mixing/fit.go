package mixing

import (
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// The numbers of edges that processors are assumed to evaluate in a second of annealing, and those of dense graphs, of
// which most are not read. Other devices are faster by a factor.
const (
	edgesOfCPU      = 1 << 29
	denseEdgesOfCPU = 1 << 32
	fasterThanCPU   = 64
)

// The first population of a graph of at most 65,536 vertices on devices that are no processors, which anneal so many
// chains about as fast as 128. Where chains reach the optimum on their own, or partitions are mixed, more of them reach
// it sooner: on dense graphs, on those of at least manyEdges edges for each vertex, and on those that are not selected.
// On others, such as almost planar ones, more sweeps do.
const (
	chainsOfDevices = 1024
	denseOfDevices  = 512
	manyEdges       = 8
)

// Fit returns m, or a copy of m with another first population: a larger one for devices that are no processors, or a
// smaller one of fewer sweeps if annealing it takes more than half of a limit of time. It assumes speeds and measures
// nothing, so that a run has the same population each time.
func (m *GOMEA) Fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	c, ok := p.(problems.Cut)
	if !ok || !m.grows() || m.start > 0 || m.Variant == "serial" {
		return m
	}
	g, fitted := m.searched(c).Graph(), *m
	chains, speed, least := m.first(g.N()), float64(edgesOfCPU), host.ChainsPerWord
	if host.KeepsFields(g) {
		speed, least = denseEdgesOfCPU, 2
	}
	if !slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		speed *= fasterThanCPU
		switch {
		case chains < defaultFirst:
		case host.KeepsFields(g):
			chains = denseOfDevices
		case g.M() >= manyEdges*g.N() || !host.Selective(g):
			chains = chainsOfDevices
		}
	}
	fitted.start = chains
	usual := float64(m.sweeps())
	if sweeps := b.Time.Seconds() / 2 * speed / (2 * float64(host.Cost(g))); b.Time > 0 && m.Sweeps == 0 &&
		sweeps < usual*float64(chains) { // sweeps of one chain fit
		fitted.start = int(max(float64(least), min(float64(chains), sweeps/usual)))
		fitted.Sweeps = int(max(1, min(usual, sweeps/float64(fitted.start))))
	}
	return &fitted
}
