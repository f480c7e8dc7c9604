package anneal

import (
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// The parts of a schedule that Fit does not go below, where the budget allows it.
const (
	leastMoves = 1000 // moves of a chain in a run
	leastN     = 5    // steps of a chain at one temperature
)

// stepsOfSecond is the number of Steps that a second is assumed to have.
const stepsOfSecond = 4

// Fit returns m, or a copy of m with a shorter schedule if the default one does not end within the budget. With a limit
// of time, runs of the copy leave out temperatures if devices are slower than Fit assumes.
// Every schedule goes from T0 to Tmin. Fit first reduces the number of chains, down to one group, then N,
// then the number of temperatures. A local minimizer gets a quarter of the evaluations. If any of T0, Tmin,
// Rho, N, Chains and LocalN is set, Fit returns m.
func (m *SA) Fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	if m.T0 != nil || m.Tmin != nil || m.Rho != nil || m.N > 0 || m.Chains > 0 || m.LocalN > 0 {
		return m
	}
	fitted := *m.of(p)
	fitted.fitted = b.Time > 0
	evaluations := fitted.affordable(p, b, devices)
	switch {
	case m.Schedule(p) > evaluations:
	case fitted.fitted:
		return &fitted
	default:
		return m
	}
	if fitted.local() != "none" {
		fitted.LocalN = int(min(defaultLocalN, max(1, evaluations/4)))
		evaluations -= int64(fitted.LocalN)
	}
	if fitted.variant() == "sweeps" {
		levels, _ := fitted.sweepLevels()
		fitted.cool((evaluations-1)/int64(p.Domain().N), len(levels), fitted.sweeps(), 1, tminOfT0)
		return &fitted
	}
	s := fitted.schedule()
	chains := evaluations / (1 + s.moves())
	fitted.Chains = int(max(chains-chains%chainGroup, min(chainGroup, max(1, evaluations/leastMoves))))
	fitted.cool(evaluations/int64(fitted.Chains)-1, len(s.levels), s.n, leastN, defaultTmin/defaultT0)
	return &fitted
}

// InTime returns a copy of m that leaves out temperatures, as a fitted one does, if its schedule would not end within
// the limit of time.
func (m *SA) InTime() *SA {
	in := *m
	in.fitted = true
	return &in
}

// cool sets N and Rho so that a chain makes about the given number of moves while the temperature falls by
// the factor fall. If they suffice, there are as many levels as given, with N from least to most.
func (m *SA) cool(moves int64, levels, most, least int, fall float64) {
	m.N = int(min(max(moves/int64(levels), int64(least)), int64(most), max(1, moves)))
	fit := float64(max(1, moves/int64(m.N)))
	// The last level ends halfway below Tmin, so that rounding does not add another. A setting rho is at least
	// 1e-9.
	m.Rho = new(max(1e-9, math.Pow(fall, 1/(fit-0.5))))
}

// affordable returns the number of evaluations that a budget allows. For a limit of time it assumes that a
// second has the moves of four Steps. The number of devices does not count, and
// nothing is measured, so that a run has the same schedule each time.
func (m *SA) affordable(p problems.Problem, b solvers.Budget, devices []cl.Info) int64 {
	evaluations := int64(math.MaxInt64)
	if b.Evaluations > 0 {
		evaluations = b.Evaluations
	}
	if b.Time == 0 {
		return evaluations
	}
	byTime := b.Time.Seconds() * stepsOfSecond * float64(movesOf(devices)) / m.touched(p.Structure())
	return int64(min(float64(evaluations), max(1, byTime)))
}

// touched returns the number of components that are computed for a move, at least 1.
func (m *SA) touched(s problems.Structure) float64 {
	if m.full() {
		return float64(s.Components())
	}
	return max(1, s.MeanTouched())
}
