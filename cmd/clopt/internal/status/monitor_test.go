package status

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// TestStatusFits checks that a short status line leaves out its least important parts.
func TestStatusFits(t *testing.T) {
	m := &monitor{have: true, loop: time.Now(),
		run: runs.Beginning{Sign: 1, Budget: solvers.Budget{Evaluations: 1000, Time: time.Hour}}}
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
		{math.MaxInt, []string{"step 123456", "eval/s", "nonfinite 7", "left", "ckpt"}, []string{"%/min"}},
		{100, []string{"step", "eval/s", "nonfinite", "left"}, []string{"ckpt"}},
		{77, []string{"evals 500 (50 %)", "best -1.2345678e+16", "left"}, []string{"step"}},
		{20, []string{"0:00:03", "evals 500", "best", "left"}, []string{"eval/s", "nonfinite"}},
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
		if len(text) > last || len(text) > c.room && c.room > 60 {
			t.Errorf("room %d: %d characters", c.room, len(text))
		}
		last = len(text)
	}
}
