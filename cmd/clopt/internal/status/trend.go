package status

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// cells is the number of values in a sparkline.
const cells = 8

// history keeps best values of a run at equal distances of time. Since the distance grows with the run, the latest
// values span at least a quarter of it.
type history struct {
	optimum *float64 // the best value known, in the sense of minimization; nil: none
	every   time.Duration
	points  []point
	better  *point // when the best value fell last; nil: there is none
}

// point is the best value at a time of the run, in the sense of minimization.
type point struct {
	t    time.Duration
	best float64
}

// add notes the best value at a time.
func (h *history) add(t time.Duration, best float64) {
	if math.IsInf(best, 1) {
		return
	}
	if h.better == nil || best < h.better.best {
		h.better = &point{t, best}
	}
	n := len(h.points)
	if n > 0 && t < h.points[n-1].t+h.every {
		return
	}
	if n == 2*cells {
		for i := range cells {
			h.points[i] = h.points[2*i+1]
		}
		h.points, h.every = h.points[:cells], 2*h.every
	}
	h.points = append(h.points, point{t, best})
}

// recent returns the latest values.
func (h *history) recent() []point { return h.points[max(0, len(h.points)-cells):] }

// height is what a sparkline shows of a value: the logarithm of its distance from the optimum, if that is known.
func (h *history) height(best float64) float64 {
	if h.optimum == nil {
		return best
	}
	return math.Log(max(best-*h.optimum, 1e-300))
}

// spark draws the latest values, low ones as low bars.
func (h *history) spark() string {
	points := h.recent()
	if len(points) < 2 {
		return ""
	}
	low, high := h.height(points[len(points)-1].best), h.height(points[0].best)
	bars := []rune("▁▂▃▄▅▆▇")
	var b strings.Builder
	for _, p := range points {
		at := 0.0
		if high > low {
			at = (h.height(p.best) - low) / (high - low)
		}
		b.WriteRune(bars[int(math.Round(min(max(at, 0), 1)*float64(len(bars)-1)))])
	}
	return b.String()
}

// trend says how fast the best value falls at time now, in the words "gap halves every 0.9 s", where the gap is the
// distance from the best value known, or "gained 12 in 3 s".
func (h *history) trend(now time.Duration, best float64) string {
	points := h.recent()
	if len(points) == 0 {
		return ""
	}
	from := points[0]
	span := now - from.t
	switch {
	case h.optimum != nil && best <= *h.optimum:
		return "best known value reached"
	case span <= 0, span < time.Second && !(best < from.best):
		return ""
	case !(best < from.best):
		return "no gain for " + Seconds(now-h.better.t)
	case h.optimum != nil:
		halvings := math.Log2((from.best - *h.optimum) / (best - *h.optimum))
		if half := span.Seconds() / halvings; half < 10*now.Seconds() {
			return "gap halves every " + Seconds(time.Duration(half*float64(time.Second)))
		}
	}
	return fmt.Sprintf("gained %s in %s", Rate(from.best-best), Seconds(span))
}
