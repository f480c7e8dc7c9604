package main

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/solvers/runs"
)

// A result that is worse than a uniform point is said, in the summary and in result.json, with an exit code of its own
// where the limit allowed a hundred evaluations for each point. A value that is rounding noise is said, too.
func TestWorseThanUniformPoints(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "plains.cl", "//@ bounds -1 1\n//@ n 20\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc)\n"+
		"{ acc[0] += fabs(at(x, k)) < R(0.1) ? R(10.0) : R(1.0) + floor(R(3.0) * at(x, k)); }\n")
	file(t, "x0.txt", strings.Repeat("0\n", 20))
	for evals, want := range map[string]int{"2500": exit.Worse, "500": exit.OK} {
		code, out, errs := call(t, "run", "plains.cl", "-s", "lbfgs", "--set", "descents=1", "--x0", "x0.txt", "--seed",
			"1", "--evals", evals, "--name", "r"+evals)
		if code != want || !strings.Contains(out+errs, "BETTER than the result") ||
			!strings.Contains(out+errs, "is better than the result, 200.") {
			t.Errorf("%s evaluations: exit %d, want %d\n%s%s", evals, code, want, out, errs)
		}
		r, err := runs.ReadResult("runs/r" + evals)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Best.Sampled; s == nil || !s.Better || s.Points < 10 || s.Best >= r.Best.F || r.ExitCode != want {
			t.Errorf("%+v, exit code %d", r.Best, r.ExitCode)
		}
	}
	for flags, want := range map[string]string{
		"-s lbfgs --target 250": "The target is easily met: give a better one.",
		"-s lbfgs --evals 100":  "leave -s out",
		"--evals 1":             "give a larger limit, or try -s masw",
	} {
		_, out, errs := call(t, append([]string{"run", "plains.cl", "--x0", "x0.txt", "--seed", "1"},
			strings.Fields(flags)...)...)
		if !strings.Contains(out+errs, want) {
			t.Errorf("%s: no word %q\n%s%s", flags, want, out, errs)
		}
	}
	const noise = "//@ bounds -1 1\n//@ n 20\n//@ reads k\n" +
		"static void component(uint k, point x, data d, real *acc)\n" +
		"{ acc[0] += (k % 2u ? R(1e8) : R(-1e8)) + at(x, k) * R(3e-8); }\n"
	file(t, "noise.cl", noise)
	code, out, errs := call(t, "run", "noise.cl", "-s", "lbfgs", "--set", "descents=1", "--seed", "1", "--evals",
		"1000", "--name", "noise")
	r, err := runs.ReadResult("runs/noise")
	if err != nil || code != exit.OK || r.Best.Rounding < 1e-8 || !strings.Contains(out, "rounding errors alone") {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	file(t, "lost.cl", "//@ f exp(s0 - 1e4)\n"+noise) // nothing but g differs
	code, out, errs = call(t, "run", "lost.cl", "-s", "lbfgs", "--set", "descents=1", "--seed", "1", "--evals",
		"1000", "--name", "lost")
	r, err = runs.ReadResult("runs/lost")
	if err != nil || code != exit.OK || len(r.Best.Notes) != 1 || !strings.Contains(out, r.Best.Notes[0]) ||
		!strings.Contains(r.Best.Notes[0], "exp((s0 - 10000)) is out of the range") {
		t.Errorf("exit %d, %v, no note on an underflow\n%s%s", code, err, out, errs)
	}
	file(t, "endless.cl", "//@ f -1/s0^20\n//@ components 1\n"+strings.Replace(noise, "(k % 2u ? R(1e8) : R(-1e8)) + "+
		"at(x, k) * R(3e-8)", "at(x, k) + 1", 1))
	code, out, errs = call(t, "run", "endless.cl", "-s", "lbfgs", "--set", "descents=1", "--seed", "1", "--evals",
		"1000", "--name", "endless")
	r, err = runs.ReadResult("runs/endless")
	if err != nil || code != exit.OK || len(r.Best.Notes) != 1 ||
		!strings.Contains(r.Best.Notes[0], "seems to have no limit: ") {
		t.Errorf("exit %d, %v, no note on a value without a limit\n%s%s", code, err, out, errs)
	}
	file(t, "minus.cl", "//@ f log(s0)\n//@ bounds 0 1\n//@ n 20\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n")
	code, out, errs = call(t, "run", "minus.cl", "-s", "lbfgs", "--seed", "1", "--evals", "5000", "--name", "minus")
	r, err = runs.ReadResult("runs/minus")
	if err != nil || code != exit.OK || len(r.Best.Notes) != 1 ||
		!strings.Contains(r.Best.Notes[0], "log(max(x, 1e-300))") {
		t.Errorf("exit %d, %v, no note on log(0)\n%s%s", code, err, out, errs)
	}
	file(t, "corner.cl", strings.Replace(noise, "-1 1", "0 1e20", 1))
	code, out, errs = call(t, "run", "corner.cl", "-s", "lbfgs", "--maximize", "--seed", "1", "--evals", "2000",
		"--name", "corner")
	r, err = runs.ReadResult("runs/corner")
	if err != nil || code != exit.OK ||
		!strings.Contains(strings.Join(r.Best.Notes, "\n"), "its upper bound is 1e+20") {
		t.Errorf("exit %d, %v, no note on a bound that stands for infinity\n%s%s", code, err, out, errs)
	}
	file(t, "over.cl", "//@ f exp(s0 + 1e4)\n"+noise)
	code, out, errs = call(t, "run", "over.cl", "-s", "lbfgs", "--set", "descents=1", "--seed", "1", "--evals", "1000")
	if code != exit.NonFinite || !strings.Contains(errs, "because exp((s0 + 10000)) is out of the range of float64") {
		t.Errorf("exit %d, no word on an overflow\n%s%s", code, out, errs)
	}
}

// A run whose time is over in its first step says so.
func TestTimeOverInFirstStep(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "slow.cl", "//@ bounds -1 1\n//@ components 1\n"+
		"static void component(uint k, point x, data d, real *acc)\n{\n"+
		"    real s = 0;\n    for (uint i = 0; i < 3000000; i++) s += sin(at(x, i % DIM) + i);\n"+
		"    acc[0] += sq(s);\n}\n")
	code, _, errs := call(t, "run", "slow.cl", "-n", "4", "-s", "random", "--seed", "1", "--time", "20ms")
	if code != 0 || !strings.Contains(errs, "the time was over in the first step") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
