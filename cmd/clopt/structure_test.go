package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/facts"
)

const ringText = `//@ bounds -2 2
//@ n 300
//@ reads k, k+1, k+20
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k));
    if (k + 1 < DIM) acc[0] += at(x, k) * at(x, k + 1);
    if (k + 20 < DIM) acc[0] += at(x, k) * at(x, k + 20);
}
`

// TestStructure checks what is shown of a declaration, in words and as JSON.
func TestStructure(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "ring.cl", ringText)
	file(t, "sphere.cl", sphereText)
	file(t, "grid.cl", strings.Replace(sphereText, "reads k", "reads self, right, down\n//@ grid 30 40", 1))
	for args, want := range map[string][]string{
		"ring.cl": {"reads       k, k+1, k+20\n", "1; f is linear", "1 of 300 variables, which read 20",
			"3 of variables", "300 for an evaluation, 2.93 for a change",
			"graybox      yes",
			"sa, sweeps   yes",
			"gomea        needs: a cut"},
		"sphere.cl -n 2500": {"parts       2500 of 1 variable and 1 component\n", "1 of parts", "graybox      yes"},
		"grid.cl": {"reads       self, right, down, on a grid of 1 x 30 x 40\n", "none: the grid of",
			"2.942 for a change"},
		"classic/griewank:n=10": {"4; f is not linear in them"},
		"cec2013/f4":            {"parts       4 of 25 variables and 1 component\n", "lists of 1 to 100"},
	} {
		code, out, errs := call(t, append([]string{"structure"}, strings.Fields(args)...)...)
		if code != 0 || errs != "" {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
		for _, words := range want {
			if !strings.Contains(out, words) {
				t.Errorf("%s: no %q in\n%s", args, words, out)
			}
		}
	}
	code, out, _ := call(t, "structure", "ring.cl", "--json")
	var r facts.Structure
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || r.VariableColours != 3 || r.Cost != 300 {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
}

// TestStructureVerify checks the exit code of right and wrong declarations.
func TestStructureVerify(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "ring.cl", ringText)
	// With as_uint the text is not understood, so that the declaration is not compared with it.
	file(t, "lie.cl", strings.NewReplacer("k, k+1, k+20", "k..k+1", "+ 20 <", "+ as_uint(20) <").Replace(ringText))
	if code, out, errs := call(t, "structure", "ring.cl", "--verify"); code != 0 ||
		!strings.Contains(out, "no other variables interact in 128 tests") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	code, out, errs := call(t, "structure", "lie.cl", "--verify", "--json")
	var r facts.Structure
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exit.Verify || r.Verified.Read == nil ||
		!strings.Contains(errs, "outside the declared") {
		t.Errorf("exit %d, %v, %s, %s", code, err, out, errs)
	}
	file(t, "g.txt", "2 1\n1 2 1\n")
	if code, _, errs := call(t, "structure", "maxcut:g.txt", "--verify"); code != exit.Usage ||
		!strings.Contains(errs, "0 or 1") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestStructureLearn checks that the written copy declares what was found, and that no file is replaced unasked.
func TestStructureLearn(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "ring.cl", strings.Replace(ringText, "k, k+1, k+20", "whole", 1))
	file(t, "back.cl", "//@ bounds -1 1\n//@ n 5\nstatic void component(uint k, point x, data d, real *acc) { "+
		"acc[0] += at(x, k) * at(x, k > 0 ? k - 1 : 4); }\n")
	for _, c := range []struct{ name, directive, files string }{
		{"ring", "//@ reads k, k+1, k+20\n", "new-ring.cl"},
		{"back", "//@ reads lists new-back.reads.txt\n", "new-back.cl new-back.reads.txt"},
	} {
		learn := []string{"structure", c.name + ".cl", "--learn", "-o", "new-" + c.name + ".cl"}
		code, out, errs := call(t, learn...)
		if code != 0 || !strings.Contains(out, "written to  "+strings.ReplaceAll(c.files, " ", ", ")) {
			t.Errorf("%s: exit %d, %s%s", c.name, code, out, errs)
		}
		if text := readText(t, "new-"+c.name+".cl"); strings.Count(text, "//@ reads") != 1 ||
			!strings.Contains(text, c.directive) {
			t.Error(text)
		}
		if code, _, errs := call(t, "structure", "new-"+c.name+".cl", "--verify"); code != 0 {
			t.Errorf("%s: exit %d, %s", c.name, code, errs)
		}
		if code, _, errs := call(t, learn...); code != exit.Usage || !strings.Contains(errs, "exists") {
			t.Errorf("%s: exit %d, %s", c.name, code, errs)
		}
	}
	if text, err := os.ReadFile("new-back.reads.txt"); err != nil || string(text) != "0 4\n0 1\n1 2\n2 3\n3 4\n" {
		t.Errorf("%q, %v", text, err)
	}
	file(t, "grid.cl", strings.Replace(sphereText, "//@ reads k", "//@ grid 30 40", 1))
	for _, name := range []string{"new-ring.cl", "grid.cl"} { // declared, and not to be declared by windows
		if code, _, errs := call(t, "structure", name, "--learn"); code != exit.Usage {
			t.Errorf("%s: exit %d, %s", name, code, errs)
		}
	}
}

// Where each variable has an interval of its own, a run names the command that finds what components read, and the
// command finds it, at points in these intervals: the first variable is an index. The text is not understood.
func TestStructureOwnIntervals(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "pair.cl", "//@ n 12\n//@ data w w.csv\nstatic void component(uint k, point x, data d, real *acc) { "+
		"acc[0] += k ? at(x, k) * at(x, k - 1) : d.w[(uint)at(x, 0) - as_uint(1000)]; }\n")
	file(t, "w.csv", "1\n2\n3\n")
	file(t, "own.txt", "1000 1002.9\n"+strings.Repeat("-1e-3 1e-3\n", 11))
	code, out, errs := call(t, "run", "pair.cl", "-s", "random", "--evals", "100", "--no-selftest", "--bounds",
		"own.txt")
	if code != exit.OK || !strings.Contains(out+errs, "--learn finds") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	code, out, errs = call(t, "structure", "pair.cl", "--learn", "-o", "new.cl", "--bounds", "own.txt")
	if code != exit.OK || !strings.Contains(out, "//@ reads lists") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	if code, out, errs = call(t, "structure", "new.cl", "--verify", "--bounds", "own.txt"); code != exit.OK {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	text := strings.Replace(readText(t, "new.cl"), "//@ reads lists new.reads.txt", "//@ reads k", 1)
	file(t, "lie.cl", text)
	if code, out, errs = call(t, "structure", "lie.cl", "--verify", "--bounds", "own.txt"); code != exit.Verify {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}
