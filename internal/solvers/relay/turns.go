package relay

import (
	"math"

	"github.com/clopt/clopt/solvers"
)

// search is one of the methods, in all its turns.
type search struct {
	Turns      int // that it has begun, without those in which it could make no step
	Work, Gain float64
	Last       turn
	Before     turn           // the one before
	Lasted     float64        // work of its last turn without a length (Leg.Lasts); 0: none has ended
	Fruitless  bool           // it has had a turn since the best value fell last, in anybody's turn
	Number     int            // of its leg, among all that have begun
	From       int            // turn in which the leg began
	Leg        solvers.Sample // of the leg, after its last step
	Fell       float64        // what the best value of the leg fell by in its last turn
	Dropped    bool           // its method cannot be built here, or has failed its check
}

// turn is what a search has done in a turn: its work, and what the best value fell by. The first value of a run is no
// fall.
type turn struct {
	Work, Fall float64
}

// rate returns the fall per work of the last two turns. It is not known of a search that has had no turn, or only one
// of which nothing follows.
func (s *search) rate() (rate float64, known bool) {
	work := s.Last.Work + s.Before.Work
	return (s.Last.Fall + s.Before.Fall) / work, work > 0
}

// keepsUp reports whether the leg is no further above the best value of the run than it fell by in its last turn.
func (s *search) keepsUp(best float64) bool { return s.Leg.Best-best <= s.Fell }

// behind is the largest number of turns that a search waits for others because it gains less than they do.
const behind = 4

// next returns the search whose turn it is among those that are not left out or dropped; -1 if all are. A search of
// unknown rate counts as one that gains as much as the best. One with points of its own waits for one turn at most.
func next(all []search, legs []Leg, out []bool) int {
	best := 0.0
	for _, s := range all {
		if rate, known := s.rate(); known {
			best = max(best, rate)
		}
	}
	first, least := -1, math.MaxInt
	for k, s := range all {
		at := s.Turns
		if rate, known := s.rate(); known {
			most := behind
			if legs[k].Own {
				most = 1
			}
			at += doublings(rate, best, most)
		}
		if !out[k] && !s.Dropped && at < least {
			first, least = k, at
		}
	}
	return first
}

// doublings returns how often a rate has to be doubled to be more than half of the best one, at most the given number.
func doublings(rate, best float64, most int) (n int) {
	for ; n < most && 2*rate <= best && best > 0; n++ {
		rate *= 2
	}
	return n
}
