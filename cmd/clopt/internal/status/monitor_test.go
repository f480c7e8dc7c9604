package status

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// TestStatusFits checks that a short status line has its most important parts.
func TestStatusFits(t *testing.T) {
	m := &monitor{Display: &Display{Mode: "line", out: &Output{symbols: true}}, have: true,
		elapsed: func() time.Duration { return 3 * time.Second },
		run:     runs.Beginning{Sign: 1, Budget: solvers.Budget{Evaluations: 1000, Time: time.Hour}}}
	m.Sample(solvers.Sample{Best: 3e16})
	m.Sample(solvers.Sample{Step: 123456, Evaluations: 500, Work: 500, F: 2, Best: -1.2345678e+16, NonFinite: 7,
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

// TestStatusClosing checks that the time in the loop stands still after the last step, and that the line says why.
func TestStatusClosing(t *testing.T) {
	now := 3 * time.Second
	m := &monitor{Display: &Display{Mode: "line", quiet: true, out: &Output{W: io.Discard}}, laid: true,
		elapsed: func() time.Duration { return now },
		run:     runs.Beginning{Sign: 1, Budget: solvers.Budget{Time: 3 * time.Second}}}
	m.Closing() // perhaps in the first step
	now = time.Minute
	m.tick()
	if got, want := m.text(math.MaxInt), "  3.0 s  confirming and storing the result"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Line(record.EventLine{Event: "layout", Elapsed: m.elapsed}) // a device has failed, and the run goes on
	m.Sample(solvers.Sample{Step: 1, Best: 7, Elapsed: now})
	if got := m.text(math.MaxInt); !strings.Contains(got, "60 s / 3.0 s") {
		t.Errorf("%q", got)
	}
}

// TestStatusLimits checks that the line shows what counts against a limit of evaluations or of moves.
func TestStatusLimits(t *testing.T) {
	for want, b := range map[string]solvers.Budget{"500 of 1,000 evaluations  ~2.0 s left": {Evaluations: 1000},
		"5,000 of 20,000 moves  ~6.0 s left": {Moves: 20000}} {
		m := &monitor{Display: &Display{Mode: "line", out: &Output{}}, have: true,
			elapsed: func() time.Duration { return 2 * time.Second }, run: runs.Beginning{Sign: 1, Budget: b}}
		m.Sample(solvers.Sample{Step: 1, Evaluations: 500, Work: 500, Moves: 5000, Elapsed: 2 * time.Second})
		if text := m.text(math.MaxInt); !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

// TestStatusBuilding checks that the line says why the clock of a run stands still.
func TestStatusBuilding(t *testing.T) {
	now := time.Second
	var shown strings.Builder
	m := &monitor{Display: &Display{Mode: "plain", out: &Output{W: &shown}}, have: true, laid: true,
		elapsed: func() time.Duration { return now }, run: runs.Beginning{Sign: 1}}
	m.Sample(solvers.Sample{Step: 1, Evaluations: 5, Best: 7, Elapsed: now})
	m.tick()
	for _, c := range []struct{ passed, looped time.Duration }{
		{10 * time.Second, 9 * time.Second},
		{10 * time.Second, 100 * time.Millisecond},
		{10 * time.Second, 0},
		{10 * time.Second, 10 * time.Second},
	} {
		m.ticked = m.ticked.Add(-c.passed)
		now += c.looped
		m.tick()
	}
	var still []bool
	for line := range strings.Lines(shown.String()) {
		still = append(still, strings.Contains(line, "s  building kernels  best 7"))
	}
	if want := []bool{false, false, true, true, false}; !slices.Equal(still, want) {
		t.Errorf("%v\n%s", still, &shown)
	}
}
