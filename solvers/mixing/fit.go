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

// Fit returns m, or a copy of m with a smaller first population and fewer sweeps if annealing it takes more than half
// of a limit of time. It assumes speeds and measures nothing, so that a run has the same population each time.
func (m *GOMEA) Fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	c, ok := p.(problems.Cut)
	if !ok || b.Time == 0 || !m.grows() || m.Sweeps > 0 || m.Variant == "serial" {
		return m
	}
	g := c.Graph()
	speed, least := float64(edgesOfCPU), host.ChainsPerWord
	if host.KeepsFields(g) {
		speed, least = denseEdgesOfCPU, 2
	}
	if !slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		speed *= fasterThanCPU
	}
	sweeps := b.Time.Seconds() / 2 * speed / (2 * float64(max(g.M(), 1))) // of one chain
	usual, chains := float64(m.usualSweeps()), float64(m.first(g.N()))
	if sweeps >= usual*chains {
		return m
	}
	fitted := *m
	fitted.start = int(max(float64(least), min(chains, sweeps/usual)))
	fitted.Sweeps = int(max(1, min(usual, sweeps/float64(fitted.start))))
	return &fitted
}
