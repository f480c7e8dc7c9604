package host

// Schedule deals out turns to interleaved populations. After every fourth turn of population k, k+1 has one. After any
// other turn it is the turn of the first one again. A population that has stopped takes its turns without doing
// anything. From 0: 0 0 0 0 1 0 0 0 0 1 … 0 0 0 0 1 2 0 …
type Schedule struct {
	Turns []int64 // by population
	Base  int     // all populations before it have stopped
	At    int     // the population whose turn it is
}

const turnsPerNext = 4

// Turn returns the population whose turn it is.
func (s *Schedule) Turn() int { return max(s.At, s.Base) }

// Done ends the turn.
func (s *Schedule) Done() {
	k := s.Turn()
	for len(s.Turns) <= k {
		s.Turns = append(s.Turns, 0)
	}
	if s.Turns[k]++; s.Turns[k]%turnsPerNext == 0 {
		s.At = k + 1
	} else {
		s.At = s.Base
	}
}
