package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/solvers/runs"
)

// TestReport writes a page of run folders, and one with another campaign beside it.
func TestReport(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 3 {
		reporttest.Trace(t, fmt.Sprintf("x/%d", i), "cec2013/f2:n=1000", 1000, "masw", 1, 1, 10, 100, 40, float64(10+i))
	}
	fakeRun(t, "x/failed", "cec2013/f2:n=1000", 1000, "", "random", "a=1", 1, "failed")
	if code, out, errs := call(t, "report", "x", "--against", "x"); code != 0 || out != "report.html: 3 runs\n" {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	text, err := os.ReadFile("report.html")
	for _, want := range []string{"equal values", "All runs of random have failed"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v, no %q in %d bytes", err, want, len(text))
		}
	}
	for _, c := range []struct{ args, want string }{{"x -o a.pdf", "must end in .html"}, {"nowhere", "nowhere"},
		{"x --paper nope", "nope"}, {"x --against nowhere", "nowhere"}, {"", "give run folders"}} {
		if code, _, errs := call(t, append([]string{"report"}, strings.Fields(c.args)...)...); code != 2 ||
			!strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d\n%s", c.args, code, errs)
		}
	}
}

// TestPlot draws run folders and the output of clopt bench, and checks the errors of clopt plot.
func TestPlot(t *testing.T) {
	t.Chdir(t.TempDir())
	f2 := "cec2013/f2:n=1000"
	reporttest.Trace(t, "x/a0", f2, 1000, "masw", 1, 1, 10, 100, 20, 50, 40, 10)
	reporttest.Trace(t, "x/a1", f2, 1000, "masw", 1, 1, 10, 300, 40, 30)
	reporttest.Trace(t, "x/a2", f2, 1000, "masw", 1, 1, 20, 200, 30, 20, 40, 20)
	reporttest.Trace(t, "x/b", f2, 1000, "random", 1, 1, 16, 400)
	reporttest.Trace(t, "x/c", "cec2013/f4:n=1000", 1000, "masw", 1, 1, 16, 400, 17,
		0) // 0 has no logarithm: it is put below all others
	if code, said, errs := call(t, "plot", "x", "-o", "c.svg"); code != 0 || said != "c.svg: 2 panels, 3 series\n" ||
		!runs.Exists("c.svg") {
		t.Fatalf("exit %d\n%s%s", code, said, errs)
	}
	first, _ := os.ReadFile("c.svg")
	for _, args := range []string{"x -o c.jsonl", "c.jsonl -o c.svg"} { // by way of the numbers it is the same picture
		if code, _, errs := call(t, append([]string{"plot"}, strings.Fields(args)...)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	if again, _ := os.ReadFile("c.svg"); string(again) != string(first) {
		t.Error("the picture that is drawn from numbers is another one")
	}
	if code, said, errs := call(t, "plot", "x", "--kind", "ecdf", "--by", "time"); code != 0 ||
		said != "ecdf.svg: 1 panel, 2 series\n" {
		t.Errorf("exit %d\n%s%s", code, said, errs)
	}
	if code, said, errs := call(t, "plot", "x", "--kind", "fixed-target", "--by", "time"); code != 0 ||
		said != "fixed-target.svg: 2 panels, 3 series\n" {
		t.Errorf("exit %d\n%s%s", code, said, errs)
	}
	os.RemoveAll("x")
	for devices, seconds := range map[int]float64{1: 8, 2: 4.1, 4: 2.2} {
		reporttest.Trace(t, fmt.Sprintf("x/%d", devices), "cec2013/f1:n=4000", 4000, "masw", seconds, devices, 100, 5)
	}
	bench, _ := json.Marshal(report.Bench{Format: "clopt-bench", Kernels: []report.BenchLine{
		{Kernel: "evaluate", Device: "H", Problem: "cec2013/f1", Dim: 1000, Precision: "fp64", Speed: 5e9},
	}})
	file(t, "bench.json", string(bench))
	for _, kind := range []string{"speedup", "throughput"} {
		if code, out, errs := call(t, "plot", "x", "--kind", kind); code != 0 || !runs.Exists(kind+".svg") {
			t.Errorf("exit %d\n%s%s", code, out, errs)
		}
	}
	if code, out, errs := call(t, "plot", "bench.json", "--kind", "throughput", "-o", "b.svg"); code != 0 ||
		!strings.Contains(out, "1 panel, 1 series") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	file(t, "no.json", "{}")
	for want, args := range map[string]string{
		"give run folders": "", `"convergence"`: "x --kind convergance", "c.pdf": "x -o c.pdf",
		"rsvg-convert":     "x -o c.png",
		"nowhere":          "nowhere",
		"not clopt-figure": "bench.json",
		"not clopt-bench":  "no.json --kind throughput", `"time"`: "x --by tme",
		"different numbers of devices": "x/1 --kind speedup", "met a target (--target)": "x --kind ttt",
		"several numbers of variables": "x --kind scaling", "with baselines": "x --kind ratio",
	} {
		if code, out, errs := call(t, append([]string{"plot"}, strings.Fields(args)...)...); code != 2 || out != "" ||
			!strings.Contains(errs, want) {
			t.Errorf("plot %s: exit %d, want %q\n%s", args, code, want, errs)
		}
	}
}
