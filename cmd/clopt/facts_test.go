package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clopt/clopt/docs"
)

// TestFactsAsJSON checks that commands which print facts print them as one JSON object, too.
func TestFactsAsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "ring.txt", "3 3\n1 2 1\n2 3 1\n1 3 -2\n")
	file(t, "tiny.qubo", "p qubo 0 2 1 1\n0 0 -2e-300\n0 1 3e-300\n")
	file(t, "x.txt", "1 2\n3 4\n")
	for _, c := range []struct {
		args string
		keys string // some of those at the top
		text string
	}{
		{"list problems", "problems", `"name":"cec2013/f1"`},
		{"list methods", "methods", `"name":"auto"`},
		{"list solvers", "solvers", `"name":"auto"`},
		{"list suites", "suites", `"name":"cano2016"`},
		{"describe auto", "kind name title", `"solver"`},
		{"describe sa", "kind name title settings", `"words":["`},
		{"describe rastrigin", "kind name title variables lo hi best_known text", `"best_known":0`},
		{"describe maxcut", "kind name text", `"problem"`},
		{"describe cano2016", "kind name title reference tables", `"suite"`},
		{"describe maxcut:ring.txt", "kind name variables edges weights", `"weights":[-2,1]`},
		{"describe qubo:tiny.qubo", "kind name variables edges weights", `"weights":[-2e-300,3e-300]`},
		{"describe sphere.cl -n 20", "kind name title bounds components reads sums sense method reason files",
			`"bounds":[-5,5]`},
		{"check sphere.cl -n 20 --devices 0", "checks failed", `"failed":0`},
		{"eval rastrigin --x x.txt --host", "problem values", `"values":[5,25]`},
		{"run cec2013/f1 -n 1000 --evals 1000 --dry-run", "problem method precision fits vectors devices",
			`"fits":true`},
		{"suite andrade2012 --tables I --dry-run", "suite folder cells", `"table":"I"`},
		{"version", "tool commit go binding platform", `"binding":"github.com/jgillich/go-opencl v`},
	} {
		code, out, errs := call(t, append(strings.Fields(c.args), "--json")...)
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
			t.Errorf("clopt %s: exit %d, %v\n%s%s", c.args, code, err, out, errs)
		}
		for _, key := range strings.Fields(c.keys) {
			if _, ok := got[key]; !ok {
				t.Errorf("clopt %s: no %s in %s", c.args, key, out)
			}
		}
		if !strings.Contains(out, c.text) {
			t.Errorf("clopt %s: no %s in %s", c.args, c.text, out)
		}
	}
}

// describe says whether the text of an objective is understood, and what kind of function it is.
func TestDescribeKind(t *testing.T) {
	t.Chdir(t.TempDir())
	head := "//@ bounds -1 1\n//@ n 4\n"
	component := func(body string) string {
		return "static void component(uint k, point x, data d, real *acc)\n{\n" + body + "\n}\n"
	}
	file(t, "q.cl", head+component("acc[0] += sq(at(x, k) - k);"))
	file(t, "pairs.cl", head+"//@ components 2\n//@ reads 2*k..2*k+1\n"+component("acc[0] += "+
		"exp(at(x, 2*k)*at(x, 2*k + 1));"))
	file(t, "chain.cl", head+"//@ components 3\n//@ reads k..k+1\n"+component("acc[0] += at(x, k)*at(x, k + 1);"))
	file(t, "kinks.cl", head+"//@ sums 2\n//@ f s0 + max(0, s1 - 3)\n"+component("real v = at(x, k);\n"+
		"acc[0] += fabs(v);\nacc[1] += fmax(v, R(0.5));"))
	file(t, "steps.cl", head+component("acc[0] += floor(3*at(x, k));"))
	file(t, "constant.cl", head+component("real v[DIM];\nv[k] = at(x, k);\nacc[0] += v[k];"))
	file(t, "opaque.cl", head+component("acc[0] += as_ulong(at(x, k)) & 1;"))
	for _, c := range []struct{ args, want string }{
		{"describe q.cl", "  understood  yes\n  kind        smooth, quadratic, separable\n"},
		{"describe q.cl --json", `"class":"smooth","components":4,"degree":2,`},
		{"check q.cl", "  kind        smooth, quadratic, separable\n"},
		{"describe kinks.cl", "  kind        kinked, partly separable\n" +
			"  kinks       fmax in line 4, fabs in line 8, fmax in line 9\n"},
		{"describe kinks.cl --json", `"kinks":["fmax in line 4","fabs in line 8","fmax in line 9"]`},
		{"describe steps.cl", "  kind        stepped, separable\n  steps       floor in line 5\n"},
		{"describe pairs.cl", "  kind        smooth, separable into 2 parts\n"},
		{"describe chain.cl", "  kind        smooth, quadratic, partly separable\n"},
		{"check constant.cl", "  constant n  another n is compiled anew, since constant.cl:5:8: DIM stands in the " +
			"size of an array\n"},
		{"describe opaque.cl", "  understood  no, since opaque.cl:5:11 uses as_ulong\n  method"},
		{"describe opaque.cl --json", `"understood":false`},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("clopt %s: exit %d, no %q\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

// TestErrorsAsJSON checks that an error of a command with --json is an object on standard output, besides the text on
// standard error.
func TestErrorsAsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, code := range map[string]int{
		"run cec2013/f99 --json": 2, "list --json": 2, "run cec2013/f1 -d 99 --json": 3,
		"describe nothing --json=true": 2, "eval rastrigin --json --frob": 2,
	} {
		got, out, errs := call(t, strings.Fields(args)...)
		var f failure
		if err := json.Unmarshal([]byte(out), &f); err != nil || got != code || f.ExitCode != code || f.Error == "" ||
			!strings.Contains(errs, "error: ") {
			t.Errorf("clopt %s: exit %d, %v\n%s%s", args, got, err, out, errs)
		}
	}
	if _, out, _ := call(t, "list", "--json=false"); out != "" {
		t.Errorf("without --json: %q", out)
	}
}

// TestCompletionOfFlags checks what a shell offers for the arguments and flags of commands.
func TestCompletionOfFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "runs/first/run.toml", "problem = \"rastrigin\"\n")
	file(t, "sub/readme.txt", "")
	for args, want := range map[string][]string{
		"run classic/ras":            {"classic/rastrigin"},
		"run ras":                    {"rastrigin"},
		"run classic/F0":             {"classic/F0_a"},
		"run cec2013/f1:":            {"cec2013/f1:n=", "cec2013/f1:mode="},
		"run cec2013/f1:n=5,":        {"cec2013/f1:n=5,mode="},
		"run maxcut:tor":             {"maxcut:torus="},
		"run x --solver ":            {"masw", "graybox"},
		"run x -s sa --set variant=": {"variant=v2", "variant=sweeps"},
		"run x -s masw --set ":       {"population=", "mates="},
		"run x --precision ":         {"fp64", "fp32"},
		"run x --devices ":           {"all", "gpu"},
		"run x --devices 0,":         {"0,all"},
		"run x --target ":            {"known"},
		"describe cano":              {"cano2016"},
		"describe gray":              {"graybox"},
		"suite ":                     {"largescale"},
		"suite largescale --scale ":  {"laptop"},
		"resume ":                    {"runs/first", "sub/"},
		"compare runs/":              {"runs/first"},
		"plot runs/first --kind ":    {"speedup"},
		"report x --against ":        {"runs/first"},
		"selftest -d ":               {"all"},
		"help ":                      {"environment", "run"},
		"list ":                      {"problems"},
	} {
		words := strings.Split(args, " ")
		code, out, errs := call(t, append([]string{"__complete"}, words...)...)
		var offered []string
		for _, line := range strings.Split(out, "\n") {
			name, _, _ := strings.Cut(line, "\t")
			offered = append(offered, name)
		}
		for _, name := range want {
			if code != 0 || !slices.Contains(offered, name) {
				t.Errorf("%q: exit %d, no %q in\n%s%s", args, code, name, out, errs)
			}
		}
	}
	if _, out, _ := call(t, "__complete", "run", "cec2013/f1:n=5,"); strings.Contains(out, "n=5,n=") {
		t.Errorf("a key that is already given is offered again:\n%s", out)
	}
}

// TestManual checks that there is a manual page for each command and each topic.
func TestManual(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, "man", "man"); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	text := readText(t, "man/man1", "clopt-run.1")
	for _, want := range []string{`.TH "CLOPT-RUN" "1"`, "solver", "default auto", "clopt list problems"} {
		if !strings.Contains(strings.ReplaceAll(text, `\-`, "-"), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, topic := range docs.Topics() {
		if !strings.Contains(readText(t, "man/man7", "clopt-"+topic+".7"), ".SH NAME") {
			t.Errorf("the page of %s has no name", topic)
		}
	}
	if left, _ := filepath.Glob("man/man1/*.1"); len(left) < 15 {
		t.Errorf("%d pages of commands", len(left))
	}
	if err := os.WriteFile("taken", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t, "man", "taken"); code != 10 || strings.Count(errs, "\n") != 1 {
		t.Errorf("a file as folder: exit %d\n%s", code, errs)
	}
}

// TestDescribeReads says what components read, and where that is from.
func TestDescribeReads(t *testing.T) {
	t.Chdir(t.TempDir())
	const chain = "//@ bounds 0 1\n//@ n 40\nstatic void component(uint k, point x, data d, real *acc) { " +
		"acc[0] += at(x, k); if (k + 1 < DIM) acc[0] += at(x, k + 1); }\n"
	file(t, "chain.cl", chain)
	file(t, "wide.cl", "//@ reads k..k+3\n"+chain)
	file(t, "whole.cl", "//@ reads whole\n"+chain)
	file(t, "opaque.cl", strings.Replace(chain, "at(x, k)", "as_uint(1) * at(x, k)", 1))
	file(t, "jump.cl", strings.Replace(chain, "at(x, k)", "at(x, (uint)at(x, 0))", 1))
	for name, want := range map[string]string{
		"chain.cl":  "reads       k..k+1: inferred\n",
		"wide.cl":   "reads       k..k+3: declared; the text reads less: k..k+1\n",
		"whole.cl":  "reads       whole: declared; the text reads less: k..k+1\n",
		"opaque.cl": "reads       whole: not known, since opaque.cl:3:71 uses as_uint\n",
		"jump.cl":   "reads       whole: not known, since jump.cl:3:71: the index ",
	} {
		if code, out, errs := call(t, "describe", name); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, no %q in\n%s%s", name, code, want, out, errs)
		}
	}
}

// TestDescribeWidth checks that descriptions in a pipe have the width of help pages.
func TestDescribeWidth(t *testing.T) {
	for _, name := range []string{"graybox", "sa", "relay", "maxcut", "cec2013/f1", "cano2016"} {
		code, out, errs := call(t, "describe", name)
		if code != 0 {
			t.Errorf("%s: exit %d, %s", name, code, errs)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("clopt describe %s: %d columns: %s", name, n, line)
			}
		}
	}
}
