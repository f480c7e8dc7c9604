package anneal

import "time"

// hurry leaves out parts of a schedule that would not end within the limit of time. The temperature then falls as fast
// as the run gets on, and a run that is slower than Fit assumed ends as cold as any other.
type hurry struct {
	left   func() time.Duration // Setup.Left; nil: there is no limit
	before time.Duration        // left at the latest call
}

// skip returns how many units to leave out before the next ones, of which rest are to go. made is the number of units
// made since the latest call; the first call has made 0.
func (h *hurry) skip(made, rest int64) int64 {
	if h.left == nil {
		return 0
	}
	now := h.left()
	took := h.before - now
	h.before = now
	if made <= 0 || took <= 0 {
		return 0
	}
	fits := max(1, float64(made)*float64(now)/float64(took))
	return max(0, int64(float64(made)*(float64(rest)/fits-1)))
}
