package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// measuredOf is the only measured table of a comparison.
func measuredOf(t *testing.T, args ...string) report.MeasuredJSON {
	t.Helper()
	code, out, errs := call(t, append([]string{"compare", "--json"}, args...)...)
	var c struct{ Measured []report.MeasuredJSON }
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != 0 || len(c.Measured) != 1 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	return c.Measured[0]
}

// ours is our value of a metric in a line.
func ours(t *testing.T, m report.MeasuredJSON, problem, method, column string) float64 {
	t.Helper()
	for _, r := range m.Rows {
		for i, name := range m.Columns {
			if r.Problem == problem && r.Method == method && name == column {
				return float64(r.Cells[i].Ours)
			}
		}
	}
	t.Fatalf("no %s of %s %s in %+v", column, problem, method, m)
	return 0
}

func one(f float64) *exact.Number { n := exact.Number(f); return &n }

// TestMeasuredTables checks means and medians of runs, and ratios to a baseline.
func TestMeasuredTables(t *testing.T) {
	t.Chdir(t.TempDir())
	v := record.View{Show: []string{"error", "location", "hits", "evaluations", "moves", "seconds", "rate", "move rate",
		"best"},
		Baselines: []string{"base"}}
	for i, r := range []struct {
		method, stop     string
		error, place     float64
		evals            int64
		seconds, rateOut float64
	}{
		{"ours", "target", 1, 0.5, 100, 2, 0}, {"ours", "target", -3, 1.5, 300, 1, 0},
		{"ours", "target", 2, 1, 800, 10, 0},
		{"base", "target", 9, 1, 1000, 50, 0}, {"base", "target", 9, 1, 1000, 30, 0},
		{"cut", "time", 9, 1, 1000, 10, 0},
	} {
		reporttest.Cell(t, fmt.Sprintf("x/%d", i), record.Result{
			Task: record.Task{Problem: "classic/F0_a:n=8"}, Dim: 8, Command: r.method,
			Effort: record.Effort{Evaluations: r.evals, Work: exact.Number(r.evals), Moves: 9 * r.evals,
				Seconds: exact.Number(r.seconds)},
			Ending: reporttest.Ended(r.stop),
			Best:   record.Best{F: 7, Error: one(r.error), Location: one(r.place)},
		}, v)
	}
	m := measuredOf(t, "x")
	for column, want := range map[string]float64{
		"error": 2, "location": 1, "hits": 3, "evaluations": 400, "moves": 3600, "seconds": 2, "rate": 80,
		"move rate": 720, "best": 7, "x base": 20,
	} {
		if got := ours(t, m, "F0_a", "ours", column); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	if got := ours(t, m, "F0_a", "cut", "x base"); !math.IsNaN(got) {
		t.Errorf("a run that was cut is %v times faster", got)
	}
	if got := ours(t, m, "F0_a", "base", "x base"); !math.IsNaN(got) {
		t.Errorf("the baseline is %v times faster than itself", got)
	}
	// A baseline that was cut bounds the ratio from below.
	v.Baselines = []string{"cut", "base"}
	for i, method := range []string{"ours", "cut", "base"} {
		reporttest.Cell(t, fmt.Sprintf("y/%d", i), record.Result{
			Task: record.Task{Problem: "classic/F0_a:n=8"}, Dim: 8, Command: method,
			Ending: reporttest.Ended(map[string]string{"cut": "time", "ours": "target", "base": "finished"}[method]),
			Effort: record.Effort{Evaluations: int64(10 * (i + 1)), Seconds: exact.Number(i + 1)},
		}, v)
	}
	if _, out, _ := call(t, "compare", "y"); !strings.Contains(out, ">2") || !strings.Contains(out, "hits") {
		t.Errorf("no bound in\n%s", out)
	}
	for ratio, want := range map[string]float64{"rate": 6, "move rate": 3} {
		v.Ratio = ratio
		dir := strings.ReplaceAll(ratio, " ", "-")
		for i, effort := range []record.Effort{{Work: 600, Moves: 9000, Seconds: 2},
			{Work: 100, Moves: 3000, Seconds: 2}} {
			reporttest.Cell(t, fmt.Sprintf("%s/%d", dir, i), record.Result{
				Task: record.Task{Problem: "classic/F0_a:n=8"}, Dim: 8, Command: []string{"ours", "base"}[i],
				Ending: reporttest.Ended("evals"), Effort: effort,
			}, v)
		}
		if got := ours(t, measuredOf(t, dir), "F0_a", "ours", "x base"); got != want {
			t.Errorf("%v times the %s, want %v", got, ratio, want)
		}
	}
}

// TestMeasuredTimes checks values after some time, and speed-ups to a value over a method of ours and over a paper.
func TestMeasuredTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	v := record.View{Show: []string{"best", "known", "error", "at 1s", "at 10s"},
		Baselines: []string{"Library", "serial"},
		Ratio:     "value"}
	add := func(dir, method string, best float64, seconds float64, samples ...[2]float64) {
		reporttest.Cell(t, dir, record.Result{
			Task: record.Task{Problem: "maxcut:/data/gset/G81.txt"}, Dim: 20000, Command: method,
			Ending: reporttest.Ended("time"), Effort: record.Effort{Seconds: exact.Number(seconds)},
			Best: record.Best{F: exact.Number(best)},
		}, v, samples...)
		// As in the campaign of the paper.
		forge(t, dir, `"suite": "s"`, `"suite": "bouter2022"`)
		forge(t, dir, `"table": "T"`, `"table": "gset"`)
	}
	add("x/a", "ours", 14000, 30, [2]float64{0.25, 13000}, [2]float64{0.5, 13156}, [2]float64{2, 13800},
		[2]float64{9, 14000})
	add("x/b", "serial", 13800, 30, [2]float64{0.5, 12000}, [2]float64{20, 13800})
	add("x/c", "short", 12000, 3, [2]float64{0.5, 12000})
	m := measuredOf(t, "x", "--paper", "bouter2022")
	for column, want := range map[string]float64{
		"best": 14000, "known": 14060, "error": 60, "at 1s": 13156, "at 10s": 14000,
		"x Library": 30 / 0.5, "x serial": 20. / 2,
	} {
		if got := ours(t, m, "gset/G81", "ours", column); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	if got := ours(t, m, "gset/G81", "short", "at 10s"); !math.IsNaN(got) {
		t.Errorf("a run of 3 s has %v after 10 s", got)
	}
	if got := ours(t, m, "gset/G81", "short", "x serial"); !math.IsNaN(got) {
		t.Errorf("a value that was not reached came %v times sooner", got)
	}
	last := m.Rows[len(m.Rows)-4]
	if last.Method != "Library" || last.Runs != 0 || last.Cells[3].Paper != 8390 || last.Cells[4].Paper != 12252 {
		t.Errorf("%+v", last)
	}
	// Without the paper nothing is known of a graph that has no .bkv.
	if got := ours(t, measuredOf(t, "x"), "gset/G81", "ours", "known"); !math.IsNaN(got) {
		t.Errorf("known %v", got)
	}
}
