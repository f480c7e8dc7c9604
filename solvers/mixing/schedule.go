package mixing

// schedule deals out turns to interleaved populations. After every fourth turn of population k, k+1 has one. After any
// other turn it is the turn of the first one again. A population that has stopped takes its turns without doing
// anything. From 0: 0 0 0 0 1 0 0 0 0 1 … 0 0 0 0 1 2 0 …
type schedule struct {
	Turns []int64 // by population
	Base  int     // all populations before it have stopped
	At    int     // the population whose turn it is
}

const turnsPerNext = 4

// turn returns the population whose turn it is.
func (s *schedule) turn() int { return max(s.At, s.Base) }

// done ends the turn.
func (s *schedule) done() {
	k := s.turn()
	for len(s.Turns) <= k {
		s.Turns = append(s.Turns, 0)
	}
	if s.Turns[k]++; s.Turns[k]%turnsPerNext == 0 {
		s.At = k + 1
	} else {
		s.At = s.Base
	}
}
