package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/test/shorttest"
)

// TestBench checks that bench measures every step, that its numbers agree with each other, and that plot draws them.
func TestBench(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	code, out, errs := call(t, "bench", "--json", "--problems", "cec2013/f2,sphere.cl", "-n", "1000", "--set",
		"population=4", "-d", "0*2")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	var b report.Bench
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil || b.Format != "clopt-bench" || len(b.Devices) != 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, dev := range b.Devices {
		// A processor's core makes more than this, and no device known so much.
		if dev.Copy < 1e8 || dev.Copy > 1e14 || dev.FMA64 < 1e8 || dev.FMA64 > 1e16 || dev.FMA32 < 1e8 {
			t.Errorf("%+v", dev)
		}
	}
	seen := map[string]int{}
	for _, k := range b.Kernels {
		step, kernel, inside := strings.Cut(k.Kernel, "/")
		seen[step]++
		if (k.Clock == "device") != inside || k.Seconds <= 0 || k.Fastest > k.Seconds || k.Times < 5 {
			t.Errorf("%+v", k)
		}
		if !inside || kernel == "eval_tiles" {
			points := map[string]int{"evaluate": 4, "generation": 4, "local search": 4, "both signs": 8}[step]
			speed := float64(points*k.Dim) / float64(k.Seconds)
			if k.Points != points || !near(k.Speed, speed, 1e-12) || !(k.CopyShare > 0) ||
				!near(k.FMA, float64(b.Devices[0].FMA64)/2/speed, 2) {
				t.Errorf("%+v", k)
			}
		} else if !math.IsNaN(float64(k.Speed)) {
			t.Errorf("%s evaluates nothing: %+v", kernel, k)
		}
		if k.Checked != (k.Problem == "cec2013/f2") {
			t.Errorf("%s has no host reference: %+v", k.Problem, k)
		}
	}
	for _, step := range []string{"evaluate", "generation", "local search", "both signs"} {
		if seen[step] < 2*2 {
			t.Errorf("%d lines of %s", seen[step], step)
		}
	}
	file(t, "bench.json", out)
	if code, out, errs := call(t, "plot", "bench.json", "--kind", "throughput"); code != 0 ||
		!strings.Contains(out, "series") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = call(t, "bench", "--problems", "cec2013/f2,cec2013/f7", "-n", "1000", "--steps=false",
		"--precision", "fp32", "--set", "population=4", "-v")
	if code != 0 || !strings.Contains(out, "evaluate/eval_tiles") || strings.Contains(out, "generation") ||
		!strings.Contains(errs, "! cec2013/f7, n = 1000: ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestBenchSweeps checks that variables per second of the sweeps of annealing are moves per second.
func TestBenchSweeps(t *testing.T) {
	code, out, errs := call(t, "bench", "-s", "sa", "--problems", "classic/rastrigin,classic/ackley", "-n", "2000",
		"--set", "N=3", "-v", "-d", "0")
	if code != 0 || strings.Count(out, " sweeps ") != 2 || !strings.Contains(out, "sweeps/anneal_sweep_move") ||
		!strings.Contains(out, "sweeps/anneal_sweep_sums") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for set, want := range map[string]string{"variant=v2": "not variant=v2", "T0=1": "leave T0",
		"local=coordinate": "leave local", "chains=5": "no chains", "population=5": "has no setting"} {
		if code, _, errs := call(t, "bench", "-s", "sa", "--problems", "classic/rastrigin", "-n", "2000", "--set",
			set, "-d",
			"0"); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d\n%s", set, code, errs)
		}
	}
	if code, _, errs := call(t, "bench", "-s", "gomea"); code != 2 ||
		!strings.Contains(errs, "not one of masw, sa") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestBenchFirst measures the first value of a graph, and shows an objective that is wrong beside it. Its caches are
// empty, so that it waits for compilers.
func TestBenchFirst(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	file(t, "wrong.cl", "//@ bounds 0 1\n//@ n rows(nothing)\n")
	args := []string{"bench", "--first", "--problems", "maxcut:torus=10x10,*.cl", "-d", "0"}
	code, out, errs := call(t, append(args, "--json")...)
	var b report.Bench
	if err := json.Unmarshal([]byte(out), &b); code != 0 || err != nil || len(b.First) != 2 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	for _, one := range []report.FirstRun{b.First[0].Empty, b.First[0].Stored} {
		sum := 0.0
		for stage, s := range one.Stages {
			if stage != "first" { // some of it is search
				sum += float64(s)
			}
		}
		if !(float64(one.Seconds) >= sum) || sum == 0 || one.Programs == 0 || one.Processor <= 0 {
			t.Errorf("%+v", one)
		}
	}
	if f := b.First[0]; f.Dim != 100 || !(f.Uniform > 0) || f.Empty.Goal <= f.Stored.Goal {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(b.First[1].Failure, "wrong.cl") {
		t.Errorf("%+v", b.First[1])
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "clopt-first-*")); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// TestFirstTable shows first values with the goals of a processor and of a GPU, and marks those that are late.
func TestFirstTable(t *testing.T) {
	value := func(n int, empty, stored exact.Number, known bool, on cl.Type) report.FirstValue {
		f := report.FirstValue{Problem: "p.cl", Dim: n, Method: "relay", Known: known,
			Empty: report.FirstRun{Seconds: empty}, Stored: report.FirstRun{Seconds: stored}}
		f.SetGoals(on)
		return f
	}
	var table strings.Builder
	err := report.WriteFirst(&table, []report.FirstValue{value(1000, 4, 1.5, false, cl.CPU),
		value(1e6, 6.5, 2.5, false, cl.CPU), value(1000, 0.3, 0.5, true, cl.GPU),
		value(1000, exact.Number(math.NaN()), 0.1, false, cl.GPU), {Problem: "wrong.cl", Failure: "it is wrong"}})
	rows := strings.Split(table.String(), "\n")
	for i, want := range []string{"empty cache", "4.00 s 4 0.00 1.50 s ! 1 ", "6.50 s ! 6 0.00 2.50 s 3 ",
		"0.30 s (n is new) 0.4 0.00 0.50 s ! 0.4 ", "no value ! 2 0.00 0.10 s 0.4 ", "! wrong.cl: it is wrong",
		"2 of 4 within the goal with an empty cache, 2 of 4 again; ! is late"} {
		if err != nil || !strings.Contains(strings.Join(strings.Fields(rows[i]), " "), want) {
			t.Errorf("row %d: %v\n%s\nwant %s", i, err, rows[i], want)
		}
	}
	if code, _, errs := call(t, "bench", "--first", "--problems", "none*.cl"); code != 2 ||
		!strings.Contains(errs, "no file matches none*.cl") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
