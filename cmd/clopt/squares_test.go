package main

import (
	"strconv"
	"strings"
	"testing"
)

// A fit is a sum of squares without a declaration: check says so with the line, and lm takes it.
func TestSquaresAreFound(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "//@ bounds -5 5\n//@ n 3\n//@ components 20\n" +
		"static void component(uint k, point x, data d, real *acc)\n{\n" +
		"    real r = at(x, 0)*exp(-R(0.1)*at(x, 1)*k) + at(x, 2) - 2*exp(-R(0.07)*k);\n" +
		"    acc[0] += TERM;\n}\n"
	for i, c := range []struct{ term, check, lm string }{
		{"R(0.5)*r*r", "squares     1 of each component: inferred (line 7)", "optimal"},
		{"fabs(r)", "squares     no, since line 7 adds fabs(r), which is no square", "declares none"},
		{"k > 3 ? floor(r*r) : r*r", "squares     no, since line 7", "declares none"},
	} {
		file(t, "f.cl", strings.ReplaceAll(text, "TERM", c.term))
		code, out, errs := call(t, "check", "f.cl")
		if code != 0 || !strings.Contains(out, c.check) {
			t.Errorf("%s: exit %d\n%s%s", c.term, code, out, errs)
		}
		found := c.lm == "optimal"
		code, out, errs = call(t, "run", "f.cl", "-s", "lm", "--seed", "1", "--evals", "1000", "--target", "1e-15",
			"--name", "run"+strconv.Itoa(i))
		if code == 0 != found || !found && !strings.Contains(errs, c.lm) {
			t.Errorf("%s: exit %d\n%s%s", c.term, code, out, errs)
		}
	}
}
