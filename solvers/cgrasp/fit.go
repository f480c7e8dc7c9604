package cgrasp

import (
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// The numbers of variables that components can read in a second on processors, and on other devices.
const (
	readsOfCPU = 1 << 27
	readsOfGPU = 1 << 34
)

// fit returns m, or a copy of m with fewer starts if a Step of the default number takes more than half of a limit of
// time. Without this, the loop around the steps would give up the first one at the limit, and nothing would be found.
// It assumes speeds and measures nothing, so that a run has as many starts each time.
func (m *CGRASP) fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	rules, err := m.rules(p, problems.FP64)
	if err != nil || b.Time == 0 || m.Starts > 0 || m.Variant == "seq" {
		return m
	}
	speed := float64(readsOfGPU)
	if slices.ContainsFunc(devices, func(i cl.Info) bool { return i.Type == cl.CPU }) {
		speed = readsOfCPU
	}
	starts := int(max(1, b.Time.Seconds()/2*speed/(float64(rules.quota)*rules.reads)))
	if starts >= m.defaultStarts() {
		return m
	}
	fitted := *m
	fitted.Starts = starts
	return &fitted
}
