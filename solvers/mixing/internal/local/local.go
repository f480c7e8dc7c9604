// Package local searches for large cuts of small graphs on the host, by flips of single vertices and by moves that keep
// the rules of a QUBO. The files of the package, each of which needs only those before it: draws.go, walk.go,
// contest.go, lists.go, tabu.go, move.go, keep.go, anneal.go, local.go.
package local

import (
	"sync"

	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// MostVertices is the largest number of vertices for a Search, which keeps a weight for each pair.
const MostVertices = 1 << 12

// Search is a portfolio of two workers, which work at the same time. Each makes a tabu search and an annealing in turn:
//
//	in each turn of a worker: the search that has worked less makes moves, where the work of the one with the larger
//	cut counts a third; it knows the largest cut that all workers had found before the turn
//
// The work of a turn is fixed and draws are functions of the number of the turn, so a search makes the same moves each
// time, whatever the speed and the number of cores.
type Search struct {
	*State

	g       *graph.Graph
	key     rng.Key
	rules   *rules.Rules // nil: not looked for yet
	workers []worker     // nil: not made yet
}

// workers is the number of workers: more of them would share the cores of most machines.
const workers = 2

// State is the state of a search. The zero state is that of a new one.
type State struct {
	Best    Partition // the largest cut that is known; no bits: none
	Turns   int64
	Cost    int64 // edges and vertices that were looked at, about a nanosecond of a core each
	Workers []workerState
}

type workerState struct {
	Best   Partition // of the worker, or of others before the last turn
	Tabu   tabuState
	Anneal annealState
	Cost   []int64 // of the tabu search and of annealing
	Found  []int64 // the largest cut of each since the beginning
}

type worker struct {
	*workerState
	searches [2]search
}

// search is one of the two of a worker.
type search interface {
	// run makes moves of about a cost. It improves best.
	run(cost int64, d *draws, best *Partition) counts
}

// counts are those of a turn.
type counts struct {
	moves, cost int64
	found       int64 // the largest cut
}

// New returns a search on g that goes on from a state, which it changes. Nothing is computed before Run.
func New(g *graph.Graph, key rng.Key, state *State) *Search {
	return &Search{State: state, g: g, key: key}
}

// Ruled reports whether rules are found in the graph, which moves keep.
func (s *Search) Ruled() bool {
	if s.rules == nil {
		s.rules = rules.Of(s.g, root(s.g))
	}
	return s.rules.Any()
}

// Known gives the search a partition that others have found, with its cut f. It becomes the best one if f is larger.
func (s *Search) Known(row []uint64, f int64) { s.Best.better(row, f) }

// Run makes moves that cost about as much as cost allows, and returns their number and cost. Known has told of a
// partition before. On one vertex there are no moves.
func (s *Search) Run(cost int64) (moves, spent int64) {
	if s.g.N() < 2 {
		return 0, 0
	}
	if s.workers == nil {
		s.begin()
	}
	var all [workers]counts
	var done sync.WaitGroup
	for k := range s.workers {
		done.Go(func() {
			seed := s.key.Words(uint32(s.Turns), uint32(k), uint32(s.Turns>>32), rng.Kick)
			d := draws(uint64(seed[0])<<32 | uint64(seed[1]))
			w := &s.workers[k]
			w.Best.better(s.Best.Row, s.Best.F)
			all[k] = w.turn(cost/workers, &d)
		})
	}
	done.Wait()
	for k, c := range all {
		b := &s.workers[k].Best
		s.Best.better(b.Row, b.F)
		moves, spent = moves+c.moves, spent+c.cost
	}
	s.Turns++
	s.Cost += spent
	return moves, spent
}

// Most returns the most that a turn may cost beyond its limit.
func (s *Search) Most() int64 { return 16 * workers * int64(s.g.N()+len(s.g.Neighbors)) }

// Setup returns about what it costs to begin.
func (s *Search) Setup() int64 { return int64(s.g.N())*int64(s.g.N()) + 8*int64(len(s.g.Neighbors)) }

// begin makes the workers, from their states or new.
func (s *Search) begin() {
	s.Ruled()
	f := newField(s.g, s.rules)
	if len(s.Workers) != workers {
		s.Workers = make([]workerState, workers)
		for k := range s.Workers {
			w := &s.Workers[k]
			w.Tabu.begin(f)
			w.Anneal.begin(f)
			w.Cost, w.Found = make([]int64, 2), make([]int64, 2)
			// One begins with tabu search and one with annealing.
			w.Cost[k%2] = 1
		}
	}
	for k := range s.Workers {
		w := &s.Workers[k]
		s.workers = append(s.workers, worker{w, [2]search{newTabu(f, &w.Tabu), newAnneal(f, &w.Anneal)}})
	}
}

// turn is a turn of one of the two searches.
func (w *worker) turn(cost int64, d *draws) counts {
	weight := [2]int64{1, 1}
	switch { // one that has not finished may still find more
	case w.Found[0] > w.Found[1]:
		weight[1] = 3
	case w.Found[0] < w.Found[1]:
		weight[0] = 3
	}
	which := 0
	if w.Cost[0]*weight[0] > w.Cost[1]*weight[1] {
		which = 1
	}
	c := w.searches[which].run(cost, d, &w.Best)
	w.Cost[which] += c.cost
	w.Found[which] = max(w.Found[which], c.found)
	return c
}

// Valid reports whether the state is one of a search on the graph.
func (s *Search) Valid() bool {
	if s.Turns < 0 || s.Cost < 0 || !s.Best.valid(s.g) || s.Turns > 0 && len(s.Workers) != workers {
		return false
	}
	for _, w := range s.Workers {
		if !w.Best.valid(s.g) || !w.Tabu.valid(s.g) || !w.Anneal.valid(s.g) || len(w.Cost) != 2 || len(w.Found) != 2 {
			return false
		}
	}
	return true
}
