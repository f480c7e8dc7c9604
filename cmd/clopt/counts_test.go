package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/shorttest"
)

// A limit below the first step ends with exit code 2 and the smallest limit, and leaves no folder. With the smallest
// one the run has a result.
func TestSmallestLimit(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, limit string }{
		{"maxcut:torus=12x12,seed=2 -s mixing --set variant=serial", "evals"},
		{"maxcut:torus=12x12,seed=2", "evals"},
		{"classic/G4 -s cgrasp --set variant=seq", "evals"},
		{"classic/G4 -s cgrasp --set variant=seq", "moves"},
	} {
		code, _, errs := call(t, strings.Fields("run "+c.args+" --seed 1 --"+c.limit+" 3")...)
		_, least, ok := strings.Cut(strings.TrimSpace(errs), "use a limit of at least ")
		if code != 2 || !ok || runs.Exists("runs") {
			t.Fatalf("%s: exit %d, folder %v\n%s", c.args, code, runs.Exists("runs"), errs)
		}
		if code, out, errs := call(t, strings.Fields("run "+c.args+" --seed 1 --"+c.limit+" "+least)...); code != 0 {
			t.Errorf("%s: exit %d with the limit %s\n%s%s", c.args, code, least, out, errs)
		}
		if err := os.RemoveAll("runs"); err != nil {
			t.Fatal(err)
		}
	}
}

// A run on a graph without a stop rule says after how much work without gain it ends. A run that such a limit ends
// repeats in every bit, and names the limit at its end.
func TestStallEvaluations(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, errs := call(t, "run", "maxcut:complete=5", "--seed", "1")
	if code != 0 || !strings.Contains(errs, "stops     after no gain in 17,895,697 evaluations, since no stop rule") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	args := strings.Fields("run maxcut:torus=12x12,seed=2 -s gomea --set base=4 --seed 1 --stall-evals 900")
	for _, name := range []string{"one", "two"} {
		code, out, errs := call(t, append(args, "--name", name)...)
		r := readResult(t, "runs/"+name)
		if code != 0 || !strings.Contains(out, "no gain in 900 evaluations") || r.Stop.Reason != "stall" ||
			r.Limits.StallEvaluations != 900 || r.Evaluations < 900 || !r.Determinism.Repeat {
			t.Errorf("exit %d, %+v\n%s%s", code, r, out, errs)
		}
	}
	sameRun(t, "repeated", "runs/one", "runs/two")
	if code, out, errs := call(t, "resume", "runs/one", "--stall-evals", "4000"); code != 0 ||
		!strings.Contains(out, "no gain in 4,000 evaluations") {
		t.Errorf("resumed: exit %d\n%s%s", code, out, errs)
	}
}

// Every method counts the work of whole points as evaluations, and what it tried apart as moves. No run exceeds its
// limit, and the summary has the numbers of result.json.
func TestEvaluationsAreWork(t *testing.T) {
	chain, err := filepath.Abs("../../test/testdata/chain.cl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for i, c := range shorttest.Rows(4, []struct {
		args  string
		limit int64
		moves bool // it counts them
	}{
		{chain + " --allow-outside -n 40 -s relay", 3000, true},
		{"classic/rastrigin -n 20 -s sa", 2000, true},
		{"maxcut:torus=12x12,seed=2 -s gomea --set base=4", 6000, true},
		{"classic/griewank -n 20 -s masw --set population=8 --set iterations=5", 205, false},
		{"maxcut:gnp=60,p=0.5,weights=-9..9,seed=1", 200000, true}, // a local search takes turns with a population
		{"classic/rastrigin -n 20 -s sa --set variant=sweeps", 500, true},
		{"classic/rastrigin -n 20 -s sa --set variant=v0", 500, true},
		{"classic/rastrigin -n 20 -s sa --set variant=hybrid", 2000, true},
		{"classic/G4 -s cgrasp", 2000, true},
		{"classic/G4 -s cgrasp --set variant=seq", 2000, true},
		{"classic/G4 -s cgrasp --set evaluation=full", 20000, true},
	}) {
		args := strings.Fields(fmt.Sprintf("run %s --evals %d --seed 1 --name r%d", c.args, c.limit, i))
		code, out, errs := call(t, args...)
		if code != 0 {
			t.Errorf("%s: exit %d\n%s", c.args, code, errs)
			continue
		}
		r := readResult(t, fmt.Sprintf("runs/r%d", i))
		if r.Evaluations != int64(r.Work) || float64(r.Work) > float64(c.limit) || r.Evaluations < c.limit/2 {
			t.Errorf("%s: %d evaluations, work %v, with a limit of %d", c.args, r.Evaluations, r.Work, c.limit)
		}
		if (r.Moves > 0) != c.moves || r.Moves > 0 && r.Moves < r.Evaluations/2 {
			t.Errorf("%s: %d moves, %d evaluations", c.args, r.Moves, r.Evaluations)
		}
		if reached := strings.Contains(out, status.Counted(c.limit, "evaluation")+" reached"); reached &&
			r.Evaluations != c.limit ||
			!strings.Contains(out, "     "+status.Counted(r.Evaluations, "evaluation")) {
			t.Errorf("%s: %d evaluations\n%s", c.args, r.Evaluations, out)
		}
	}
}
