package mixing

import (
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// The numbers of edges that processors are assumed to evaluate in a second of annealing, and those of dense graphs, of
// which most are not read. Other devices are faster by a factor.
const (
	edgesOfCPU      = 1 << 29
	denseEdgesOfCPU = 1 << 34
	fasterThanCPU   = 64
)

// usualSweepsOfFirst is the usual number of sweeps of the first population, which grows.
const usualSweepsOfFirst = 100

// size is that of a first population.
type size struct{ chains, sweeps int }

// startOfDevices returns the usual first population on devices that are no processors, of at most 65,536 vertices.
// Such devices anneal 1024 chains about as fast as 128. Where chains reach the optimum on their own, or partitions are
// mixed, more of them reach it sooner: on dense graphs, on those of at least manyEdges edges for each vertex, and on
// those that are not selected. On others, such as almost planar ones, more sweeps do. A large dense graph needs
// both: TTS99 of K2000 is 0.2 s with 1024 chains and 300 sweeps, and 0.48 s with 200 (docs/results/bouter2022.md).
func startOfDevices(g *graph.Graph) size {
	const (
		chains    = 1024
		manyEdges = 8
		perSweep  = 5 // vertices of a dense graph
		most      = 3 * usualSweepsOfFirst
	)
	switch {
	case host.KeepsFields(g):
		return size{chains, max(usualSweepsOfFirst, min(g.N()/perSweep, most))}
	case g.M() >= manyEdges*g.N() || !host.Selective(g):
		return size{chains, usualSweepsOfFirst}
	}
	return size{usualFirst, usualSweepsOfFirst}
}

// Fit returns m, or a copy of m with another first population: a larger one for devices that are no processors, or a
// smaller one of fewer sweeps if annealing it takes more than half of a limit of time. It assumes speeds and measures
// nothing, so that a run has the same population each time.
func (m *GOMEA) Fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	c, ok := p.(problems.Cut)
	if !ok || !m.grows() || m.start > 0 || m.Variant == "serial" {
		return m
	}
	g, fitted := m.searched(c).Graph(), *m
	first := size{m.first(g.N()), m.sweeps()}
	speed, least := float64(edgesOfCPU), host.ChainsPerWord
	if host.KeepsFields(g) {
		speed, least = denseEdgesOfCPU, 2
	}
	if !slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		speed *= fasterThanCPU
		if first.chains == usualFirst {
			first = startOfDevices(g)
		}
	}
	if m.Sweeps != 0 {
		fitted.start = first.chains
		return &fitted
	}
	if b.Time > 0 {
		first = first.within(b.Time.Seconds()/2*speed/(2*float64(host.Cost(g))), least)
	}
	fitted.start, fitted.Sweeps = first.chains, first.sweeps
	return &fitted
}

// within returns a population of at most that many sweeps of a chain, which has fewer chains, and fewer sweeps if it
// would have less than least chains.
func (s size) within(sweeps float64, least int) size {
	if usual := float64(s.sweeps); sweeps < usual*float64(s.chains) {
		s.chains = int(max(float64(least), min(float64(s.chains), sweeps/usual)))
		s.sweeps = int(max(1, min(usual, sweeps/float64(s.chains))))
	}
	return s
}
