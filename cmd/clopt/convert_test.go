package main

import (
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/format"
)

// TestConvert converts a graph to every format and from there to every other one. The optimum keeps its value.
func TestConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, "generate", "maxcut:tile=4x4,p=0.5,seed=1", "-o", "t.txt", "--solution"); code != 0 {
		t.Fatal(errs)
	}
	best := strings.TrimSpace(readText(t, ".", "t.bkv"))
	value := func(file string) string {
		t.Helper()
		_, spec, _ := call(t, "describe", file)
		spec, _, _ = strings.Cut(spec, "\n")
		_, out, errs := call(t, "eval", spec, "--x", "t.sol", "--host")
		if strings.Contains(errs, "error") {
			return errs
		}
		return strings.TrimSpace(out)
	}
	for _, from := range format.Names() {
		a := "a." + from
		if code, _, errs := call(t, "convert", "t.txt", a, "--to", from); code != 0 {
			t.Errorf("to %s: exit %d: %s", from, code, errs)
			continue
		}
		if got := value(a); got != best {
			t.Errorf("%s: the optimum has %s, want %s", from, got, best)
		}
		_, spec, _ := call(t, "describe", a)
		spec, _, _ = strings.Cut(spec, "\n")
		for _, to := range format.Names() {
			b := "b-" + from + "." + to
			if code, _, errs := call(t, "convert", spec, b, "--to", to); code != 0 {
				t.Errorf("from %s to %s: exit %d: %s", from, to, code, errs)
				continue
			}
			if got := value(b); got != best {
				t.Errorf("from %s to %s: the optimum has %s, want %s", from, to, got, best)
			}
		}
	}
}

func TestConvertFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "g.txt", square)
	file(t, "q.lp", "Minimize 3 x - y + [ 4 x * y ] / 2 + 1.5 Binary x y End\n")
	for _, c := range []struct{ args, want string }{
		{"convert g.txt g.coo.gz", "an Ising problem, format coo, 4 variables"},
		{"convert ising:g.coo.gz maxcut:h.txt", "a graph, format rudy, 4 variables"},
		{"convert g.txt qubo:g.json", "a QUBO, format bqm"},
		{"convert q.lp q.csv", "q.csv, q.csv.meta.json: a QUBO"},
		{"convert q.lp q2.csv --lossy", "q2.csv: a QUBO"},
		{"convert q.csv back.lp", "back.lp: a QUBO"},
		{"run q.csv --time 1s", "q.csv.meta.json says: offset=1.5"},
	} {
		if code, _, errs := call(t, strings.Fields(c.args)...); code != 0 || !strings.Contains(errs, c.want) {
			t.Errorf("clopt %s: exit %d, %s", c.args, code, errs)
		}
	}
	if text := readText(t, ".", "g.coo.gz"); !strings.HasPrefix(text, "\x1f\x8b") {
		t.Error("not packed")
	}
	for name, want := range map[string]string{
		"h.txt": "4 5\n1 2 3\n1 3 -1\n1 4 2\n2 3 1\n3 4 3\n", "q.csv": "3,2\n0,-1\n",
		"q.csv.meta.json": `"offset":"1.5"`, "back.lp": " x * ",
	} {
		if text := readText(t, ".", name); !strings.Contains(text, want) {
			t.Errorf("%s is %q, want %q", name, text, want)
		}
	}
	if _, out, _ := call(t, "convert", "q.lp", "-", "--to", "coo"); !strings.HasPrefix(out, "# clopt: ") {
		t.Errorf("standard output: %q", out)
	}
	for _, c := range []struct{ args, want string }{
		{"convert g.txt", "give a problem and the file"},
		{"convert cec2013/f1 x.txt", "is neither a graph"},
		{"convert none.txt x.txt", "none.txt"},
		{"convert g.txt g.coo.gz", "--force"},
		{"convert g.txt x --to mtz", `"mtz"`},
		{"convert g.txt ising:x.lp", "does not hold an Ising problem"},
		{"convert g.txt x.npy.gz", "not compressed"},
		{"convert q.lp - --to orlib", "--lossy"},
	} {
		if code, _, errs := call(t, strings.Fields(c.args)...); code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("clopt %s: exit %d, %s", c.args, code, errs)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a file of a conversion that was refused")
	}
}
