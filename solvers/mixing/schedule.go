package mixing

// schedule is interleaved multi-start: whenever population k has had a multiple
// of four turns, k+1 has one, then 0 again. A turn of a population that has
// stopped takes no time. From 0: 0 0 0 0 1 0 0 0 0 1 … 0 0 0 0 1 2 0 …
type schedule struct {
	turns []int64
	base  int // all before have stopped
	at    int // whose turn it is
}

const turnsPerNext = 4

// turn is whose turn it is.
func (s *schedule) turn() int { return max(s.at, s.base) }

// done ends the turn.
func (s *schedule) done() {
	k := s.turn()
	for len(s.turns) <= k {
		s.turns = append(s.turns, 0)
	}
	if s.turns[k]++; s.turns[k]%turnsPerNext == 0 {
		s.at = k + 1
	} else {
		s.at = s.base
	}
}
