package mixing

import (
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/mixing/internal/engine"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/solvers/mixing/internal/local"
)

// fit returns m, or a copy of m with another first population: the best one for processors or other devices, or a
// smaller one of fewer sweeps if annealing it takes more than half of a limit of time, or if it may exceed a limit of
// evaluations. It assumes speeds and measures nothing, so that a run has the same population each time.
func (m *GOMEA) fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	c, ok := p.(problems.Cut)
	if !ok || !m.grows() || m.start > 0 || m.Variant == "serial" {
		return m
	}
	x, fitted := m.searched(c), *m
	first := host.Size{Chains: m.first(x.Graph().N()), Sweeps: m.sweeps()}
	edges, faster := x.shape.Speeds()
	least := host.ChainsPerWord
	if x.shape.Gains == host.Fields {
		least = 2
	}
	processors := slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU })
	if !processors {
		edges = faster
		if first.Chains == host.DefaultFirst {
			first = x.shape.FirstOfDevices()
		}
	}
	if m.Sweeps != 0 {
		fitted.start = first.Chains
		return &fitted
	}
	if b.Time > 0 {
		share := 2.0
		if m.climbs(x.Graph()) && local.New(x.Graph(), rng.Key{}, &local.State{}).Ruled() {
			share = 1 << mostDoubled // most of the time is that of the local search
		}
		first = first.Within(b.Time.Seconds()/share*edges/(2*float64(host.Cost(x.Graph()))), least)
	}
	if b.Evaluations > 0 && b.Evaluations < math.MaxInt64/host.Cost(c.Graph()) {
		first = within(first, least, b.Evaluations*host.Cost(c.Graph()), m.method(x).Begins(x.shape, false))
	}
	fitted.start, fitted.Sweeps = first.Chains, first.Sweeps
	return &fitted
}

// within returns a population of at most so many edges, with fewer chains down to the least number, and then fewer
// sweeps, or the smallest one.
func within(size host.Size, least int, edges int64, of engine.First) host.Size {
	for size.Chains > least && of.Edges(size) > edges {
		size.Chains = max(least, size.Chains/2)
	}
	for size.Sweeps > 1 && of.Edges(size) > edges {
		size.Sweeps /= 2
	}
	return size
}
