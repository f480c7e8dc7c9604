package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/shorttest"
)

// TestRunFolder checks that a run leaves a complete folder, and that its run.toml repeats the run bit for bit.
func TestRunFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "run", "cec2013/f2", "-s", "random", "--evals", "3k", "--seed", "7", "--set",
		"batch=100",
		"--name", "a")
	if code != 0 || !strings.Contains(errs, "generated data, not the official instance") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	for _, want := range []string{"confirmed by the host", "limit of ", "clopt run runs/a/run.toml", "best.npy"} {
		if !strings.Contains(out, want) {
			t.Errorf("the summary does not contain %q:\n%s", want, out)
		}
	}
	if strings.ContainsAny(errs, "\r\x1b") {
		t.Errorf("control codes without a terminal: %q", errs)
	}
	r := readResult(t, "runs/a")
	if r.Format != "clopt-result" || r.Seed != 7 || r.Evaluations != 3000 || r.Stop.Reason != "evals" ||
		!r.Best.Confirmed || r.Data != "generated" || r.ExitCode != 0 || r.Folder != "" || len(r.Devices) == 0 ||
		*r.Best.XFile != "best.npy" {
		t.Errorf("result: %+v", r)
	}
	if _, err := os.Stat("runs/a/lock"); err == nil {
		t.Error("the lock is still there")
	}
	all := lines(t, readText(t, "runs/a/trace.jsonl"))
	first, last := all[0], all[len(all)-1]
	if first["type"] != "start" || last["type"] != "end" || last["stop"] != "evals" || last["evals"] != 3000.0 ||
		all[len(all)-2]["evals"] != 3000.0 {
		t.Errorf("trace from %v to %v", first, last)
	}
	if last["best"] != float64(r.Best.F) {
		t.Errorf("best %v and %v", last["best"], r.Best.F)
	}
	// clopt eval finds the same value.
	_, value, _ := call(t, "eval", "cec2013/f2", "--x", "runs/a/best.npy", "--host")
	if f, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || f != float64(r.Best.FHost) {
		t.Errorf("eval --host: %q, result has %v", value, r.Best.FHost)
	}
	_, value, _ = call(t, "eval", "cec2013/f2", "--x", "runs/a/best.npy")
	if f, _ := strconv.ParseFloat(strings.TrimSpace(value), 64); math.Abs(f-float64(r.Best.F)) > 1e-9*math.Abs(f) {
		t.Errorf("eval: %q, result has %v", value, r.Best.F)
	}
	if code, _, errs := call(t, "run", "runs/a/run.toml", "--name", "a", "-q"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if text := readText(t, "runs/a/run.toml"); !strings.Contains(text, "problem = \"cec2013/f2\"\n") ||
		!strings.Contains(text, "dim = \"1000\"\n") {
		t.Error(text)
	}
	if code, out, errs := call(t, "run", "runs/a", "-n", "2000", "--mem", "50%", "--dry-run"); code != 0 ||
		!strings.Contains(out, "n=2000") {
		t.Errorf("a flag does not win over the run file: exit %d\n%s%s", code, out, errs)
	}
	if gridOf(t, "runs/a") != gridOf(t, "runs/a.2") ||
		readText(t, "runs/a/best.npy") != readText(t, "runs/a.2/best.npy") {
		t.Error("the run file does not repeat the run")
	}
}

// TestRuns checks that run r alone and run r among others give the same bits.
func TestRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"run", "cec2013/f2", "-s", "random", "--evals", "2k", "--seed", "7", "-q"}
	code, out, errs := call(t, append(args, "--runs", "3", "--name", "all")...)
	if code != 0 || !strings.Contains(out, "median") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := call(t, append(args, "--first-run", "2", "--name", "two")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if gridOf(t, "runs/all/run-02") != gridOf(t, "runs/two") {
		t.Error("run 2 alone differs")
	}
	if gridOf(t, "runs/all/run-01") == gridOf(t, "runs/two") {
		t.Error("runs 1 and 2 are equal")
	}
	// Annealing runs of chains share launches, and each has its own folder.
	args = strings.Fields("run rastrigin -n 9 -s sa --set chains=200 --set N=7 --set T0=10 --set Tmin=0.1 " +
		"--set rho=0.5 --seed 7 --status plain")
	code, out, errs = call(t, append(args, "--runs", "3", "--name", "together", "--checkpoint", "off")...)
	if code != 0 || !strings.Contains(out, "median") || !strings.Contains(errs, "runs 0 to 2 are made together") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := call(t, append(args, "--first-run", "2", "--name", "one")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if newestOf("runs/together/run-02") != "" {
		t.Error("a checkpoint in spite of --checkpoint off")
	}
	if gridOf(t, "runs/together/run-02") != gridOf(t, "runs/one") ||
		readText(t, "runs/together/run-02/best.npy") != readText(t, "runs/one/best.npy") {
		t.Error("run 2 alone differs from run 2 among others")
	}
	for _, r := range []string{"00", "01", "02"} {
		if r := readResult(t, "runs/together/run-"+r); !r.Best.Confirmed || r.ExitCode != 0 {
			t.Errorf("%+v", r)
		}
	}
	var sum job.Summary
	if err := json.Unmarshal([]byte(readText(t, "runs/all/summary.json")), &sum); err != nil || len(sum.Runs) != 3 ||
		sum.Best > sum.Median || sum.Median > sum.Worst {
		t.Errorf("%+v, %v", sum, err)
	}
	for _, f := range []string{"runs/all/summary.json", "runs/two/result.json"} {
		var m map[string]any
		json.Unmarshal([]byte(readText(t, f)), &m)
		for _, key := range []string{"version", "scenarios", "function_id"} {
			if _, ok := m[key]; ok {
				t.Errorf("%s has a key %q", f, key)
			}
		}
	}
}

// TestParts checks that decisions by parts are better than by points; that three devices give the same bits; and that
// masw-seq finds the same on device and host.
func TestParts(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	last := math.Inf(1)
	for k, set := range []string{"-s masw", "-s graybox"} {
		name := fmt.Sprint("a", k)
		args := "run cec2013/f1 -n 1e4 --evals 2000 --seed 1 -q --name " + name + " " + set
		if code, _, errs := call(t, strings.Fields(args)...); code != 0 {
			t.Fatalf("clopt %s: exit %d\n%s", args, code, errs)
		}
		r := readResult(t, "runs/"+name)
		if f := float64(r.Best.F); f > last/1.5 || !r.Best.Confirmed || r.Evaluations > 2000 || float64(r.Work) > 2000 {
			t.Errorf("%q: %v after %d evaluations, confirmed %v; before %v", set, f, r.Evaluations, r.Best.Confirmed,
				last)
		} else {
			last = f
		}
	}
	if code, _, errs := call(t, strings.Fields("run runs/a1/run.toml -q --name three -d 0*3")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if gridOf(t, "runs/a1") != gridOf(t, "runs/three") ||
		readText(t, "runs/a1/best.npy") != readText(t, "runs/three/best.npy") {
		t.Error("three devices give another result than one")
	}
	var f [2]float64
	for k, on := range []string{"device", "host"} {
		args := "run cec2013/f2 -s masw-seq --evals 700 --seed 3 -q --name " + on + " --set on=" + on
		if code, _, errs := call(t, strings.Fields(args)...); code != 0 {
			t.Fatalf("%s: exit %d\n%s", on, code, errs)
		}
		r := readResult(t, "runs/"+on)
		if f[k] = float64(r.Best.F); !r.Best.Confirmed || on == "host" && float64(r.Devices[0].Share) > 0 {
			t.Errorf("%s: %+v", on, r)
		}
	}
	if math.Abs(f[0]-f[1]) > 1e-9*f[1] {
		t.Errorf("masw-seq finds %v on the device and %v on the host", f[0], f[1])
	}
}

// TestX0 checks that start points are stored in the run folder, which may be moved.
func TestX0(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "x0.txt", strings.Repeat("0.001 ", 20)+"\n")
	code, _, errs := call(t, "run", "sphere.cl", "-n", "20", "--x0", "x0.txt", "--evals", "500", "--seed", "1",
		"--name", "a")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if r := readResult(t, "runs/a"); r.Best.F > 20e-6+1e-17 {
		t.Errorf("best %g is worse than the start point", float64(r.Best.F))
	}
	os.Remove("x0.txt")
	if err := os.Rename("runs/a", "moved"); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t, "run", "moved", "--name", "b"); code != 0 || gridOf(t, "moved") != gridOf(t, "runs/b") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestXFormats checks the files of the best point in all formats.
func TestXFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for _, format := range []string{"npy", "txt", "none"} {
		if code, _, errs := call(t, "run", "sphere.cl", "-n", "20", "--evals", "500", "--seed", "1", "--x-format",
			format, "--name", format); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	a, err := input.ReadPoints("runs/npy/best.npy", 20)
	if err != nil {
		t.Fatal(err)
	}
	b, err := input.ReadPoints("runs/txt/best.txt", 20)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if a.X[0][i] != b.X[0][i] {
			t.Errorf("variable %d: %v and %v", i, a.X[0][i], b.X[0][i])
		}
	}
	if r := readResult(t, "runs/none"); r.Best.XFile != nil {
		t.Error("--x-format none wrote a file")
	}
}

// TestChosenMethod checks that a run without --solver shows which method was chosen and why, and that run.toml holds
// the choice, so that it is repeated and resumed with the same settings.
func TestChosenMethod(t *testing.T) {
	t.Chdir(t.TempDir())
	const chosen = "masw Population=5 mates=1, because "
	file(t, "whole.cl", "//@ n 5001\n//@ bounds -2 3\n//@ components 1\n//@ reads whole\n"+
		"static void component(uint k, point x, data d, real *acc) { real v = at(x, 1); acc[0] += v*v + "+
		"0*as_int((float)v); }\n")
	args := []string{"run", "whole.cl", "--precision", "fp32", "--evals", "300", "--set", "Population=5", "--seed", "1"}
	if code, out, errs := call(t, append(args, "--dry-run")...); code != 0 || !strings.Contains(out, chosen) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, _, errs := call(t, append(args, "--name", "a")...)
	if code != 0 || !strings.Contains(errs, chosen) || !strings.Contains(errs, "the published algorithm has mates=3") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	for _, key := range []string{`solver = "masw"`, `"mates=1"`, `"Population=5"`} {
		if text := readText(t, "runs/a/run.toml"); !strings.Contains(text, key) {
			t.Errorf("no %s in\n%s", key, text)
		}
	}
	if code, _, errs := call(t, "run", "runs/a", "--name", "b"); code != 0 || strings.Contains(errs, "because") ||
		gridOf(t, "runs/a") != gridOf(t, "runs/b") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if code, _, errs := call(t, "resume", "runs/a", "--evals", "400"); code != 0 || strings.Contains(errs, "because") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	// The schedule that was fitted to the first limit of time holds for the resumed run as well.
	args = strings.Fields("run griewank -n 1000 -s sa --set variant=sweeps --seed 1 --time 50ms --checkpoint 1ns " +
		"--name c")
	if code, _, errs := call(t, args...); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if code, _, errs := call(t, "resume", "runs/c", "--time", "1s"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
