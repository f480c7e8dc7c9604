package anneal

import (
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// The parts of a schedule that fit does not go below, where the budget allows it.
const (
	leastMoves = 1000 // moves of a chain in a run
	leastN     = 5    // steps of a chain at one temperature
)

// stepsOfSecond is the number of Steps that a second is assumed to have.
const stepsOfSecond = 4

// fit returns m, or a copy of m with a shorter schedule if the default one does not end within the budget. With a limit
// of time, runs of the copy leave out temperatures if devices are slower than fit assumes.
// Every schedule goes from T0 to Tmin. It first reduces the number of chains, down to one group, then N,
// then the number of temperatures. A local minimizer gets a quarter of the limit. If any of T0, Tmin,
// Rho, N, Chains and LocalN is set, it returns m.
func (m *SA) fit(p problems.Problem, b solvers.Budget, devices []cl.Info) solvers.Solver {
	if m.T0 != nil || m.Tmin != nil || m.Rho != nil || m.N > 0 || m.Chains > 0 || m.LocalN > 0 {
		return m
	}
	fitted := *m.of(p)
	fitted.fitted = b.Time > 0
	limits, long := fitted.costs(p, b, devices)
	switch {
	case long:
	case fitted.fitted:
		return &fitted
	default:
		return m
	}
	if fitted.local() != "none" {
		fitted.LocalN = defaultLocalN
		for _, l := range limits {
			fitted.LocalN = int(min(float64(fitted.LocalN), max(1, math.Floor(l.all/4))))
		}
		for k := range limits {
			limits[k].all -= float64(fitted.LocalN)
		}
	}
	if fitted.variant() == "sweeps" {
		levels, _ := fitted.sweepLevels()
		fitted.cool(limits, len(levels), fitted.sweeps(), 1, tminOfT0)
		return &fitted
	}
	s := fitted.schedule()
	fitted.Chains = defaultChains
	for _, l := range limits {
		chains := math.Floor(l.all / (l.start + float64(s.steps())*l.move))
		least := min(chainGroup, max(1, math.Floor(l.all/max(2*l.start, leastMoves*l.move))))
		fitted.Chains = min(fitted.Chains, int(max(chains-math.Mod(chains, chainGroup), least)))
	}
	for k := range limits {
		limits[k].all = math.Floor(limits[k].all / float64(fitted.Chains))
	}
	fitted.cool(limits, len(s.levels), s.n, leastN, defaultTmin/defaultT0)
	return &fitted
}

// limit is what a schedule may cost: the work of whole points, or moves.
type limit struct {
	all         float64
	start, move float64 // costs of a start point, and of a step of a chain or a sweep
	level       float64 // of a temperature, without its steps
}

// costs returns the limits of a budget, and whether one of them ends the schedule of m early. For a limit of time it
// assumes that a second has the moves of four Steps. The number of devices does not count, and nothing is measured, so
// that a run has the same schedule each time.
func (m *SA) costs(p problems.Problem, b solvers.Budget, devices []cl.Info) (all []limit, long bool) {
	evaluations, moves := m.bounds(p)
	cost, size := m.costOf(p.Structure(), 1), int64(1)
	work := limit{float64(b.Evaluations), 1, cost.moves(1), 0}
	if m.variant() == "sweeps" {
		size = int64(p.Domain().N)
		// Every Step evaluates the point.
		work.move, work.level = cost.moves(size)+1/float64(leastSweeps(p)), 1
	}
	if most := b.Evaluations; most > 0 {
		all = append(all, work)
		long = long || evaluations > most
	}
	most := int64(math.MaxInt64)
	if b.Moves > 0 {
		most = b.Moves
	}
	if b.Time > 0 {
		byTime := b.Time.Seconds() * stepsOfSecond * float64(movesOf(devices)) / m.touched(p.Structure())
		most = int64(min(float64(most), max(1, byTime)))
	}
	if most < math.MaxInt64 {
		all = append(all, limit{float64(most), 1, float64(size), 0})
		long = long || moves > most
	}
	return all, long
}

// InTime returns a copy of m that leaves out temperatures, as a fitted one does, if its schedule would not end within
// the limit of time.
func (m *SA) InTime() *SA {
	in := *m
	in.fitted = true
	return &in
}

// cool sets N and Rho so that a chain, or a point, keeps limits while the temperature falls by the factor fall. If they
// suffice, there are as many levels as given, with N from least to most.
func (m *SA) cool(limits []limit, levels, most, least int, fall float64) {
	n, fit := float64(most), math.Inf(1)
	for _, l := range limits {
		moves := max(1, math.Floor((l.all-l.start-l.level)/l.move)) // in one level
		n = min(n, max(math.Floor(((l.all-l.start)/float64(levels)-l.level)/l.move), float64(least)), moves)
	}
	for _, l := range limits {
		fit = min(fit, max(1, math.Floor((l.all-l.start)/(n*l.move+l.level))))
	}
	m.N = int(n)
	// The last level ends halfway below Tmin, so that rounding does not add another. A setting rho is at least
	// 1e-9.
	m.Rho = new(max(1e-9, math.Pow(fall, 1/(fit-0.5))))
}

// touched returns the number of components that are computed for a move, at least 1.
func (m *SA) touched(s problems.Structure) float64 {
	if m.full() {
		return float64(s.Components())
	}
	return max(1, s.MeanTouched())
}
