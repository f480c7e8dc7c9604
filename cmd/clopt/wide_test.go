package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// Bounds of ±1e20, for no bounds, do not keep a run at its start point, and are noted before it, once, and in its
// result.
func TestWideBounds(t *testing.T) {
	text, err := os.ReadFile("../../test/testdata/wide.cl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	file(t, "wide.cl", string(text))
	file(t, "x0.txt", "0 0 0 0\n")
	code, out, errs := call(t, strings.Fields(
		"run wide.cl -n 4 -s graybox --seed 1 --evals 5000 --bounds=-1e20,1e20 --x0 x0.txt -d 0 --json")...)
	var r record.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || !(float64(r.Best.F) < 1e-9) {
		t.Errorf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "beyond 1e+10") || !strings.Contains(errs, r.Notes[0]) {
		t.Errorf("notes %q\n%s", r.Notes, errs)
	}
	code, out, errs = call(t, strings.Fields(
		"run wide.cl -n 4 -s graybox --seed 1 --evals 5000 --bounds=-1e20,1e20 -d 0")...)
	if n := strings.Count(out+errs, "beyond 1e+10"); code != 0 || n != 1 {
		t.Errorf("exit %d, the note is there %d times\n%s%s", code, n, out, errs)
	}
}

// A variable that no number of fp32 can hold is refused by name, since its points would lie outside the bounds.
func TestBoundsOfFP32(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "f.cl", "static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n")
	file(t, "b.txt", "-1 1\n0.1 0.1\n")
	const want = "variable 1 lies in [0.1, 0.1], which has no number of fp32; 0.10000000149011612 is the nearest"
	for prec, code := range map[string]int{"fp32": 2, "fp64": 0} {
		got, _, errs := call(t, "run", "f.cl", "-n", "2", "--bounds", "b.txt", "--precision", prec, "--dry-run")
		if got != code || strings.Contains(errs, want) != (code != 0) {
			t.Errorf("%s: exit %d\n%s", prec, got, errs)
		}
	}
}

// An infinite bound is refused wherever one is given, and the message says what to write.
func TestInfiniteBounds(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "f.cl", "static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n")
	file(t, "g.cl", "//@ bounds -inf inf\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += 1; }\n")
	file(t, "b.txt", "-1 1\n0 Infinity\n")
	for _, args := range []string{"f.cl --bounds=-inf,inf", "f.cl --bounds=0,1e999", "f.cl --bounds=-Infinity,1",
		"f.cl:lo=-inf,hi=1", "g.cl", "f.cl --bounds=b.txt"} {
		code, _, errs := call(t, append([]string{"run", "-n", "2"}, strings.Fields(args)...)...)
		if code != 2 || !strings.Contains(errs, "A bound is a finite number: write one that") {
			t.Errorf("clopt run %s: exit %d\n%s", args, code, errs)
		}
	}
}
