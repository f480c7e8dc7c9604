package reporttest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/exact"
)

// SenseOf returns the sense of a problem: cuts are maximized, and others if they say so.
func SenseOf(problem string) runs.Sense {
	if strings.HasPrefix(problem, "maxcut:") || strings.Contains(problem, "maximize=true") {
		return runs.Maximize
	}
	return runs.Minimize
}

// Trace writes a run with the given pairs of evaluations and best value.
func Trace(t *testing.T, dir, problem string, dim int, solver string, seconds float64, devices int, pairs ...float64) {
	t.Helper()
	r := runs.Result{Problem: problem, Dim: dim, Precision: "fp64", Sense: SenseOf(problem),
		Algorithm: runs.Algorithm{Name: solver, Settings: "a=1"},
		Stop:      runs.Stop{Reason: "evals"}, Seconds: exact.Number(seconds), Best: runs.Best{Confirmed: true}}
	for i := range devices {
		r.Devices = append(r.Devices, runs.Device{ID: i, Share: exact.Number(1 / float64(devices))})
	}
	r.Best.Confirmed = true
	r.Devices = append(r.Devices, runs.Device{ID: devices}) // idle
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	runs.WriteLine(f, runs.StartLine{Type: "start", Time: "2026-01-02T03:04:05Z"})
	for i := 0; i < len(pairs); i += 2 {
		r.Evaluations, r.Work, r.Best.F = int64(pairs[i]), exact.Number(pairs[i]), exact.Number(pairs[i+1])
		s := runs.SampleLine{Type: "sample", Evals: r.Evaluations, Best: r.Best.F, T: exact.Number(pairs[i] / 10)}
		runs.WriteLine(f, s)
		s.Grid, s.Best, s.Evals = new(bool), 1e99, s.Evals+1 // a sample that is not on the grid is not drawn
		runs.WriteLine(f, s)
	}
	runs.WriteLine(f, runs.EndLine{Type: "end"})
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// Cell writes a finished run of a campaign, with samples of (seconds, best).
func Cell(t *testing.T, dir string, r runs.Result, v runs.View, samples ...[2]float64) {
	t.Helper()
	r.Sense = cmp.Or(r.Sense, SenseOf(r.Problem))
	r.Best.Confirmed = true
	r.Cell = &runs.Cell{Suite: "s", Table: "T", Label: r.Command, View: &v}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(dir); err != nil {
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
