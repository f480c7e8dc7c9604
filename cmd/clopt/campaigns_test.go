package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/test/shorttest"
)

// line is the fields of the first line of text that holds all words.
func line(t *testing.T, text string, words ...string) []string {
	t.Helper()
	for l := range strings.Lines(text) {
		fields := strings.Fields(l)
		if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fields, w) }) {
			return fields
		}
	}
	t.Fatalf("no line with %q in\n%s", words, text)
	return nil
}

// TestFerreiro runs some cells of the campaign in their laptop size, and compares its tables with those of the paper.
func TestFerreiro(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	args := []string{"suite", "ferreiro2012", "--scale", "laptop", "--runs", "1", "-d", "0*2", "-q"}
	code, out, errs := call(t, append(args, "--tables", "2,7", "--problems", "f0_a,f0_b,f0_c", "--labels",
		"v0,full,v2 single,v2 double")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"ferreiro2012-laptop, table 2", "ferreiro2012-laptop, table 7",
		"scaled down by --scale laptop", "x V0", "x full", "GeForce GTX 470"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if f := line(t, out, "F0_a", "V0"); f[4] != "1.8776e+09" || f[6] != "1493.8" || f[8] != "-" {
		t.Errorf("%q", f)
	}
	if f := line(t, out, "double"); !slices.Contains(f, "2.1166e-07") || !slices.Contains(f, "1.4669e+07") ||
		!slices.Contains(f, "32.392") {
		t.Errorf("%q", f)
	}
	// The result says how far it is from the optimum, and the table says the same.
	dirs, _ := filepath.Glob("runs/ferreiro2012-laptop/table-7/*double/run-00")
	if len(dirs) != 1 {
		t.Fatal(dirs)
	}
	r := readResult(t, dirs[0])
	if r.Best.Error == nil || r.Best.Location == nil || !(*r.Best.Error > 0 && *r.Best.Error < 0.1) ||
		!(*r.Best.Location > 0 && *r.Best.Location < 0.01) {
		t.Errorf("%+v", r.Best)
	}
	if f := line(t, out, "double"); f[4] != report.Short(*r.Best.Error) ||
		!slices.Contains(f, report.Short(*r.Best.Location)) {
		t.Errorf("%q beside %+v", f, r.Best)
	}
	if code, out, errs := call(t, "plot", "runs/ferreiro2012-laptop", "--kind", "ratio"); code != 0 ||
		out != "ratio.svg: 2 panels, 2 series\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, again, errs := call(t, append(args, "--tables", "2,7", "--problems", "f0_a,f0_b,f0_c", "--labels",
		"v0,full,v2 single,v2 double")...)
	if code != 0 || again != out {
		t.Errorf("exit %d, once more:\n%s%s", code, again, errs)
	}
	if code, compared, _ := call(t, "compare", "runs/ferreiro2012-laptop", "--paper", "ferreiro2012"); code != 0 ||
		compared != out {
		t.Errorf("compare shows something else than the suite:\n%s%s", compared, out)
	}
}

// TestAndrade does the same for C-GRASP.
func TestAndrade(t *testing.T) {
	if !slices.Contains(methods.Names(), "cgrasp") {
		t.Skip("there is no solver cgrasp")
	}
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "suite", "andrade2012", "--scale", "laptop", "--tables", "I", "--problems", "g5", "-q")
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if f := line(t, out, "parallel"); f[2] != "1/1" || !slices.Contains(f, "1.4582") || !slices.Contains(f, "5.63") {
		t.Errorf("%q in\n%s", f, out)
	}
}

// TestBouter runs a campaign without its official graphs, with a warning about the cells that are left out, and then
// continues it with them.
func TestBouter(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"suite", "bouter2022", "--scale", "laptop", "--tables", "A,torus", "--labels", "serial", "-q"}
	code, out, errs := call(t, args...)
	if code != 0 || strings.Contains(out, "setA") ||
		!strings.Contains(errs, "2 of 6 cells are left out: they need official graphs in maxcut/setA; "+
			"give their folder with --data DIR or CLOPT_DATA.") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if f := line(t, out, "tile=8x8,p=0.5,seed=1"); f[1] != "serial" || f[3] != "1/1" {
		t.Errorf("%q", f)
	}
	// A graph whose optimum is in a file beside it, as official ones have it.
	file(t, "data/maxcut/setA/n0000025i00.txt", "4 4\n1 2 1\n2 3 1\n3 4 1\n4 1 1\n")
	file(t, "data/maxcut/setA/n0000025i00.bkv", "4\n")
	code, out, errs = call(t, append(args, "--data", "data")...)
	if code != 0 || !strings.Contains(errs,
		"1 of 6 cells are left out: they need official graphs in maxcut/setA; they are not in data.") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if f := line(t, out, "setA/n0000025i00"); f[3] != "1/1" {
		t.Errorf("%q", f)
	}
	// Graphs have names to choose them by.
	for names, want := range map[string]string{"gset/G81,tile=8x8": "25 of 25", "g22": "22 of 22", "torus": "16 of 16",
		"tile": "47 of 47"} {
		if code, out, errs := call(t, "suite", "bouter2022", "--dry-run", "--runs", "1", "--problems",
			names); code != 0 ||
			!strings.Contains(out, want+" runs to do") {
			t.Errorf("%s: exit %d\n%s%s", names, code, out, errs)
		}
	}
	if code, out, errs := call(t, "plot", "runs/bouter2022-laptop", "--kind", "scaling"); code != 0 ||
		out != "scaling.svg: 2 panels, 2 series\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if svg, _ := os.ReadFile("scaling.svg"); !strings.Contains(string(svg), "seconds to the target") {
		t.Error("a picture without its axis")
	}
}

// TestKnownTarget checks that --target known is the best known value, and an error if none is known.
func TestKnownTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "run", "maxcut:tile=8x8,p=0.5,seed=1", "-s", "gomea", "--set", "variant=serial",
		"--target", "known", "--require-target", "--time", "10s", "--seed", "1", "-q", "--json")
	if code != 0 || !strings.Contains(out, `"reason":"target"`) || !strings.Contains(out, `"error":0,`) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = call(t, "run", "maxcut:gnp=40,p=0.5", "--target", "known", "-q")
	if code != 2 || out != "" || !strings.Contains(errs,
		"--target: no best value of maxcut:gnp=40,p=0.5,weights=unit,seed=1 is known; give a number") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	// A run file says it in the same word.
	if code, out, errs := call(t, "run", "runs/maxcut-tile-8x8-p-0.5-seed-1-gomea-s1/run.toml", "-q",
		"--json"); code != 0 || !strings.Contains(out, `"reason":"target"`) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
