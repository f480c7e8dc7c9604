package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/shorttest"
)

// C-GRASP from the command to the folder: it meets its target, repeats on three devices, and its file repeats it.
func TestGRASP(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	args := []string{"run", "classic/G4", "-s", "cgrasp", "--seed", "1", "--set", "starts=8", "--target", "1e-6"}
	code, out, errs := call(t, append(args, "--name", "one")...)
	if code != 0 || !strings.Contains(out, "the target 1e-06 is met") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	r := readResult(t, "runs/one")
	if r.Stop.Reason != "target" || !r.Best.Confirmed || !(float64(r.Best.FHost) <= 1e-6) ||
		r.Problem != "classic/G4:n=25" || !r.Determinism.Repeat {
		t.Errorf("%+v", r)
	}
	if share := float64(r.Work) / float64(r.Moves); share < 1./25 || share > 0.5 {
		t.Errorf("work %v of %v moves: a line search touches two of 25 components", r.Work, r.Moves)
	}
	repeats(t, args)
	// Starts that are made once end the run; a limit below a step of all of them goes to the first.
	code, out, errs = call(t, append(args[:6:6], "--set", "starts=2", "--set", "once=true", "--evals", "1e7", "--name",
		"once")...)
	if r := readResult(t, "runs/once"); code != 0 || r.Stop.Reason != "finished" {
		t.Errorf("exit %d, %+v\n%s%s", code, r, out, errs)
	}
	code, _, errs = call(t, append(args[:6:6], "--moves", "12k", "--name", "few")...)
	if r := readResult(t, "runs/few"); code != 0 || r.Moves > 12000 || r.Moves < 10000 ||
		float64(r.Best.F) > 1e4 {
		t.Errorf("exit %d, %+v\n%s", code, r, errs)
	}
	if code, _, errs := call(t, "run", "maxcut:complete=5", "-s", "cgrasp"); code != 2 ||
		!strings.Contains(errs, "moves real variables") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// A user's text runs with partial evaluation from its directive reads, with
// independent sets where its value is a sum, from a point of the user's.
func TestGRASPObjective(t *testing.T) {
	t.Chdir(t.TempDir())
	chain := "//@ bounds -2 2\n//@ n 20\n//@ reads k..k+1\n//@ components n-1\n//@ f 3 - s0\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n    real a = at(x, k), b = at(x, k + " +
		"1);\n    acc[0] += R(3.0) * sq(b - a * a) + sq(R(1.0) - a);\n}\n"
	if err := os.WriteFile("chain.cl", []byte(chain), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x0.txt", []byte(strings.TrimSuffix(strings.Repeat("0.9 ", 20), " ")+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(t, "run", "chain.cl", "--maximize", "-s", "cgrasp", "--seed", "2", "--set", "starts=4",
		"--set", "fix=all",
		"--x0", "x0.txt", "--target", "2.99999", "--time", "50s", "--name", "a")
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	r := readResult(t, filepath.Join("runs", "a"))
	if f := float64(r.Best.F); r.Stop.Reason != "target" || f > 3 || !r.Best.Confirmed {
		t.Errorf("best %v, want nearly 3: %+v", f, r)
	}
	if share := float64(r.Work) / float64(r.Moves); share > 0.6 {
		t.Errorf("work %v of %v moves", r.Work, r.Moves)
	}
}
