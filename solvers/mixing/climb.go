package mixing

import "github.com/clopt/clopt/solvers/mixing/internal/host"

// A tabu search takes turns with the population that grows, if the graph is small. It begins when the first population
// has been annealed, so that graphs that are solved by then lose nothing. After a step of a population it has a
// sixteenth of the work of all, or little time if that is less, so that graphs on which annealing is good lose little.
// If its best cut is larger when a population has been annealed, it has as much work as the populations from then on,
// and twice as much after each further one of which that is true, until one has caught up.
const (
	mostDoubled  = 3 // times
	shareOfTabu  = 16
	leastOfTabu  = 1 << 14 // the smallest cost of the moves of one step
	briefOfTabu  = 1 << 20 // the cost of the moves after a step of the population
	mostOfTabu   = 1 << 22 // the largest cost of the moves of one step
	slackOfMoves = 2       // moves and a start may cost more than they should, but not twice as much
)

// climbs reports whether there is a tabu search.
func (r *gomeaRun) climbs() bool {
	g := r.p.Graph()
	return r.grows && g.M() > 0 && g.N() <= host.MostOfTabu
}

// costOfTabu returns what the next step of the tabu search may cost if room edges may be evaluated. It is 0 if the next
// step is one of the population.
func (r *gomeaRun) costOfTabu(room int64) int64 {
	st, t := &r.state, &r.state.Tabu
	if !r.climbs() || st.Annealed == 0 {
		return 0
	}
	cost, others := int64(0), st.Counts.Edges-t.Flipped
	if st.Leads > 0 {
		cost = min(others<<min(st.Leads-1, mostDoubled)-t.Cost, mostOfTabu)
	} else if cost = min(others/shareOfTabu-t.Cost, briefOfTabu); st.Climbed {
		return 0
	}
	if cost < leastOfTabu || slackOfMoves*max(cost, int64(len(r.p.Graph().Neighbors))) > room {
		return 0
	}
	return cost
}

// climb makes moves of the tabu search, which knows the best partition of the last step.
func (r *gomeaRun) climb(cost int64) {
	st, t := &r.state, r.tabu
	row := make([]uint64, len(st.Best))
	r.move(row, st.Best, false)
	t.Known(row, st.BestF)
	moves, edges := t.Run(cost)
	st.Counts.Values += moves
	st.Counts.Edges += edges
	st.Counts.Note(t.F)
	if t.BestF > st.BestF {
		r.move(st.Best, t.Best, true)
		st.BestF = t.BestF
		st.Counts.Note(st.BestF)
	}
	st.Climbed = true
}

// leads is called after a population has been annealed. It notes if the tabu search has the largest cut.
func (r *gomeaRun) leads() {
	r.state.Annealed++
	if r.tabu.Best == nil || r.tabu.BestF <= r.state.Elite.F {
		r.state.Leads = 0
		return
	}
	r.state.Leads++
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
