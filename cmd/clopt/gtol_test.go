package main

import (
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
)

// A run ends at a point where the gradient within the bounds is short enough, and goes on from there with a smaller
// limit. The result, the summary and the trace have its norm, which is that of the stored point.
func TestGTol(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "bowl.cl", "//@ bounds -5 5\n//@ n 8\n//@ f s0/2 - 7\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += (k + 1)*sq(at(x, k) - k); }\n")
	slope := func(dir string) (norm float64) {
		points, err := input.ReadPoints(dir+"/best.npy", 8)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range points.X[0] {
			if g := float64(k+1) * (v - float64(k)); v < 5 || g > 0 { // variables 6 and 7 are held
				norm = math.Hypot(norm, g)
			}
		}
		return norm
	}
	evals := int64(0)
	for _, c := range []struct {
		args string
		gtol float64
	}{
		{"run bowl.cl -s lbfgs --seed 1 --name a --gtol 1e-2", 1e-2},
		{"resume runs/a --gtol 1e-5", 1e-5},
		{"run bowl.cl --seed 1 --name auto --gtol 1e-5", 1e-5},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		dir := "runs/a"
		if strings.Contains(c.args, "auto") {
			dir, evals = "runs/auto", 0
		}
		r := readResult(t, dir)
		s := r.Best.Slope
		if code != 0 || r.Stop.Reason != "gtol" || s == nil || !r.Best.Converged || r.Evaluations <= evals ||
			!strings.Contains(out, "\n  converged ") || !strings.Contains(out, " --gtol ") ||
			float64(r.Limits.GTol) != c.gtol || !r.Determinism.Repeat {
			t.Fatalf("%s: exit %d, %+v\n%s%s", c.args, code, r.Best, out, errs)
		}
		evals = r.Evaluations
		if norm := slope(dir); !(norm <= c.gtol) || math.Abs(float64(*s)-norm) > 1e-9*norm {
			t.Errorf("%s: %v, and the slope of the stored point is %v", c.args, *s, norm)
		}
		last := math.Inf(1)
		for _, m := range lines(t, readText(t, dir, "trace.jsonl")) {
			if v, ok := m["slope"].(float64); ok {
				last = v
			}
		}
		if !(last <= c.gtol) {
			t.Errorf("%s: the trace ends with the slope %v", c.args, last)
		}
	}
	file(t, "steps.cl", "//@ bounds -5 5\n//@ n 3\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += floor(at(x, k)); }\n")
	for args, want := range map[string]string{
		"bowl.cl -s random --gtol 1e-2": "ends a method that follows gradients, and random makes none; use lbfgs",
		"maxcut:complete=5 --gtol 1e-2": "ends a method that follows gradients",
		"steps.cl -s lbfgs --gtol 1e-2": "the function has steps (floor in line 3), between which",
		"bowl.cl -s lbfgs --gtol 0":     "is not above 0",
	} {
		if code, _, errs := call(t, append([]string{"run"}, strings.Fields(args)...)...); code != 2 ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: exit %d\n%s", args, code, errs)
		}
	}
}
