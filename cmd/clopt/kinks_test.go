package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A summary says where a function has kinks or steps, unless its best value is known to be the smallest one.
func TestKinksAreSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "//@ bounds -5 5\n//@ n 3\n//@ reads k\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += TERM; }\n"
	for i, c := range []struct {
		term, flags, want string
		kinks, steps      []string
	}{
		{"fabs(at(x, k) - 1)", "", "the function has kinks (fabs in line 4)", []string{"fabs in line 4"}, nil},
		{"floor(at(x, k))", "", "the function has steps (floor in line 4), so", nil, []string{"floor in line 4"}},
		{"fabs(at(x, k) - 1)", "--target 1e9", "", []string{"fabs in line 4"}, nil},
		{"sq(at(x, k) - 1)", "", "", nil, nil},
	} {
		file(t, "f.cl", strings.ReplaceAll(text, "TERM", c.term))
		name := string(rune('a' + i))
		code, out, errs := call(t, append(strings.Fields("run f.cl -s random --seed 1 --evals 100 "+c.flags), "--name",
			name)...)
		b := readResult(t, "runs/"+name).Best
		if code != 0 || !strings.Contains(out, c.want) || c.want == "" && strings.Contains(out, "the function has") ||
			!slices.Equal(b.Kinks, c.kinks) || !slices.Equal(b.Steps, c.steps) {
			t.Errorf("%s %s: exit %d, kinks %q, steps %q\n%s%s", c.term, c.flags, code, b.Kinks, b.Steps, out, errs)
		}
	}
}

// A run with no setting comes to the minimum of a function with kinks, which dynamic programming knows.
func TestKinksAreRounded(t *testing.T) {
	text, err := filepath.Abs("../../test/testdata/variation.cl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const want = 8.0585801269227311
	code, out, errs := call(t, "run", text, "--seed", "1", "--evals", "6000", "--name", "v")
	b := readResult(t, "runs/v").Best
	if f := float64(b.F); code != 0 || !(math.Abs(f-want) <= 1e-6*want) {
		t.Errorf("exit %d, %.10g; the minimum is %.10g\n%s%s", code, f, want, out, errs)
	}
}

// Derivatives of f by its sums are exact: differences of a value of 1e8 would end 3e-3 above the minimum.
func TestSlopesOfLargeValues(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "f.cl", "//@ bounds -3 3\n//@ n 20\n//@ reads k\n//@ f 1e8 + sqrt(1 + s0)\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += (k + 1)*sq(at(x, k) - 0.01*k); }\n")
	code, out, errs := call(t, strings.Fields("run f.cl -s lbfgs --set descents=1 --seed 1 --name f")...)
	if f := float64(readResult(t, "runs/f").Best.F); code != 0 || !(f-(1e8+1) <= 3e-5) {
		t.Errorf("exit %d, %.10g\n%s%s", code, f, out, errs)
	}
}
