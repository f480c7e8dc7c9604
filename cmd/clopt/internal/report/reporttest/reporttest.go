package reporttest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// SenseOf returns the sense of a problem: cuts are maximized, and others if they say so.
func SenseOf(problem string) record.Sense {
	if strings.HasPrefix(problem, "maxcut:") || strings.Contains(problem, "maximize=true") {
		return record.Maximize
	}
	return record.Minimize
}

// Ended returns the end of a run for this reason.
func Ended(reason string) record.Ending { return record.Ending{Stop: record.Stop{Reason: reason}} }

// Trace writes a run with the given pairs of evaluations and best value. The values that it held are larger by 1.
func Trace(t *testing.T, dir, problem string, dim int, solver string, seconds float64, devices int, pairs ...float64) {
	t.Helper()
	task := record.Task{Problem: problem, Sense: SenseOf(problem), Precision: "fp64",
		Algorithm: record.Algorithm{Name: solver, Settings: "a=1"}}
	r := record.Result{Task: task, Dim: dim, Best: record.Best{Confirmed: true},
		Effort: record.Effort{Seconds: exact.Number(seconds)}, Ending: Ended("evals")}
	for i := range devices {
		r.Devices = append(r.Devices, record.Device{ID: i, Share: exact.Number(1 / float64(devices))})
	}
	r.Best.Confirmed = true
	r.Devices = append(r.Devices, record.Device{ID: devices}) // idle
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	record.WriteLine(f, record.Start(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), task, r.Devices))
	for i := 0; i < len(pairs); i += 2 {
		r.Evaluations, r.Work, r.Best.F = int64(pairs[i]), exact.Number(pairs[i]), exact.Number(pairs[i+1])
		s := record.SampleLine{Line: record.Line{Type: "sample"}, Evals: r.Evaluations, F: r.Best.F + 1, Best: r.Best.F,
			T: exact.Number(pairs[i] / 10)}
		record.WriteLine(f, s)
		s.Grid = new(bool)
		s.Best = 1e99
		s.Evals += 1 // a sample that is not on the grid is not drawn
		record.WriteLine(f, s)
	}
	record.WriteLine(f, r.End())
	if err := runs.WriteResult(dir, &r); err != nil {
		t.Fatal(err)
	}
}

// Cell writes a finished run of a campaign, with samples of (seconds, best).
func Cell(t *testing.T, dir string, r record.Result, v record.View, samples ...[2]float64) {
	t.Helper()
	r.Sense = cmp.Or(r.Sense, SenseOf(r.Problem))
	r.Best.Confirmed = true
	r.Cell = &record.Cell{Suite: "s", Table: "T", Label: r.Command, View: &v}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := runs.WriteResult(dir, &r); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, s := range samples {
		lines += fmt.Sprintf(`{"type":"sample","v":1,"t":%g,"evals":1,"best":%g}`+"\n", s[0], s[1])
	}
	if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
}
