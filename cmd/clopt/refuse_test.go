package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/test/battery"
)

// TestCodes checks the exit codes that need a device.
func TestCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "bad.cl", strings.Replace(sphereText, "sq(", "squared(", 1))
	file(t, "opaque.cl", strings.Replace(sphereText, "at(x, k)", "as_double(as_ulong(at(x, k)))", 1))
	file(t, "nan.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(-1.0 - sq(at(x, k)))", 1))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run sphere.cl -n 20 --evals 2000 --target -1 --require-target", 11, "2,000 evaluations"},
		{"run sphere.cl -n 20 --evals 2000 --target 1e9 --require-target", 0, "the target 1e+09 is met"},
		{"run bad.cl -n 20 --evals 2000", 4, "bad.cl:7:15: error: "},
		{"run nan.cl -n 20 --evals 2000", 9, "no finite value"},
		{"run sphere.cl -n 20 -s masw --evals 10", 2, "10"},
		{"run sphere.cl -n 20 --dry-run", 0, "fits"},
		{"run cec2013/f2 -n 1e9 -s masw --dry-run", 5, "does not fit"},
		{"run cec2013/f2 -n 1e9 -s masw -q", 5, "What would fit: -n "},
		{"eval opaque.cl -n 2 --x points.txt --host", 2, "no host reference: opaque.cl:7:18 uses as_double"},
	} {
		file(t, "points.txt", "1 2\n-3 4\n")
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) || strings.Contains(errs, "internal error") {
			t.Errorf("clopt %s: exit %d, want %d and %q:\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	// No empty folder is left.
	if left, _ := filepath.Glob("runs/bad*"); len(left) > 0 {
		t.Errorf("folders are left: %v", left)
	}
}

// TestR13NoDevice checks what commands do without a device.
func TestR13NoDevice(t *testing.T) {
	count := battery.Begin(t)
	if os.Getenv("CLOPT_TEST_CHILD") != "" {
		job.IgnoreSignals()
		os.Exit(run(context.Background(), strings.Fields(os.Getenv("CLOPT_TEST_CHILD")), os.Stdin, os.Stdout,
			os.Stderr))
	}
	// The loader reads its environment once, so this needs another process.
	for args, want := range map[string]int{"run cec2013/f1": 3, "selftest": 3, "devices --json": 0, "devices": 0} {
		code, out := inChild(t, args, "OCL_ICD_VENDORS=/nonexistent")
		if code != want {
			t.Errorf("clopt %s: exit %d\n%s", args, code, out)
		}
		if args == "devices --json" && out != "[]\n" {
			t.Errorf("%q", out)
		}
		count.Count(!t.Failed())
	}
}

// TestR13RefusedWithoutDevice checks that input which the method refuses is refused before devices are looked for.
func TestR13RefusedWithoutDevice(t *testing.T) {
	count := battery.Begin(t)
	x0 := filepath.Join(t.TempDir(), "x0.txt")
	file(t, x0, strings.Repeat("0 ", 999)+"0\n")
	const random, masw = "run cec2013/f1 -s random ", "run cec2013/f1 -s masw "
	for args, want := range map[string]string{
		random + "--x0 " + x0:                                     "random takes no start points",
		masw + "--evals 99":                                       "use a limit of at least 100",
		masw + "--evals 7 --set population=8 --dry-run":           "use a limit of at least 8",
		masw + "--set population=4 --evals 4 --x0 " + five(t, x0): "5 start points",
	} {
		code, out := inChild(t, args, "OCL_ICD_VENDORS=/nonexistent")
		if code != exit.Usage || !strings.Contains(out, want) {
			t.Errorf("clopt %s: exit %d, want %q in:\n%s", args, code, want, out)
		}
		count.Count(!t.Failed())
	}
}

// five writes the content of a file five times to another file, and returns its name.
func five(t *testing.T, path string) string {
	t.Helper()
	file(t, path+".5", strings.Repeat(readText(t, path), 5))
	return path + ".5"
}

// TestVariablesGiveWay checks that a flag wins over a variable with which it cannot be combined.
func TestVariablesGiveWay(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "x.txt", strings.Repeat("0 ", 999)+"0\n")
	t.Setenv("CLOPT_DEVICES", "0")
	if code, out, errs := call(t, "eval", "cec2013/f1", "--x", "x.txt", "--host"); code != 0 || out == "" {
		t.Errorf("exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "-s", "masw", "--evals", "100", "-v"); code != 0 ||
		!strings.Contains(errs, "population: ") {
		t.Errorf("-v: exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "")
	t.Setenv("CLOPT_VERBOSE", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "--evals", "100", "-q"); code != 0 ||
		strings.Contains(errs, "problem ") {
		t.Errorf("-q: exit %d\n%s", code, errs)
	}
	t.Setenv("CLOPT_QUIET", "1")
	if code, _, errs := call(t, "run", "cec2013/f1", "--evals", "100"); code != exit.Usage ||
		!strings.Contains(errs, "CLOPT_QUIET: cannot be combined") {
		t.Errorf("both: exit %d\n%s", code, errs)
	}
}
