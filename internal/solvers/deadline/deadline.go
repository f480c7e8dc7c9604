// Package deadline fits schedules of annealing to a limit of time.
package deadline

import "time"

// Leaps leaves out parts of a schedule that would not end within the limit of time. The temperature then falls as fast
// as the run gets on, and a run that is slower than was assumed ends as cold as any other. The loop around the steps
// would end it in time, too, but hot.
type Leaps struct {
	Left   func() time.Duration // solvers.Setup.Left; nil: there is no limit, and nothing is left out
	before time.Duration        // left at the latest call
	owed   float64              // units to leave out that were not enough for a leap
}

// Next returns how many units to leave out before the next ones, a multiple of least. made is the number of units made
// since the latest call, 0 for the first one. rest are to go, of which the last ones are not left out.
func (l *Leaps) Next(made, rest, last, least int64) int64 {
	if l.Left == nil {
		return 0
	}
	now := l.Left()
	took := l.before - now
	l.before = now
	if made <= 0 || took <= 0 {
		return 0
	}
	fits := max(1, float64(made)*float64(now)/float64(took))
	l.owed += max(0, float64(made)*((float64(rest)-l.owed)/fits-1))
	n := min(int64(l.owed), rest-last)
	n = max(0, n-n%least)
	l.owed -= float64(n)
	return n
}
