package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck checks that the files of a run pass, and that each change in them is found.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "s.toml", smallSuite)
	file(t, "sphere.cl", sphereText)
	base := strings.Fields("run cec2013/f2 -s masw --set population=8 --evals 200 --seed 2 -q --checkpoint 1ns")
	for _, name := range []string{"a", "b"} {
		if code, _, errs := call(t, append(base, "--name", name)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	os.Remove("runs/b/result.json")
	code, out, errs := call(t, "check", "runs", "s.toml", "runs/a/run.toml", "runs/a/checkpoint/"+newestOf("runs/a"))
	if code != 0 || strings.Contains(out, "FAILED") || strings.Count(out, "ok ") != 6+4+3 ||
		!strings.Contains(out, "runs/b: unfinished") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	recipe := readText(t, "runs/a/run.toml")
	file(t, "runs/a/run.toml", recipe+"data = \"..\"\n") // official data lie outside of the run folder
	if code, out, errs := call(t, "check", "runs/a"); code != 0 {
		t.Errorf("data elsewhere: exit %d\n%s%s", code, out, errs)
	}
	file(t, "runs/a/run.toml", recipe)
	newest := filepath.Join("runs/a/checkpoint", newestOf("runs/a"))
	for _, c := range []struct {
		path, old, new string
		code           int
		want           string
	}{
		{"runs/a/trace.jsonl", `"evals":8,`, `"evals":800,`, 2, "runs/a/trace.jsonl:5:1: error: step 2"},
		{"runs/a/trace.jsonl", `"type":"end"`, `"type":"fin"`, 2, `type "fin"`},
		{"runs/a/trace.jsonl", `"evals":8,`, `"evols":8,`, 2, "evols"},
		{"runs/a/result.json", `"evaluations": 200`, `"evaluations": 201`, 2, "does not agree with its check"},
		{"runs/a/forged", `"evaluations": 200`, `"evaluations": 201`, 2, "the trace ends with 200"},
		{"runs/a/forged", `"f_host": `, `"f_host": 1`, 2, "its value is"},
		{"runs/a/trace.jsonl", `"nonfinite":0`, `"nonfinite":1`, 2, "trace.jsonl is not the file of the result"},
		{"runs/a/trace.jsonl", `"seed":2,`, `"seed":3,`, 2, "another run than the trace: the seed is 2, and was 3"},
		{"runs/a/run.toml", `evals = "200"`, `evals = "many"`, 2, "evals"},
		{"runs/a/best.npy", "\x93NUMPY", "\x93NUMPI", 2, "SHA-256"},
		{filepath.Join(newest, "manifest.json"), `"step": 25`, `"step": 26`, 7, "does not agree with its check"},
		{filepath.Join(newest, "shard-000.ck"), "population", "popolation", 7, "shard-000.ck is damaged"},
	} {
		path := strings.Replace(c.path, "forged", "result.json", 1)
		good := readText(t, path)
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Fatalf("no %s in %s:\n%s", c.old, c.path, good)
		}
		if path != c.path {
			forge(t, "runs/a", c.old, c.new)
		} else {
			file(t, path, bad)
		}
		code, out, errs := call(t, "check", "runs/a")
		if code != c.code || !strings.Contains(out, "FAILED") || !strings.Contains(out, c.want) {
			t.Errorf("%s in %s: exit %d, want %d and %q\n%s%s", c.new, c.path, code, c.code, c.want, out, errs)
		}
		file(t, path, good)
	}
	file(t, "s.toml", strings.Replace(smallSuite, "caption", "captoin", 1))
	if code, out, _ := call(t, "check", "s.toml"); code != 2 ||
		!strings.Contains(out, "s.toml:6:1: error: unknown key") {
		t.Errorf("exit %d\n%s", code, out)
	}
	file(t, "page.txt", "\n<!DOCTYPE html>\n<html></html>\n")
	for want, arg := range map[string]string{"nowhere": "nowhere",
		"neither a run nor": t.TempDir(), "neither a run file": "runs/a/log.txt",
		`nor a graph: it begins with "<!DOCTYPE html>"`: "page.txt"} {
		if code, out, errs := call(t, "check", arg); code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("check %s: exit %d\n%s%s", arg, code, out, errs)
		}
	}
}

// TestCheckByText evaluates the best point of an own objective by its text.
func TestCheckByText(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	run := strings.Fields("run sphere.cl -n 20 -s random --evals 200 -q --name own")
	if code, _, errs := call(t, run...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if code, out, errs := call(t, "check", "runs/own"); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	forge(t, "runs/own", `"f_host": `, `"f_host": 1`)
	if code, out, errs := call(t, "check", "runs/own"); code != 2 || !strings.Contains(out, "its value is") {
		t.Errorf("another value: exit %d\n%s%s", code, out, errs)
	}
}

// TestCheckObjective checks that objectives are read and that errors are shown with their place.
func TestCheckObjective(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "word.cl", strings.Replace(sphereText, "bounds", "bunds", 1))
	file(t, "open.cl", strings.Replace(sphereText, "//@ bounds -5 5\n", "", 1))
	file(t, "warned.cl", strings.Replace(sphereText, "    acc", "    at(x, k) == 2;\n    acc", 1))
	file(t, "half.cl", strings.Replace(sphereText, "+= sq", "+= 1/2*sq", 1))
	file(t, "who.cl", strings.Replace(sphereText, "at(x, k)", "at(x, get_global_id(0))", 1))
	file(t, "fit.cl", "//@ bounds -1 1\n//@ n 2\n//@ data w w.csv\nstatic void component(uint k, point x, data d, "+
		"real *acc) { acc[0] += sq(at(x, k) - d.w[k]); }\n")
	file(t, "w.csv", "weight\n0.5\n0.25\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"fit.cl", 0, "        w.csv: the first line is skipped, as a heading: weight\n"},
		{"half.cl -n 20", 0, "        half.cl:7:15: warning: 1/2 of two integers is 0. Write R(1.0) / 2\n"},
		{"half.cl -n 20 --json", 0, `"warnings":["half.cl:7:15: warning: 1/2`},
		{"who.cl -n 20", 2, "who.cl:7:24: error: get_global_id: any work-item"},
		{"sphere.cl -n 20", 0, "ok      sphere.cl: objective"},
		{"sphere.cl", 2, "sphere.cl: error: the number of variables is not given"},
		{"word.cl -n 10", 2, "word.cl:2:5: error: "},
		{"open.cl -n 10", 2, "open.cl: error: no bounds"},
		{"warned.cl -n 20", 0, "warned.cl:7:14: warning: "},
		{"warned.cl -n 20 --json", 0, `"warnings":["warned.cl:7:14: warning: `},
	} {
		code, out, errs := call(t, append([]string{"check"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("clopt check %s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}

// A run and the values of points warn of what a text most likely does not mean.
func TestWarningsOfTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "half.cl", strings.Replace(sphereText, "+= sq", "+= 1/2*sq", 1))
	file(t, "x.txt", "1 2 3\n")
	const want = "half.cl:7:15: warning: 1/2 of two integers is 0. Write R(1.0) / 2\n"
	for _, args := range []string{"run half.cl -n 3 -s random --evals 100", "eval half.cl --x x.txt"} {
		code, out, errs := call(t, strings.Fields(args)...)
		if code != 0 || strings.Count(errs, want) != 1 {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	code, _, errs := call(t, "run", "half.cl:n=3,lo=0,hi=1,maximize=true", "-s", "random", "--evals", "100")
	if code != 0 || strings.Count(errs, want) != 1 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestCheckNames checks that problems have the names that clopt run takes.
func TestCheckNames(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "g.txt", square)
	file(t, "spoken.qubo", "c offset 5\np qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n")
	file(t, "bqp.qubo", "c scale : 2\nc offset : 5\np qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n")
	file(t, "q.txt", "p qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n")
	file(t, "official/cec2013lsgo/F12-xopt.txt", strings.Repeat("1\n", 1000))
	for _, c := range []struct {
		name string
		code int
		want string
	}{
		{"maxcut:g.txt", 0, "maxcut:g.txt: the optimum is "},
		{"qubo:q.txt,sign=-1", 0, "qubo:q.txt,sign=-1: the optimum is -1, proven"},
		{"spoken.qubo", 0, `spoken.qubo: values leave out what a comment says: "offset 5"`},
		{"bqp.qubo", 0, "bqp.qubo: the optimum is 7, proven"},
		{"ising:q.txt", 2, "FAILED  ising:q.txt: problem: q.txt:1:1: error: holds a QUBO"},
		{"maxcut:none.txt", 2, "FAILED  maxcut:none.txt: problem: none.txt: error: no such file"},
		{"maxcut:torus=4x4,weights=unit", 0, "weights=unit: the optimum is 32, proven"},
		{"sphere.cl:n=20", 0, "ok      sphere.cl:n=20: evaluation"},
		{"cec2013/f2", 0, "ok      cec2013/f2: problem"},
		{"cec2013/f2:mod=1", 2, `unknown key "mod"`},
		{"none.cl", 2, "none.cl: error: cannot be read: no such file"},
		{"cec2013/f12", 0, "data        generated data, not the official instance"},
		{"cec2013/f12 --data official", 0, "data        official data"},
		{"cec2013/f12 --data .", 2, "FAILED  cec2013/f12: problem: "},
	} {
		code, out, errs := call(t, append([]string{"check"}, strings.Fields(c.name)...)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("clopt check %s: exit %d, want %d and %q\n%s%s", c.name, code, c.code, c.want, out, errs)
		}
	}
}

// TestCheckElsewhere checks that the output of clopt check does not depend on the current folder, and that a batch of
// runs may have a folder of inputs.
func TestCheckElsewhere(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	file(t, "g.txt", square)
	file(t, "other/g.txt", "4 1\n1 2 7\n") // not the graph of the run
	file(t, "empty/x", "")
	if code, _, errs := call(t, "run", "maxcut:g.txt", "-s", "random", "--evals", "200", "--seed", "1", "-q", "--name",
		"a"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if code, _, errs := call(t, "run", "maxcut:g.txt", "-s", "random", "--evals", "1", "--seed", "1", "-q", "--runs",
		"2", "-o", "batch", "--name", "b"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	for _, dir := range []string{"batch/b", "batch"} { // the folder inputs of the batch holds no run
		if code, out, errs := call(t, "check", dir); code != 0 || strings.Count(out, "best point") != 2 {
			t.Errorf("%s: exit %d\n%s%s", dir, code, out, errs)
		}
	}
	dir := filepath.Join(top, "runs", "a")
	says := map[string]string{}
	for _, folder := range []string{top, "other", "empty", dir} {
		t.Chdir(top)
		t.Chdir(folder)
		code, out, errs := call(t, "check", dir)
		if says[folder] = out; code != 0 || out != says[top] || !strings.Contains(out, "best point") {
			t.Errorf("in %s: exit %d\n%s%s", folder, code, out, errs)
		}
	}
	t.Chdir(top)
	text := readText(t, dir, "result.json")
	forge(t, dir, `"f_host": `, `"f_host": 1`)
	t.Chdir("empty")
	if code, out, _ := call(t, "check", dir); code != 2 || !strings.Contains(out, "its value is") {
		t.Errorf("another value: exit %d\n%s", code, out)
	}
	os.Remove(filepath.Join(top, "g.txt")) // then there is nothing to compare with
	file(t, filepath.Join(dir, "result.json"), text)
	if code, out, _ := call(t, "check", dir); code != 0 {
		t.Errorf("without its graph: exit %d\n%s", code, out)
	}
}
