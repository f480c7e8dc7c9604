package status

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// TestStatusFits checks that a short status line has its most important parts.
func TestStatusFits(t *testing.T) {
	m := &monitor{Display: &Display{Mode: "line", out: &Output{symbols: true}}, have: true,
		elapsed: func() time.Duration { return 3 * time.Second },
		run:     runs.Beginning{Sign: 1, Budget: solvers.Budget{Evaluations: 1000, Time: time.Hour}}}
	m.Sample(solvers.Sample{Best: 3e16})
	m.Sample(solvers.Sample{Step: 123456, Evaluations: 500, F: 2, Best: -1.2345678e+16, NonFinite: 7,
		Elapsed: 3 * time.Second})
	m.stored = time.Now()
	last := math.MaxInt
	for _, c := range []struct {
		room int
		want []string
		none []string
	}{
		{math.MaxInt, []string{"eval/s", "7 values not finite", "left", "━━━━━━━━────────", "checkpoint"}, nil},
		{140, []string{"eval/s", "not finite", "gained", "left"}, []string{"checkpoint"}},
		{80, []string{"3.0 s / 1:00:00  ━", "best -1.2345678e+16", "~3.0 s left"}, []string{"eval/s", "500 of 1,000"}},
		{38, []string{"3.0 s", "best -1.2345678e+16"}, []string{"left", "━"}},
	} {
		text := m.text(c.room)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("room %d: no %q in %q", c.room, want, text)
			}
		}
		for _, none := range c.none {
			if strings.Contains(text, none) {
				t.Errorf("room %d: %q in %q", c.room, none, text)
			}
		}
		n := utf8.RuneCountInString(text)
		if n > last || n > c.room {
			t.Errorf("room %d: %d characters", c.room, n)
		}
		last = n
	}
}
