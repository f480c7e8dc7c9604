package main

import (
	"context"
	"strings"
	"testing"
)

// TestEval checks the values of points from standard input, their order, and values that are not finite.
func TestEval(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	code, out, errs := callWith(t, context.Background(), "1 2\n-3 4\n# outside the box is legal\n100 0\n", "eval",
		"sphere.cl", "--x", "-")
	if code != 0 || out != "5\n25\n10000\n" {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
	if !strings.Contains(errs, "sphere.cl:n=2: point 3, variable 1 is 100, outside the box [-5, 5]\n") {
		t.Errorf("nothing is said of the point outside the bounds: %s", errs)
	}
	code, out, errs = callWith(t, context.Background(), "1 2\n-6 4\n5 -5\n0 7", "eval", "sphere.cl", "--x", "-",
		"--json")
	if code != 0 || !strings.Contains(out, `"inside":[true,false,true,false]`) ||
		!strings.Contains(errs, "2 of 4 points are outside the bounds, the first is point 2, variable 1 is -6") {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
	code, out, errs = callWith(t, context.Background(), "1 2\n-3 4\n", "eval", "sphere.cl", "--x", "-", "--host")
	if code != 0 || out != "5\n25\n" {
		t.Errorf("on the host: exit %d, %q, %s", code, out, errs)
	}
	t.Setenv("CLOPT_SET", "population=8") // is a setting of methods
	t.Setenv("CLOPT_HOST", "true")        // is no variable, since clopt run has no such flag
	if code, out, errs = callWith(t, context.Background(), "1 2\n", "eval", "sphere.cl", "--x", "-"); code != 0 ||
		out != "5\n" {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
	file(t, "log.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(at(x, k))", 1))
	code, out, _ = callWith(t, context.Background(), "1 1\n0 1\n-1 1\n", "eval", "log.cl", "--x", "-", "-n", "2")
	if code != 0 || out != "0\n-Inf\nNaN\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	code, out, _ = callWith(t, context.Background(), "1 1\n0 1\n-1 1\n", "eval", "log.cl", "--x", "-", "--host")
	if code != 0 || out != "0\n-Inf\nNaN\n" {
		t.Errorf("on the host: exit %d, %q", code, out)
	}
	file(t, "three.cl", "//@ n 3\n"+sphereText)
	code, out, errs = callWith(t, context.Background(), "1 2 3 4\n", "eval", "three.cl", "--x", "-", "--host")
	if code != 2 || out != "" || !strings.Contains(errs, "a point has 3. Remove it or use -n") {
		t.Errorf("4 numbers for 3 variables: exit %d, %q, %s", code, out, errs)
	}
	code, out, errs = callWith(t, context.Background(), "1 nan\n", "eval", "sphere.cl", "--x", "-")
	if code != 2 || out != "" || !strings.Contains(errs, "stdin:1:3") {
		t.Errorf("exit %d, %q, %s", code, out, errs)
	}
}
