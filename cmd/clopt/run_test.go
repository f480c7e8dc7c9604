package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/shorttest"
)

// These tests need an OpenCL device; without one they fail, as they must.

// lines reads a stream of JSON objects strictly: every line one object, no
// unknown field, no repeated key.
func lines(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("line %d: %v: %q", i+1, err, line)
		}
		for key := range m {
			// At the top level only: devices repeat each other's keys.
			top, _, _ := strings.Cut(line, `"devices":`)
			if strings.Count(top, `"`+key+`":`) > 1 {
				t.Fatalf("line %d: %q twice: %q", i+1, key, line)
			}
		}
		var typed any
		switch m["type"] {
		case "start":
			typed = &runs.StartLine{}
		case "sample":
			typed = &runs.SampleLine{}
		case "event":
			typed = &runs.EventLine{}
		case "end":
			typed = &runs.EndLine{}
		default:
			t.Fatalf("line %d: type %v", i+1, m["type"])
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(typed); err != nil {
			t.Fatalf("line %d: %v: %q", i+1, err, line)
		}
		all = append(all, m)
	}
	return all
}

func readText(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func readResult(t *testing.T, dir string) runs.Result {
	t.Helper()
	var r runs.Result
	d := json.NewDecoder(strings.NewReader(readText(t, dir, "result.json")))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRunFolder: a run leaves a complete folder, which repeats it bit for bit.
func TestRunFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "run", "cec2013/f2", "-s", "random", "--evals", "3k", "--seed", "7", "--set", "batch=100",
		"--name", "a")
	if code != 0 || !strings.Contains(errs, "data=generated") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	for _, want := range []string{"confirmed by the host", "evals:", "clopt run runs/a/run.toml", "best.npy"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the summary:\n%s", want, out)
		}
	}
	if strings.ContainsAny(errs, "\r\x1b") {
		t.Errorf("control codes off a terminal: %q", errs)
	}
	r := readResult(t, "runs/a")
	if r.Format != "clopt-result" || r.Seed != 7 || r.Evaluations != 3000 || r.Stop.Reason != "evals" ||
		!r.Best.Confirmed ||
		r.Data != "generated" || r.ExitCode != 0 || r.Folder != "" || len(r.Devices) == 0 || *r.Best.XFile != "best.npy" {
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
	// The point has the value, by eval too.
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
		t.Errorf("a flag goes before the run file: exit %d\n%s%s", code, out, errs)
	}
	if gridOf(t, "runs/a") != gridOf(t, "runs/a.2") || readText(t, "runs/a/best.npy") != readText(t, "runs/a.2/best.npy") {
		t.Error("the run file does not repeat the run")
	}
}

// TestRuns: run r alone has the bits that it has among others.
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
	// Runs of small problems by blocks share launches; each has its own folder all the same.
	args = strings.Fields("run cec2013/f2 -s graybox --set population=8 --evals 200 --seed 7 --status plain")
	code, out, errs = call(t, append(args, "--runs", "3", "--name", "together", "--checkpoint", "off")...)
	if code != 0 || !strings.Contains(out, "median") || !strings.Contains(errs, "runs 0 to 2 are made together") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := call(t, append(args, "--first-run", "2", "--name", "one")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if _, _, errs := call(t, append(args, "--runs", "2", "--name", "stored", "--checkpoint",
		"auto")...); strings.Contains(errs, "made together") {
		t.Errorf("runs that are to have checkpoints: %s", errs)
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

// TestStatusJSON: standard error holds strict lines only, standard output the
// result on one line.
func TestStatusJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	code, out, errs := call(t, "run", "sphere.cl", "-n", "20", "--evals", "2000", "--status", "json", "--json")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	all := lines(t, errs)
	if all[0]["type"] != "start" || all[len(all)-1]["type"] != "end" {
		t.Errorf("from %v to %v", all[0], all[len(all)-1])
	}
	if !strings.Contains(errs, "(drawn)") {
		t.Error("the drawn seed is not shown")
	}
	var r runs.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || strings.Count(out, "\n") != 1 || r.Folder == "" {
		t.Fatalf("%v: %q", err, out)
	}
	if _, err := os.Stat(filepath.Join(r.Folder, "result.json")); err != nil {
		t.Error(err)
	}
	// A run that fails in the middle ends its stream as well.
	file(t, "nan.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(-1.0 - sq(at(x, k)))", 1))
	code, _, errs = call(t, "run", "nan.cl", "-n", "20", "--evals", "2000", "--status", "json")
	all = lines(t, errs)
	if end := all[len(all)-1]; code != 9 || end["type"] != "end" || end["exit_code"] != 9.0 || end["best"] != nil {
		t.Errorf("exit %d, end %v", code, end)
	}
}

// TestCodes: the exit codes that need a device.
func TestCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "bad.cl", strings.Replace(sphereText, "sq(", "squared(", 1))
	file(t, "nan.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(-1.0 - sq(at(x, k)))", 1))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run sphere.cl -n 20 --evals 2000 --target -1 --require-target", 11, "evals: "},
		{"run sphere.cl -n 20 --evals 2000 --target 1e9 --require-target", 0, "target: "},
		{"run bad.cl -n 20 --evals 2000", 4, "bad.cl:7:15: error: "},
		{"run nan.cl -n 20 --evals 2000", 9, "no finite value"},
		{"run sphere.cl -n 20 --evals 10", 2, "10"},
		{"run sphere.cl -n 20 --dry-run", 0, "fits"},
		{"run cec2013/f2 -n 1e9 --dry-run", 5, "does not fit"},
		{"run cec2013/f2 -n 1e9 -q", 5, "Ways out"},
		{"eval sphere.cl -n 2 --x points.txt --host", 2, "no host reference"},
	} {
		file(t, "points.txt", "1 2\n-3 4\n")
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) || strings.Contains(errs, "internal error") {
			t.Errorf("clopt %s: exit %d, want %d and %q:\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	// A folder that no run ever used does not stay.
	if left, _ := filepath.Glob("runs/bad*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestBlockAcceptance: decided by blocks the value falls faster, by parts of them
// faster still, along one variable after the other fastest; the same on three devices; the sequential method on device and host.
func TestBlockAcceptance(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	last := math.Inf(1)
	for k, set := range []string{"", "-s graybox", "-s graybox --set grain=50",
		"-s graybox --set grain=50 --set population=10 --set search=mts"} {
		name := fmt.Sprint("a", k)
		args := "run cec2013/f1 -n 1e4 --evals 2000 --seed 1 -q --name " + name + " " + set
		if code, _, errs := call(t, strings.Fields(args)...); code != 0 {
			t.Fatalf("clopt %s: exit %d\n%s", args, code, errs)
		}
		r := readResult(t, "runs/"+name)
		if f := float64(r.Best.F); f > last/1.5 || !r.Best.Confirmed || r.Evaluations > 2000 || float64(r.Work) > 2000 {
			t.Errorf("%q: %v after %d evaluations, confirmed %v; before %v", set, f, r.Evaluations, r.Best.Confirmed, last)
		} else {
			last = f
		}
	}
	if code, _, errs := call(t, strings.Fields("run runs/a1/run.toml -q --name three -d 0*3")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if gridOf(t, "runs/a1") != gridOf(t, "runs/three") ||
		readText(t, "runs/a1/best.npy") != readText(t, "runs/three/best.npy") {
		t.Error("three devices find something else")
	}
	var f [2]float64
	for k, on := range []string{"device", "host"} {
		if code, _, errs := call(t, strings.Fields("run cec2013/f2 -s masw-seq --evals 700 --seed 3 -q --name "+on+" --set on="+on)...); code != 0 {
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

// TestEval: values in order, from standard input too, not finite ones by name.
func TestEval(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	code, out, errs := callWith(t, context.Background(), "1 2\n-3 4\n# outside the box is legal\n100 0\n", "eval",
		"sphere.cl", "--x", "-")
	if code != 0 || out != "5\n25\n10000\n" {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
	file(t, "log.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(at(x, k))", 1))
	code, out, _ = callWith(t, context.Background(), "1 1\n0 1\n-1 1\n", "eval", "log.cl", "--x", "-", "-n", "2")
	if code != 0 || out != "0\n-Inf\nNaN\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	code, out, errs = callWith(t, context.Background(), "1 nan\n", "eval", "sphere.cl", "--x", "-")
	if code != 2 || out != "" || !strings.Contains(errs, "stdin:1:3") {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
}

// TestX0: start points travel with the folder.
func TestX0(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "x0.txt", "0.001 0.001\n")
	code, _, errs := call(t, "run", "sphere.cl", "-n", "2", "--x0", "x0.txt", "--evals", "500", "--seed", "1", "--name",
		"a")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if r := readResult(t, "runs/a"); r.Best.F > 2e-6+1e-18 {
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

func TestXFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for _, format := range []string{"npy", "txt", "none"} {
		if code, _, errs := call(t, "run", "sphere.cl", "-n", "3", "--evals", "500", "--seed", "1", "--x-format", format,
			"--name", format); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	a, err := input.ReadPoints("runs/npy/best.npy", 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := input.ReadPoints("runs/txt/best.txt", 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if a.X[0][i] != b.X[0][i] {
			t.Errorf("variable %d: %v and %v", i, a.X[0][i], b.X[0][i])
		}
	}
	if r := readResult(t, "runs/none"); r.Best.XFile != nil {
		t.Error("a file for --x-format none")
	}
}

// closedPipe fails like a pipe whose reader has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// fullDisk fails like a file on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestClosedStreams: a run stores its result without stdout and stderr.
func TestClosedStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for i, stdout := range []interface{ Write([]byte) (int, error) }{closedPipe{}, fullDisk{}} {
		name := strconv.Itoa(i)
		args := []string{"run", "sphere.cl", "-n", "20", "--evals", "500", "--name", name}
		if code := run(context.Background(), args, strings.NewReader(""), stdout, stdout); code != 0 {
			t.Errorf("exit %d", code)
		}
		readResult(t, "runs/"+name)
	}
	// Where standard output is the only place for a result, it matters.
	var errs bytes.Buffer
	if code := run(context.Background(), []string{"list", "problems"}, nil, fullDisk{}, &errs); code != exit.Output {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if code := run(context.Background(), []string{"list", "problems"}, nil, closedPipe{}, &errs); code != 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

func TestNoDevice(t *testing.T) {
	if os.Getenv("CLOPT_TEST_CHILD") != "" {
		os.Exit(run(context.Background(), strings.Fields(os.Getenv("CLOPT_TEST_CHILD")), os.Stdin, os.Stdout, os.Stderr))
	}
	// The loader reads its environment once, so this needs another process.
	for args, want := range map[string]int{"run cec2013/f1": 3, "selftest": 3, "devices --json": 0, "devices": 0} {
		code, out := child(t, args, "OCL_ICD_VENDORS=/nonexistent")
		if code != want {
			t.Errorf("clopt %s: exit %d\n%s", args, code, out)
		}
		if args == "devices --json" && out != "[]\n" {
			t.Errorf("%q", out)
		}
	}
}

// TestRefusedWithoutDevice: what the method will not take is refused before
// anybody looks for a device.
func TestRefusedWithoutDevice(t *testing.T) {
	x0 := filepath.Join(t.TempDir(), "x0.txt")
	file(t, x0, strings.Repeat("0 ", 999)+"0\n")
	for args, want := range map[string]string{
		"run cec2013/f1 -s random --x0 " + x0:                             "random takes no start points",
		"run cec2013/f1 --evals 99":                                       "below one step of masw (100 evaluations)",
		"run cec2013/f1 --evals 7 --set population=8 --dry-run":           "below one step of masw (8 evaluations)",
		"run cec2013/f1 --set population=4 --evals 4 --x0 " + five(t, x0): "5 start points",
	} {
		code, out := child(t, args, "OCL_ICD_VENDORS=/nonexistent")
		if code != exit.Usage || !strings.Contains(out, want) {
			t.Errorf("clopt %s: exit %d, want %q in:\n%s", args, code, want, out)
		}
	}
}

// five makes a file with the line of path five times, and names it.
func five(t *testing.T, path string) string {
	t.Helper()
	file(t, path+".5", strings.Repeat(readText(t, path), 5))
	return path + ".5"
}

// TestVariablesGiveWay: a variable that is set for all commands does not stand
// in the way of a flag that cannot be combined with it.
func TestVariablesGiveWay(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "x.txt", strings.Repeat("0 ", 999)+"0\n")
	t.Setenv("CLOPT_DEVICES", "0")
	if code, out, errs := call(t, "eval", "cec2013/f1", "--x", "x.txt", "--host"); code != 0 || out == "" {
		t.Errorf("exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "--evals", "100", "-v"); code != 0 ||
		!strings.Contains(errs, "population: ") {
		t.Errorf("-v: exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "")
	t.Setenv("CLOPT_VERBOSE", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "--evals", "100", "-q"); code != 0 ||
		strings.Contains(errs, "plan: ") {
		t.Errorf("-q: exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "--evals", "100"); code != exit.Usage ||
		!strings.Contains(errs, "CLOPT_QUIET: cannot be combined") {
		t.Errorf("both: exit %d\n%s", code, errs)
	}
}
