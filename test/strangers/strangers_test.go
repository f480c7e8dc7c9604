package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// written writes the objectives to a folder, and returns them.
func written(t *testing.T) []objective {
	t.Helper()
	dir := t.TempDir()
	if err := writeObjectives(dir); err != nil {
		t.Fatal(err)
	}
	all, err := find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestObjectives parses all objectives, evaluates them with every read watched, as clopt check does, and compares their
// values at one point with those of references that are written in Go.
func TestObjectives(t *testing.T) {
	all := written(t)
	if len(all) != 30 || len(references) != len(all) {
		t.Errorf("%d objectives and %d references, not 30", len(all), len(references))
	}
	for _, o := range all {
		if o.title == o.name {
			t.Errorf("%s has no title in its first line", o.name)
		}
	}
	devices := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, o := range shorttest.Rows(2, all) {
		t.Run(o.name, func(t *testing.T) {
			p, err := opencl.ParseFile(o.path, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := trial.Run(t.Context(), devices, p, problems.FP64); err != nil {
				t.Error(err)
			}
			x := make([]float64, o.n)
			d := &draws{}
			for i := range x {
				lo, hi := p.Domain().Interval(i)
				x[i] = d.uniform(lo, hi)
			}
			values, err := shard.Evaluate(t.Context(), devices, p, problems.FP64, [][]float64{x})
			if err != nil {
				t.Fatal(err)
			}
			want := references[o.name](x, files{t, filepath.Dir(o.path)})
			if got := values[0]; !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("%v, and the reference is %v", got, want)
			}
		})
	}
}

// TestObjectivesOnHost compares the values of all objectives, as the host reads their texts, with the references.
func TestObjectivesOnHost(t *testing.T) {
	for _, o := range written(t) {
		p, err := opencl.ParseFile(o.path, 0)
		if err != nil {
			t.Fatal(err)
		}
		x, d := make([]float64, o.n), &draws{}
		for i := range x {
			lo, hi := p.Domain().Interval(i)
			x[i] = d.uniform(lo, hi)
		}
		h, err := problems.OnHost(p, problems.FP64)
		if err != nil {
			t.Errorf("%s: %v", o.name, err)
			continue
		}
		sums, _, err := h.Sum(p.Tiling().M, x, host.PointWork)
		if err != nil {
			t.Errorf("%s: %v", o.name, err)
			continue
		}
		want := references[o.name](x, files{t, filepath.Dir(o.path)})
		if got := p.Objective(sums); !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%s: %v, and the reference is %v", o.name, got, want)
		}
	}
}

// TestStudy makes a study of three objectives and three settings, one of which refuses them.
func TestStudy(t *testing.T) {
	shorttest.Out(t)
	dir := t.TempDir()
	bin := filepath.Join(dir, "clopt")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/clopt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := writeObjectives(dir); err != nil {
		t.Fatal(err)
	}
	all, err := find(dir, []string{"levy", "trap", filepath.Join(dir, "sensors.cl")})
	if err != nil {
		t.Fatal(err)
	}
	r := runner{bin: bin, device: "0", time: 500 * time.Millisecond, seed: 1, jobs: 2, runs: filepath.Join(dir, "runs")}
	ends, err := r.all(t.Context(), all, []string{"-s random", "-s graybox --set search=mts", "-s lm"},
		time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := printTable(&text, r, all, ends); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	refused := 0
	for _, e := range ends {
		if e.refused {
			refused++
		}
		if e.failure != "" {
			t.Error(e)
		}
	}
	if len(ends) != 12 || refused != 3 {
		t.Errorf("%d runs, of which %d were refused, not 12 and 3", len(ends), refused)
	}
	for _, want := range []string{"\n| Levy's function, nothing declared | 60 | relay | ", " of 3 cases "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table has no %q", want)
		}
	}
}

// TestNewRow compares values without runs.
func TestNewRow(t *testing.T) {
	ends := []end{
		{objective: "o", f: 3},
		{objective: "o", setting: "-s random", method: "random", f: 11},
		{objective: "o", setting: "-s sa", method: "sa", f: 1},
		{objective: "o", setting: "-s cgrasp", method: "cgrasp", f: 99},
		{objective: "o", setting: "-s lm", refused: true},
		{objective: "o", setting: "-s masw", failure: "it crashed"},
		{objective: "p", setting: "-s sa", f: -5},
	}
	r, ok := newRow(objective{name: "o"}, ends)
	if !ok || r.best.setting != "-s sa" || r.gap != 0.2 {
		t.Errorf("%+v, %v; the gap is not 0.2", r, ok)
	}
	if _, ok := newRow(objective{name: "p"}, ends); ok {
		t.Error("a row without a run of the default method")
	}
}

// TestReports reads all problems of public reports. None has a warning, and the answers of
// those with few variables are the smallest of all points.
func TestReports(t *testing.T) {
	dir := t.TempDir()
	all, err := writeReports(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		p, err := catalog.Parse(r.spec(dir), problems.Options{})
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		if len(p.Info().Warnings) > 0 {
			t.Errorf("%s: %s", r.name, p.Info().Warnings)
		}
		d := p.Domain()
		if cut, ok := p.(problems.Cut); ok && d.N <= 10 {
			best, x, sides := math.Inf(1), make([]float64, d.N), make([]uint8, cut.Graph().N())
			for point := range 1 << d.N {
				for i := range x {
					x[i] = float64(point >> i & 1)
				}
				cut.Side(x, sides)
				best = min(best, cut.Value(cut.Graph().Cut(sides)))
			}
			if math.Abs(math.Abs(best)-math.Abs(r.answer)) > 1e-9 { // cuts are maximized
				t.Errorf("%s: the smallest value is %v, and the answer %v", r.name, best, r.answer)
			}
		}
	}
}
