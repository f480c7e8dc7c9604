package mixing

// schedule deals out turns to interleaved populations. After every fourth turn of population k, k+1 has one. After any
// other turn it is the turn of the first one again. A population that has stopped takes its turns without doing
// anything. From 0: 0 0 0 0 1 0 0 0 0 1 … 0 0 0 0 1 2 0 …
type schedule struct {
	turns []int64 // by population
	base  int     // all populations before it have stopped
	at    int     // the population whose turn it is
}

const turnsPerNext = 4

// turn returns the population whose turn it is.
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
