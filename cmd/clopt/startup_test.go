package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/stages"
)

// TestStartUp checks that what a command does before its run, such as the trial of an objective, is start-up, and that
// its stages and programs are logged.
func TestStartUp(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	begin := time.Now()
	code, out, errs := call(t, strings.Fields("run sphere.cl -n 3 -s masw --evals 1000 --seed 1 --name a -v")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	info, err := os.Stat("runs/a/inputs/sphere.cl")
	if err != nil {
		t.Fatal(err)
	}
	// Files keep the time of the latest tick of the kernel, at most 10 ms ago.
	before := info.ModTime().Sub(begin) - 20*time.Millisecond
	if got := float64(readResult(t, "runs/a").StartUp); got < before.Seconds() {
		t.Errorf("start-up of %g s, and the run began after %v", got, before)
	}
	start, sum := readResult(t, "runs/a").Start, 0.0
	for _, seconds := range start.Seconds {
		sum += float64(seconds)
	}
	for _, stage := range stages.All {
		if start.Seconds[string(stage)] <= 0 {
			t.Errorf("stage %s took %g s", stage, start.Seconds[string(stage)])
		}
	}
	// What came before the first step, and the waits in the steps, are start-up. The clocks of drivers differ a little.
	if counted := sum - float64(start.Seconds["first"]) + float64(start.Waiting); counted >
		1.1*float64(readResult(t, "runs/a").StartUp)+0.1 {
		t.Errorf("%g s of %g s of start-up", counted, readResult(t, "runs/a").StartUp)
	}
	if sum > time.Since(begin).Seconds() || start.Programs != strings.Count(errs, "program ") ||
		start.Programs < 1 || start.Compiling <= 0 || !strings.Contains(errs, "solvers/masw/") {
		t.Errorf("%g s in %+v\n%s", sum, start, errs)
	}
	// A uniform point is looked at by the program of the trial, so that the method does not wait for another one.
	own, whole := strings.Index(errs, "solvers/masw/"), strings.Index(errs, "lib/eval.cl")
	if 0 <= whole && whole < own {
		t.Errorf("the program of whole points is compiled before that of the method:\n%s", errs)
	}
	// What the child process has tried is not tried again.
	file(t, "x0.txt", "1 2 3 4\n")
	code, out, errs = call(t, strings.Fields("run sphere.cl -n 4 -s masw --evals 1000 --seed 1 --x0 x0.txt -v")...)
	if own, again := strings.Index(errs, "solvers/masw/"), strings.Index(errs, "lib/trial.cl"); code != 0 ||
		own < 0 || again < own {
		t.Errorf("the program of the trial is compiled before that of the method: exit %d\n%s%s", code, out, errs)
	}
}

// TestDropped refuses all programs after the first step of a portfolio. It goes on with the method that works, and says
// which one does not.
func TestDropped(t *testing.T) {
	t.Chdir(t.TempDir())
	defer cl.Inject(func(c cl.Call) cl.Fault {
		if text, _ := os.ReadFile("runs/a/trace.jsonl"); c.Function == "clBuildProgram" &&
			bytes.Contains(text, []byte(`"layout"`)) {
			return cl.Fault{Code: cl.BuildProgramFailure}
		}
		return cl.Fault{}
	})()
	code, out, errs := call(t, strings.Fields("run rosenbrock -n 137 -s relay --evals 20000 --seed 1 --name a")...)
	trace := readText(t, "runs/a", "trace.jsonl")
	if code != 0 || !strings.Contains(errs, "! sa cannot work here, and the others go on without it") ||
		!strings.Contains(trace, `"event":"dropped"`) {
		t.Errorf("exit %d\n%s%s%s", code, out, errs, trace)
	}
	r := readResult(t, "runs/a")
	if len(r.Searches) != 1 || r.Searches[0].Name != "lbfgs" || r.Start.Waiting > r.Start.Compiling {
		t.Errorf("%+v, %+v", r.Searches, r.Start)
	}
}

// A run of another size builds no program that one of the same text has not built.
func TestAnotherSize(t *testing.T) {
	text, err := os.ReadFile("../../test/testdata/chain.cl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	file(t, "chain.cl", string(text))
	known := map[string]bool{}
	for _, n := range []string{"1000", "1300"} {
		code, _, errs := call(t, strings.Fields("run chain.cl -d 0 -v --evals 3000 --seed 1 -n "+n)...)
		if code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
		for _, line := range strings.Split(errs, "\n") {
			if !strings.HasPrefix(line, "program ") {
				continue
			}
			if strings.Contains(line, "solvers/lm/") || strings.Contains(line, "of squares") { // n is a constant there
				continue
			}
			sum := strings.Fields(line)[1]
			if n == "1300" && !known[sum] {
				t.Errorf("only with %s variables: %s", n, line)
			}
			known[sum] = true
		}
	}
	if len(known) < 5 {
		t.Errorf("%d programs: a portfolio has more", len(known))
	}
}
