package anneal

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// cost is what the moves of a method cost on a problem.
type cost struct {
	starts         int64   // points that were evaluated in full, each of which counts as a move
	touched, comps float64 // components of a move, on average, and of a point
}

// costOf returns the cost of steps of chains, or of moves of sweeps, from a number of start points.
func (m *SA) costOf(s problems.Structure, starts int) cost {
	c := cost{int64(starts), s.MeanTouched(), float64(s.Components())}
	if m.full() {
		c.touched = c.comps
	}
	return c
}

// moves returns the work of moves.
func (c cost) moves(n int64) float64 { return float64(n) * c.touched / c.comps }

// work returns the work of a run that has made so many moves, its start points among them.
func (c cost) work(moves int64) float64 { return float64(c.starts) + c.moves(moves-c.starts) }

// fits reports whether a run may make n more moves.
func (c cost) fits(n int64, room solvers.Room, s solvers.Sample) bool {
	return n <= room.Moves && c.work(s.Moves+n)-s.Work <= room.Work(s)
}

// add counts n moves.
func (c cost) add(n int64, s *solvers.Sample) {
	s.Moves += n
	s.Worked(c.work(s.Moves))
}

// atLeast returns the evaluations in which some work is done.
func atLeast(work float64) int64 { return int64(math.Ceil(work)) }
