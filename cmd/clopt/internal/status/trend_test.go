package status

import (
	"math"
	"testing"
	"time"
)

// TestTrend: a gap that halves every second, a value that falls by 2 a second, and some that stand still, one of them
// after a gain between two of the values that are kept.
func TestTrend(t *testing.T) {
	zero := 0.0
	for _, c := range []struct {
		optimum *float64
		best    func(s float64) float64
		want    string
		spark   string
	}{
		{&zero, func(s float64) float64 { return math.Exp2(-s) }, "gap halves every 1.0 s", "▇▆▅▄▄▃▂▁"},
		{nil, func(s float64) float64 { return -2 * s }, "gained 14 in 7.0 s", "▇▆▅▄▄▃▂▁"},
		{nil, func(float64) float64 { return 3 }, "no gain for 15 s", "▁▁▁▁▁▁▁▁"},
		{nil, func(s float64) float64 { return -math.Min(math.Floor(s/0.375), 1) }, "no gain for 15 s", "▁▁▁▁▁▁▁▁"},
		{&zero, func(float64) float64 { return 0 }, "best known value reached", "▁▁▁▁▁▁▁▁"},
	} {
		h := history{optimum: c.optimum, every: 250 * time.Millisecond}
		last := 0.0
		for s := 0.0; s <= 15; s += 0.125 {
			h.add(time.Duration(s*float64(time.Second)), c.best(s))
			last = s
		}
		now := time.Duration(last * float64(time.Second))
		if got := h.trend(now, c.best(last)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := h.spark(); got != c.spark {
			t.Errorf("%s, want %s", got, c.spark)
		}
	}
}
