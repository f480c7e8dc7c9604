package mixing

import (
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
	"github.com/clopt/clopt/solvers/mixing/internal/local"
)

// A local search on the host takes turns with the population that grows, if the graph is small. If the graph has rules,
// it begins, and has most of the work. Else it begins when the first population has been annealed, so that graphs that
// are solved by then lose nothing. If weights differ it has a quarter of the work of the population then. After a step
// of a population it has about a thirtieth of the time, or very little if that is less, so that graphs on which
// annealing on the devices is good lose little. If its best cut is larger when a population has been annealed, it has
// about as much time as the populations from then on, and twice as much after each further one of which that is true,
// until one has caught up.
const (
	mostDoubled  = 3 // times
	shareOfLocal = 32
	partOfFirst  = 4
	leastOfLocal = 1 << 14 // the smallest cost of one step
	briefOfLocal = 1 << 20 // the cost of a step after one of the population
	mostOfLocal  = 1 << 23 // the largest cost of one step
	mostOfFirst  = 1 << 27 // the largest cost of the moves after the first population
	headOfRules  = 1 << 29 // the cost of the moves before the first population, on a graph with rules
)

// climbs reports whether there is a local search on a graph.
func (m *GOMEA) climbs(g *graph.Graph) bool {
	return m.grows() && g.M() > 0 && g.N() <= local.MostVertices
}

// mixed reports whether the weights of p differ in size.
func mixed(p problems.Cut) bool {
	weights := p.Graph().Weights
	for _, w := range weights {
		if w != weights[0] && w != -weights[0] {
			return true
		}
	}
	return false
}

// paceOf returns how many edges annealing evaluates on processors in the time of a unit of cost of the local search.
func paceOf(s *host.Shape) int64 {
	const costs = 1 << 30 // in a second
	edges, _ := s.Speeds()
	return max(1, int64(edges/costs))
}

// costOfLocal returns what the next step of the local search may cost if room edges may be evaluated. It is 0 if the
// next step is one of the population.
func (r *gomeaRun) costOfLocal(room int64) int64 {
	st := &r.state
	if !r.m.climbs(r.p.Graph()) {
		return 0
	}
	others, limit := st.Counts.Edges-st.Local.Cost, int64(mostOfLocal)
	var share int64
	switch {
	case r.ruled:
		share = headOfRules + others<<mostDoubled
	case st.Annealed == 0:
	case st.Leads > 0:
		share = others / r.pace << min(st.Leads-1, mostDoubled)
	case r.mixed && st.Local.Cost < min(others/partOfFirst, mostOfFirst):
		share = min(others/partOfFirst, mostOfFirst)
	case !st.Climbed:
		share, limit = others/r.pace/shareOfLocal, briefOfLocal
	}
	if share -= st.Local.Cost; st.Local.Turns == 0 && !r.ruled {
		share -= r.local.Setup()
	}
	cost := min(share, limit)
	if cost < leastOfLocal || cost+r.local.Most() > room {
		return 0
	}
	return cost
}

// climb makes moves of the local search, which knows the best partition of the last step.
func (r *gomeaRun) climb(cost int64) {
	st := &r.state
	row := make([]uint64, len(st.Best))
	for _, x0 := range r.startPoints(0) {
		r.move(row, x0, false)
		r.local.Known(row, host.CutOf(r.p.Graph(), row))
	}
	r.move(row, st.Best, false)
	r.local.Known(row, st.BestF)
	moves, spent := r.local.Run(cost)
	st.Counts.Values += moves
	st.Counts.Edges += spent
	if best := st.Local.Best; best.F > st.BestF || st.Sample.Step == 0 {
		r.move(st.Best, best.Row, true)
		st.BestF = best.F
	}
	st.Counts.Note(st.BestF)
	st.Climbed = true
}

// leads is called after a population has been annealed. It notes if the local search has the largest cut.
func (r *gomeaRun) leads() {
	st := &r.state
	st.Annealed++
	if st.Local.Best.Row == nil || st.Local.Best.F <= st.Elite.F {
		st.Leads = 0
		return
	}
	st.Leads++
}

// move copies a partition in the order of the vertices to the order in which populations are stored, or back.
func (r *gomeaRun) move(to, from []uint64, stored bool) {
	clear(to)
	for q, v := range r.home.Order {
		if a, b := uint32(q), v; stored {
			to[a>>6] |= host.Side(from, b) << (a & 63)
		} else {
			to[b>>6] |= host.Side(from, a) << (b & 63)
		}
	}
}
