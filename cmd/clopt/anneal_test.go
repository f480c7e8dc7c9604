package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/test/shorttest"
)

// Annealing from the command to the folder: it ends with its schedule, repeats
// on three devices, and its file repeats it.
func TestAnneal(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"run", "F0_a", "-s", "sa", "--seed", "1", "--set", "chains=400", "--set", "N=10", "--set",
		"rho=0.9"}
	code, out, errs := call(t, append(args, "--name", "one")...)
	if code != 0 || !strings.Contains(out, "come to its end") ||
		!strings.Contains(errs, "  schedule  55,400 evaluations (440,400 moves)\n") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	r := readResult(t, "runs/one")
	if r.Moves != 440400 || r.Evaluations != 55400 || r.Stop.Reason != "finished" || !r.Best.Confirmed ||
		r.Best.F > -418.9 || r.Problem != "classic/F0_a:n=8" || !r.Determinism.Repeat {
		t.Errorf("%+v", r)
	}
	if float64(r.Work) != 400+440000/8 || !strings.Contains(out, "55,400 evaluations (440,400 moves), ") {
		t.Errorf("work %v: a move touches one of eight components", r.Work)
	}
	repeats(t, args)
	// A limit below the length of the schedule ends the run early, with a note.
	code, _, errs = call(t, append(args, "--moves", "100k", "--name", "short")...)
	if r := readResult(t, "runs/short"); code != 0 || !strings.Contains(errs, "ends the schedule") ||
		r.Moves > 100000 || r.Moves < 90000 || r.Stop.Reason != "moves" || r.Limits.Moves != 100000 {
		t.Errorf("exit %d, %+v\n%s", code, r, errs)
	}
	if code, _, errs := call(t, append(args, "--evals", "100", "--name", "none")...); code != 2 ||
		!strings.Contains(errs, "use a limit of at least 900") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if code, _, errs := call(t, "run", "maxcut:complete=5", "-s", "sa"); code != 2 ||
		!strings.Contains(errs, "moves real variables") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// Without settings, the schedule is fitted to the limit and stored in the run folder. A resumed run keeps its
// schedule when the limit changes.
func TestAnnealFitted(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"run", "rastrigin", "-n", "40", "-s", "sa", "--seed", "1", "--set", "variant=sweeps", "--moves"}
	code, _, errs := call(t, append(args, "20k", "--name", "fitted")...)
	if r := readResult(t, "runs/fitted"); code != 0 || r.Stop.Reason != "finished" || r.Moves > 20000 ||
		r.Moves < 10000 || strings.Contains(errs, "ends the schedule") {
		t.Errorf("exit %d, %+v\n%s", code, r, errs)
	}
	if code, _, errs := call(t, append(args, "1e9", "--name", "long", "--target", "200")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	n := readResult(t, "runs/long").Moves
	code, _, errs = call(t, "resume", "runs/long", "--moves", strconv.Itoa(int(n)+40), "--target", "0")
	if r := readResult(t, "runs/long"); code != 0 || r.Moves != n+40 || r.Stop.Reason != "moves" {
		t.Errorf("exit %d, %+v\n%s", code, r, errs)
	}
}

// A user's text anneals with partial evaluation from its directive reads, and
// its directive f decides on the device, maximised or not.
func TestAnnealObjective(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	text := "//@ bounds -2 3\n//@ n 20\n//@ sums 2\n//@ reads k..k+1\n//@ components n-1\n//@ f -sqrt(s0 + 1) - " +
		"s1/n\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    acc[0] += sq(at(x, k) - at(x, k + " +
		"1));\n    acc[1] += sq(at(x, k) - R(1.0));\n}\n"
	if err := os.WriteFile("hill.cl", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(t, "run", "hill.cl", "--maximize", "-s", "sa", "--seed", "2", "--set", "chains=256",
		"--set",
		"N=50",
		"--set", "T0=5", "--set", "Tmin=1e-6", "--set", "rho=0.8", "--set", "neighbour=adaptive", "--name", "a")
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	r := readResult(t, filepath.Join("runs", "a"))
	if f := float64(r.Best.F); f > -1 || f < -1.01 || !r.Best.Confirmed {
		t.Errorf("best %v, want nearly -1: %+v", f, r)
	}
	// A move touches two of 19 components, or one at the ends.
	if share := float64(r.Work) / float64(r.Moves); share < 1.8/19 || share > 2.2/19 {
		t.Errorf("work %v of %v moves", r.Work, r.Moves)
	}
}

// TestAnnealLarge checks that a large problem is annealed by sweeps by default, close to the optimum, with the same
// bits on three devices, and that the plan is shown before.
func TestAnnealLarge(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "run", "classic/rastrigin", "-n", "100000", "-s", "sa", "--dry-run")
	if code != 0 || !strings.Contains(out+errs, "point of 100000 variables in fp64") ||
		strings.Contains(out+errs, "chains") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	args := []string{"run", "classic/rastrigin", "-n", "100000", "-s", "sa", "--seed", "1", "--set", "N=4", "--set",
		"rho=0.8"}
	for name, devices := range map[string]string{"one": "0", "three": "0*3"} {
		if code, out, errs = call(t, append(args, "-d", devices, "--name", name)...); code != 0 ||
			!strings.Contains(out, "finished") {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
	}
	r := readResult(t, "runs/one")
	// 1.8e6 at the start; a variable in the next basin is worth 1.
	if f := float64(r.Best.F); !(f < 6e3) || !r.Best.Confirmed || r.Evaluations != 1+4*124*100000 ||
		math.Abs(float64(r.Work)-(1+4*124+124)) > 1 {
		t.Errorf("%+v", r)
	}
	sameRun(t, "three devices", "runs/one", "runs/three")
	if code, _, errs := call(t, "run", "classic/salomon", "-n", "1e5", "-s", "sa", "--seed", "1"); code != 2 ||
		!strings.Contains(errs, "bends too much") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	file(t, "chain.cl", "//@ bounds -2 2\n//@ components n-1\n//@ reads k..k+1\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k + 1) - at(x, k)) + "+
		"sq(at(x, k) - R(1.0)); }\n")
	if code, _, errs := call(t, "run", "chain.cl", "-n", "30000", "-s", "sa", "--seed", "1", "--set", "rho=0.8",
		"--set",
		"N=4", "--name", "chain"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if r := readResult(t, "runs/chain"); !(float64(r.Best.F) < 1e-5) || !r.Best.Confirmed {
		t.Errorf("chain: %+v", r.Best)
	}
}

// A list shows whole first sentences, also of methods of several authors.
func TestSolverSummaries(t *testing.T) {
	for _, name := range flags.SolverNames() {
		if s := flags.SolverSummary(name); strings.HasSuffix(s, "et al") ||
			strings.Count(s, "(") != strings.Count(s, ")") {
			t.Errorf("%s: %q", name, s)
		}
	}
}
