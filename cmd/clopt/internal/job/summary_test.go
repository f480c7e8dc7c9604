package job

import (
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// TestSummary compares the summary of a run with the text that a reader should get.
func TestSummary(t *testing.T) {
	number := func(f exact.Number) *exact.Number { return &f }
	r := &record.Result{
		Task: record.Task{Problem: "maxcut:G1.txt", Algorithm: record.Algorithm{Name: "mixing"}, Seed: 7,
			Precision: "fp64", Sense: record.Maximize},
		Dim: 800,
		Best: record.Best{F: 11600, FHost: 11600, Confirmed: true, Confirmer: "host", Known: number(11624),
			Error: number(24)},
		Effort: record.Effort{Evaluations: 5e6, Work: 5e6, Seconds: 2, StartUp: 0.5, Searches: []record.Search{
			{Name: "mts", Work: 0.25, Gain: 0.996}, {Name: "cma", Work: 0.75, Gain: 0.004}}},
		Ending: record.Ending{Limits: record.Limits{Seconds: 2, Target: number(11624)},
			Stop: record.Stop{Reason: "time"}, ExitCode: 11},
		Folder: t.TempDir(),
	}
	var text strings.Builder
	summary(&status.Output{W: &text}, r, true, nil)
	want := `x time limit of 2.0 s reached after 2.0 s (2.5 s with start-up)
  run       maxcut:G1.txt  mixing  seed 7  fp64
  best      11600   best known 11624, gap 24   target 11624 MISSED
            confirmed by the host, relative difference 0
  speed     5,000,000 evaluations, 2,500,000 a second
  searches  mts 25 % of the work and 100 % of the gain, cma 75 % and 0 %
  saved     nothing in ` + r.Folder + "\n"
	if text.String() != want {
		t.Errorf("%s\nwant:\n%s", text.String(), want)
	}
}

// TestInAll checks that the time after the last step is shown if it is a visible part of the whole.
func TestInAll(t *testing.T) {
	for closing, want := range map[time.Duration]string{
		0:                      "2.5 s with start-up",
		40 * time.Millisecond:  "2.5 s with start-up", // 1.6 %
		60 * time.Millisecond:  "2.5 s with start-up, 2.6 s with confirming and storing the result",
		900 * time.Millisecond: "2.5 s with start-up, 3.4 s with confirming and storing the result",
	} {
		r := &record.Result{Effort: record.Effort{Seconds: 2, StartUp: 0.5}, Closing: closing}
		if got := inAll(r); got != want {
			t.Errorf("%v: %q, want %q", closing, got, want)
		}
	}
	r := &record.Result{Effort: record.Effort{Seconds: 90, StartUp: 0.5}, Closing: 800 * time.Millisecond}
	if got, want := inAll(r), "90 s with start-up"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSpeed checks that evaluations and moves are told apart.
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		work  exact.Number
		moves int64
		want  string
	}{
		{818.9, 0, "818 evaluations, 819 a second"},
		{818, 9000, "818 evaluations (9,000 moves), 818 a second"},
		{1, 1, "1 evaluation (1 move), 1 a second"},
		{0.5, 300, "0 evaluations (300 moves), 0.5 a second"},
	} {
		r := &record.Result{Effort: record.Effort{Evaluations: int64(c.work), Work: c.work, Moves: c.moves, Seconds: 1}}
		if got := speed(r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestDivided checks that one search is shown in the same words as several.
func TestDivided(t *testing.T) {
	one := []record.Search{{Name: "mts", Work: 1, Gain: 1}}
	if got := divided(one); got != "mts 100 % of the work and 100 % of the gain" {
		t.Error(got)
	}
}

// TestFurther checks that the command which continues a run has a larger limit than the one that ended it.
func TestFurther(t *testing.T) {
	for _, c := range []struct {
		reason string
		limits record.Limits
		want   string
	}{
		{"evals", record.Limits{Evaluations: 2000, Seconds: 5}, " --evals 4000"},
		{"evals", record.Limits{Evaluations: 1 << 62}, ""},
		{"time", record.Limits{Evaluations: 2000, Seconds: 1.5}, " --time 3s"},
		{"cancelled", record.Limits{Evaluations: 2000, Seconds: 5}, ""},
		{"finished", record.Limits{Evaluations: 2000, Seconds: 5}, " --time 60s"},
	} {
		r := &record.Result{Ending: record.Ending{Limits: c.limits, Stop: record.Stop{Reason: c.reason}}}
		if got := further(r, true); got != c.want {
			t.Errorf("%s, %+v: %q, want %q", c.reason, c.limits, got, c.want)
		}
		if got := further(r, false); c.reason == "finished" && got != " --restart on"+c.want {
			t.Errorf("a method that does not begin again: %q", got)
		}
	}
}
