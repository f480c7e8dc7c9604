package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/spf13/pflag"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "2h30m": 150 * time.Minute, "1d": 24 * time.Hour, "1.5d": 36 * time.Hour,
		"1d12h": 36 * time.Hour, ".5d": 12 * time.Hour, "100ms": 100 * time.Millisecond,
	} {
		if d, err := parseDuration(text); err != nil || d != want {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "5", "0", "0s", "0d", "-1s", "1dd", "d", "1h1d", "1e3d", "99999999d", "1d-1h", "nan"} {
		if d, err := parseDuration(text); err == nil {
			t.Errorf("%q is %v", text, d)
		}
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"90%": 0.9, "0.9": 0.9, "100%": 1, "1": 1} {
		if f, err := parseShare(text); err != nil || f != want {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}

func TestFormatValue(t *testing.T) {
	for want, f := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1), "0.10000000000000001": 0.1, "-3": -3} {
		if got := formatValue(f); got != want {
			t.Errorf("%v: %s", f, got)
		}
	}
}

// TestGridPoints: 25 a decade, decades exact, never decreasing.
func TestGridPoints(t *testing.T) {
	for k, want := range map[int]int64{0: 1, 1: 2, 25: 10, 50: 100, 75: 1000, 450: 1e18, 26: 11, 149: 912011} {
		if got := gridPoint(k); got != want {
			t.Errorf("point %d: %d, want %d", k, got, want)
		}
	}
	for k := range 450 {
		if gridPoint(k) > gridPoint(k+1) {
			t.Errorf("point %d is above the next", k)
		}
	}
}

func TestGridHits(t *testing.T) {
	var g grid
	var hits []int64
	for e := int64(100); e <= 2000; e += 100 {
		if g.hit(e, 1) {
			hits = append(hits, e)
		}
	}
	// A sample is the first count at or after a point.
	want := "[100 200 300 400 500 600 700 800 900 1000 1100 1300 1400 1500 1600 1800 2000]"
	if got := fmt.Sprint(hits); got != want {
		t.Errorf("hits %s, want %s", got, want)
	}
	// The problem's own check-points, between points of the evaluations.
	g = grid{official: []int64{120, 600}}
	g.hit(115, 1)
	for _, c := range []struct {
		evals int64
		hit   bool
	}{{119, false}, {121, true}, {122, false}, {580, true}, {599, false}, {605, true}, {606, false}} {
		if got := g.hit(c.evals, 1); got != c.hit {
			t.Errorf("%d evaluations: %v", c.evals, got)
		}
	}
	// Powers of ten above an optimum of 5, between points of the evaluations.
	g = grid{known: true, optimum: 5}
	g.hit(1e6, math.Inf(1))
	g.hit(1000001, 5+250)
	for _, c := range []struct {
		best float64
		hit  bool
	}{{5 + 240, false}, {5 + 99, true}, {5 + 98, false}, {5 + 0.5, true}, {5 + 1e-12, true}, {5, false}, {4, false}} {
		if got := g.hit(1000002, c.best); got != c.hit {
			t.Errorf("best %g: %v", c.best, got)
		}
	}
}

// TestStatusFits: the status line gives up its least parts for the room.
func TestStatusFits(t *testing.T) {
	m := &monitor{sign: 1, have: true, loop: time.Now(), budget: solvers.Budget{Evaluations: 1000, Time: time.Hour}}
	m.last = solvers.Sample{Step: 123456, Evaluations: 500, F: 2, Best: -1.2345678e+16, NonFinite: 7, Elapsed: time.Second}
	m.history = []point{{0, 3e16}, {time.Second, 2e16}}
	last := math.MaxInt
	for _, c := range []struct {
		room int
		want []string
		none []string
	}{
		{math.MaxInt, []string{"step 123456", "trend", "eval/s", "nonfinite 7", "left"}, nil},
		{100, []string{"step", "eval/s", "nonfinite", "left"}, []string{"trend"}},
		{77, []string{"evals 500 (50 %)", "best -1.2345678e+16", "left"}, []string{"step"}},
		{20, []string{"0:00:00", "evals 500", "best", "left"}, []string{"eval/s", "nonfinite"}},
	} {
		text := m.text(c.room)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("room %d: no %q in %q", c.room, want, text)
			}
		}
		for _, none := range c.none {
			if strings.Contains(text, none) {
				t.Errorf("room %d: %q in %q", c.room, none, text)
			}
		}
		if len(text) > last || len(text) > c.room && c.room > 60 {
			t.Errorf("room %d: %d characters", c.room, len(text))
		}
		last = len(text)
	}
}

// TestWhyIdle: a device without a share is said to be idle, and why.
func TestWhyIdle(t *testing.T) {
	tiles := func(n int) problems.Tiling {
		return problems.Tiling{N: 10 * n, M: 10 * n, TileVars: 10, TileComps: 10}
	}
	whole := tiles(5)
	whole.Whole = true
	for _, c := range []struct {
		t      problems.Tiling
		supers []int
		weight float64
		want   string
	}{
		{tiles(1), []int{1, 0}, 1, "the problem has 1 tile"},
		{tiles(2), []int{1, 0, 1}, 1, "the problem has 2 tiles"},
		{tiles(9), []int{9, 0}, 0, "its weight is 0"},
		{tiles(9), []int{9, 0}, 0.01, "its share is below one tile"},
		{whole, []int{5, 0}, 1, "the objective stays on one device"},
		{tiles(9), []int{0, 0}, 1, "the method runs on the host"},
	} {
		var plans []shard.DevicePlan
		for _, n := range c.supers {
			plans = append(plans, shard.DevicePlan{Supers: n, Weight: 1})
		}
		plans[1].Weight = c.weight
		if got := whyIdle(c.t, plans, 1); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestErrorLevel(t *testing.T) {
	for l := minLevel; l <= 20; l++ {
		if got := errorLevel(math.Pow10(l)); got != l {
			t.Errorf("10^%d: level %d", l, got)
		}
	}
	for _, e := range []float64{0, -1, math.NaN(), 1e-300} {
		if errorLevel(e) != minLevel {
			t.Errorf("level of %g", e)
		}
	}
}

func TestNumberInJSON(t *testing.T) {
	b, err := json.Marshal([]number{1, 0.1, 1e300, number(math.NaN()), number(math.Inf(1)), number(math.Inf(-1)), 5e-324})
	if want := "[1,0.1,1e+300,null,null,null,5e-324]"; err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}

// TestFolders: a folder is never used twice, and names are those of folders.
func TestFolders(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a", "b")
	for _, want := range []string{"x", "x.2", "x.3"} {
		if dir, err := newFolder(parent, "x"); err != nil || filepath.Base(dir) != want {
			t.Errorf("%s, %v, want %s", dir, err, want)
		}
	}
	for text, want := range map[string]string{
		"cec2013/f1:mode=paper,n=1000": "cec2013-f1-mode-paper-n-1000", "../..": "run", "": "run", "A b": "a-b",
		strings.Repeat("x", 500): strings.Repeat("x", 120),
	} {
		if got := slug(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	undo, err := lock(parent)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(parent, "lock"))
	if !strings.Contains(string(text), fmt.Sprint("pid ", os.Getpid())) {
		t.Errorf("lock: %q", text)
	}
	if _, err := lock(parent); exitCode(err) != exitUsage {
		t.Errorf("second lock: %v", err)
	}
	undo()
}

func TestCheckWritableLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := checkWritable(filepath.Join(dir, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	sum, err := writeWhole(path, func(w io.Writer) error { _, err := io.WriteString(w, "abc"); return err })
	if err != nil || sum != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(sum, err)
	}
	if _, err := writeWhole(path, func(io.Writer) error { return syscall.ENOSPC }); exitCode(err) != exitOutput {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "abc" {
		t.Errorf("a failed write spoiled the file: %q", text)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// TestExitCodes: every kind of error has its code, also wrapped and joined.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0}, {io.EOF, 1}, {usagef("x"), 2}, {&input.Error{}, 2}, {&solvers.SettingError{}, 2},
		{&problems.PrecisionError{}, 3}, {&cl.NoDeviceError{}, 3}, {&cl.SelectionError{}, 3}, {&cl.BuildError{}, 4},
		{&cl.MemoryError{}, 5}, {&shard.PlanError{}, 5}, {&shard.CheckError{}, 8}, {&solvers.NonFiniteError{}, 9},
		{fail(exitOutput, "x"), 10}, {&stopped{syscall.SIGHUP}, 129}, {&stopped{syscall.SIGINT}, 130}, {&stopped{syscall.SIGTERM}, 143},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("%T: %d, want %d", c.err, got, c.code)
		}
		if c.err == nil {
			continue
		}
		if got := exitCode(errors.Join(fmt.Errorf("about: %w", c.err))); got != c.code {
			t.Errorf("%T wrapped: %d, want %d", c.err, got, c.code)
		}
	}
}

// TestPrecedence: flag, environment, run file, default.
func TestPrecedence(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sub/run.toml", "problem = \"cec2013/f1\"\nevals = 4000\nmem = \"50%\"\ntime = \"1m\"\nx0 = \"start.txt\"\nset = [\"alpha=0.3\"]\n")
	t.Setenv("CLOPT_TIME", "2m")
	t.Setenv("CLOPT_EVALS", "5k")
	_, out, _ := call(t, "run", "sub/run.toml", "--evals", "6000", "--print-config")
	got := map[string]string{}
	for _, line := range strings.Split(out, "\n") {
		if f := strings.Fields(line); len(f) > 2 {
			got[f[0]] = f[1] + " " + strings.Join(f[2:], " ")
		}
	}
	for name, want := range map[string]string{
		"problem": "cec2013/f1 sub/run.toml:1", "evals": "6000 flag", "time": "2m env CLOPT_TIME", "mem": "50% sub/run.toml:3",
		"precision": "fp64 default", "set": "alpha=0.3 sub/run.toml:6", "seed": "- default",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	f, err := readRunFile("sub/run.toml")
	if err != nil {
		t.Fatal(err)
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	addOptions(fs, runOptions)
	c := newConfig(runOptions, fs, os.Getenv, f)
	if got := c.path("x0"); got != filepath.Join("sub", "start.txt") {
		t.Errorf("x0 of a run file is relative to it: %q", got)
	}
}

// TestRunTomlRoundTrip: what is written reads back as the same values.
func TestRunTomlRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"--solver", "random", "--evals", "1e4", "--set", "batch=7", "--target=-1.5e-3", "--devices", `name:a "b\c`, "--require-target",
		"--weights", "0=1", "--out", "elsewhere", "--time", "1d"}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	addOptions(fs, runOptions)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	c := newConfig(runOptions, fs, func(string) string { return "" }, nil)
	text := runToml(c, "cec2013/f2:n=1000", map[string]string{"seed": "7"})
	file(t, "run.toml", text)
	f, err := readRunFile("run.toml")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	empty := pflag.NewFlagSet("", pflag.ContinueOnError)
	addOptions(empty, runOptions)
	again := newConfig(runOptions, empty, func(string) string { return "" }, f)
	for _, o := range runOptions {
		want := strings.Join(c.values[o.name].vals, ";")
		switch o.name {
		case "seed":
			want = "7"
		case "out": // whoever repeats a run chooses the place
			want = o.def
		}
		if got := strings.Join(again.values[o.name].vals, ";"); got != want {
			t.Errorf("%s: %q, want %q", o.name, got, want)
		}
	}
	if f.problem() != "cec2013/f2:n=1000" {
		t.Error(f.problem())
	}
}

func TestRunTomlForms(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "run.toml", "\ufeffproblem = \"cec2013/f1\"\r\nseed = 7\r\ntarget = 1.5\r\nrequire-target = true\r\n[set]\r\nalpha = 0.25\r\npopulation = 8\r\n")
	f, err := readRunFile("run.toml")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"seed": "7", "target": "1.5", "require-target": "true", "set": "alpha=0.25;population=8"} {
		if got := strings.Join(f.entries[key].vals, ";"); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if f.entries["set"].line != 5 {
		t.Errorf("set in line %d", f.entries["set"].line)
	}
}

// FuzzRunFile: no text makes the reader panic, and what it accepts has a
// problem.
func FuzzRunFile(f *testing.F) {
	f.Add("problem = \"cec2013/f1\"\nevals = 1e4\nset = [\"a=b\"]\n")
	f.Add("[set]\na = 1\n[[problem]]\n")
	f.Add("\ufeffproblem.x = 2")
	f.Add("problem = 1979-05-27\n\"evals\" = inf")
	path := filepath.Join(f.TempDir(), "run.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Skip()
		}
		file, err := readRunFile(path)
		if err == nil && file.problem() == "" || err != nil && exitCode(err) != exitUsage {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"run", "eval", "devices", "describe", "selftest"}
	for s, want := range map[string]string{"rnu": "run", "dev": "devices", "evla": "eval", "zzzzzz": "", "self-test": "selftest"} {
		if got := nearest(s, names); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for s, want := range map[string]string{"a/b:c=1": "a/b:c=1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "!2": "'!2'"} {
		if got := shellQuote(s); got != want {
			t.Errorf("%q: %s", s, got)
		}
	}
}

// TestRunFileProblem: a path in a run file is relative to it, a name is not.
func TestRunFileProblem(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sub/objective.txt", sphereText)
	for problem, want := range map[string]string{
		"objective.txt":     "sub/objective.txt",
		"objective.txt:n=3": "sub/objective.txt:n=3",
		"missing.cl:n=3":    "sub/missing.cl:n=3",
		"cec2013/f1:n=1000": "cec2013/f1:n=1000",
		"/abs/x.cl":         "/abs/x.cl",
	} {
		file(t, "sub/run.toml", "problem = \""+problem+"\"\n")
		f, err := readRunFile("sub/run.toml")
		if err != nil || f.problem() != want {
			t.Errorf("%s: %v, %v", problem, f.problem(), err)
		}
	}
}
