package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/shorttest"
)

// TestLayout checks that the layout on the devices is shown, and is in the trace and the result.
func TestLayout(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "whole.cl", strings.Replace(sphereText, "reads k", "reads whole", 1))
	for _, c := range []struct {
		args   string
		shares []float64
		want   []string
	}{
		{"run sphere.cl -n 2000 --name a -d 0*3", []float64{0.5, 0.5, 0},
			[]string{"50 % of the problem", "idle: the problem cannot be divided further", "kernels built in "}},
		{"run whole.cl -n 2000 --name b -d 0*2", []float64{1, 0},
			[]string{"one device is used: several need components that read windows", "100 %",
				"idle: the objective runs on one device"}},
		{"run sphere.cl -n 2000 --name g -d 0*2 -s graybox", []float64{0.5, 0.5},
			[]string{"50 % of the problem"}},
		{"run sphere.cl -n 2000 --name c -d 0*2 --runs 2", nil, []string{"50 %"}},
	} {
		code, _, errs := call(t, strings.Fields(c.args+" --evals 300 --seed 1")...)
		if code != 0 {
			t.Fatalf("clopt %s: exit %d\n%s", c.args, code, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(errs, want) {
				t.Errorf("clopt %s: no %q in\n%s", c.args, want, errs)
			}
		}
		if c.shares == nil {
			if n := strings.Count(errs, "  device "); n != 1 {
				t.Errorf("the layout is shown %d times:\n%s", n, errs)
			}
			continue
		}
		dir := filepath.Join("runs", strings.Fields(c.args)[5])
		event := lines(t, readText(t, dir, "trace.jsonl"))[1]
		if event["event"] != "layout" || event["t"] != 0.0 || len(event["devices"].([]any)) != len(c.shares) {
			t.Errorf("clopt %s: event %v", c.args, event)
		}
		for i, d := range readResult(t, dir).Devices {
			if float64(d.Share) != c.shares[i] || (d.Mem > 0) != (d.Share > 0) {
				t.Errorf("clopt %s: %+v", c.args, d)
			}
		}
	}
}

// TestReadOutside checks that an undeclared read is a usage error, and that no folder is left.
func TestReadOutside(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "over.cl", strings.Replace(sphereText, "at(x, k)", "at(x, k + as_uint(1))", 1)) // not understood
	file(t, "x.txt", "1 2 3\n")
	for _, args := range []string{"run over.cl -n 3 --evals 1000", "eval over.cl --x x.txt"} {
		code, out, errs := call(t, strings.Fields(args)...)
		if code != 2 || out != "" || !strings.Contains(errs, "reads variable 3") ||
			!strings.Contains(errs, "components n-1") {
			t.Errorf("clopt %s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder stays")
	}
}

// TestCrash checks that an objective which crashes gives a message and exit code 4.
func TestCrash(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "crash.cl", strings.Replace(sphereText, "acc[0] +=",
		"global volatile int *p = (global volatile int *)8; acc[0] += p[k] +", 1))
	file(t, "x.txt", "1 2 3\n")
	for _, args := range []string{"run crash.cl -n 3 --evals 1000", "eval crash.cl --x x.txt"} {
		code, out, errs := call(t, strings.Fields(args)...)
		if code != 4 || out != "" || !strings.Contains(errs,
			"crash.cl: error: the first evaluation crashed on device 0") {
			t.Errorf("clopt %s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder stays")
	}
}

// TestReshaped checks that --bounds and --maximize hold for values, target, start points and a repeated run.
func TestReshaped(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "out.txt", "4 4 4\n")
	args := []string{"run", "sphere.cl", "-n", "3", "--bounds", "-1,2", "--maximize", "--evals", "20k", "--target",
		"11.9", "--require-target", "-s", "masw", "--seed", "1", "--name", "a"}
	code, out, errs := call(t, args...)
	r := readResult(t, "runs/a")
	if code != 0 || r.Stop.Reason != "target" || r.Best.F < 11.9 || r.Best.F > 12 ||
		!strings.Contains(out, "the target 11.9 is met") {
		t.Fatalf("exit %d, %+v\n%s%s", code, r, out, errs)
	}
	if r.Problem != "sphere.cl:n=3,lo=-1,hi=2,maximize=true" {
		t.Error(r.Problem)
	}
	_, value, _ := call(t, "eval", "sphere.cl", "--x", "runs/a/best.npy")
	if f, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || f != float64(r.Best.F) {
		t.Errorf("eval: %q, result has %v", value, r.Best.F)
	}
	for _, again := range []string{"runs/a", "sphere.cl:n=3,lo=-1,hi=2,maximize=true"} {
		if code, _, errs := call(t, "run", again, "-s", "masw", "--evals", "20k", "--target", "11.9", "--seed", "1",
			"--name", "b", "-q"); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
		if gridOf(t, "runs/a") != gridOf(t, "runs/b") {
			t.Errorf("%s does not repeat the run", again)
		}
		os.RemoveAll("runs/b")
	}
	if code, _, errs := call(t, append(args, "--x0", "out.txt")...); code != 2 ||
		!strings.Contains(errs, "outside the box [-1, 2]") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	// A problem known by name takes both as a file does.
	code, _, errs = call(t, "run", "cec2013/f1", "--bounds", "-1,2", "--maximize", "-s", "random", "--evals", "100",
		"--seed", "1", "--name", "c")
	if code != 0 || readResult(t, "runs/c").Problem != "cec2013/f1:n=1000,lo=-1,hi=2,maximize=true" {
		t.Errorf("exit %d, %s\n%s", code, readResult(t, "runs/c").Problem, errs)
	}
}

// onceText is an objective that builds for the run and its trial, and not for
// the evaluation of a stored point that confirms the result.
const onceText = `#if !defined(POP) && !defined(TRIAL_WHOLE)
#error not for a stored point
#endif
`

// TestNotConfirmed checks that a run whose best point cannot be confirmed stores it, warns, and ends with exit code 8.
func TestNotConfirmed(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "once.cl", sphereText+onceText)
	file(t, "x0.txt", "1\n1\n1\n") // without one, uniform points are evaluated before the run
	code, out, errs := call(t, "run", "once.cl", "-n", "3", "-s", "masw", "--evals", "300", "--seed", "1", "--x0",
		"x0.txt", "--name", "a")
	if code != exit.Verify || !strings.Contains(out, "NOT confirmed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if !strings.Contains(errs, "could not be confirmed") || !strings.Contains(errs, "once.cl:") ||
		strings.Contains(errs, "NaN") {
		t.Errorf("%s", errs)
	}
	r := readResult(t, "runs/a")
	if r.ExitCode != exit.Verify || r.Best.Confirmed || r.Best.XFile == nil || r.Evaluations != 300 {
		t.Errorf("%+v", r)
	}
	if p, err := input.ReadPoints("runs/a/best.npy", 3); err != nil || len(p.X) != 1 {
		t.Errorf("%v, %v", p, err)
	}
	if trace := lines(t, readText(t, "runs/a/trace.jsonl")); trace[len(trace)-1]["exit_code"] != float64(exit.Verify) {
		t.Errorf("%v", trace[len(trace)-1])
	}
	code, _, errs = call(t, "run", "once.cl", "-n", "3", "-s", "masw", "--evals", "300", "--seed", "1", "--x0",
		"x0.txt", "--runs", "2", "--name", "b", "--status", "json")
	if code != exit.Verify || !strings.Contains(errs, "could not be confirmed") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if n := len(lines(t, errs)); n < 8 {
		t.Errorf("%d lines", n)
	}
	for _, dir := range []string{"runs/b/run-00", "runs/b/run-01"} {
		if r := readResult(t, dir); r.ExitCode != exit.Verify {
			t.Errorf("%s: %+v", dir, r)
		}
	}
}

// TestUndeclaredAtTheBestPoint has a text that reads an undeclared variable where it is smallest. The run is not
// confirmed and says how to test the declaration, and clopt check finds the same in a run without the checks. With
// as_uint the text is not understood, so that the declaration is not compared with it.
func TestUndeclaredAtTheBestPoint(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "rare.cl", "//@ bounds -1 1\n//@ n 40\n//@ reads k\nstatic void component(uint k, point x, data d, "+
		"real *acc)\n{ real v = at(x, k); acc[0] += v * v; if (k == as_uint(3) && v > R(0.9)) acc[0] += "+
		"at(x, 20) - 20; }\n")
	args := strings.Fields("run rare.cl -s masw --set population=8 --evals 2000 --seed 1 --name")
	code, out, errs := call(t, append(args, "a")...)
	if code != exit.Verify || !strings.Contains(out, "NOT confirmed") ||
		!strings.Contains(errs, "component 3 reads variable 20, outside the declared 3 (") ||
		!strings.Contains(errs, "clopt structure rare.cl:n=40 --verify") || strings.Contains(errs, "another device") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := call(t, append(args, "b", "--no-selftest")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	zeros, one := strings.Repeat("0 ", 40)+"\n", "0 0 0 1"+strings.Repeat(" 0", 36)+"\n"
	for points, want := range map[string]int{zeros: 0, zeros + one: exit.Usage, strings.Repeat(zeros, 16) + one: 0} {
		file(t, "x.txt", points)
		code, _, errs := call(t, "eval", "rare.cl", "--x", "x.txt")
		wrong := strings.Contains(errs, "component 3 reads variable 20, outside the declared 3")
		some := strings.Contains(errs, "was watched at the first 16 of 17 points only")
		if code != want || wrong != (code > 0) || some != (len(points) > len(zeros+one)) {
			t.Errorf("exit %d\n%s", code, errs)
		}
	}
	for _, dir := range []string{"runs/a", "runs/b"} {
		code, out, errs := call(t, "check", dir)
		if code != exit.Usage || strings.Count(out, "FAILED") != 1 || !strings.Contains(out, "FAILED  "+dir+
			": reads at the best point: "+dir+"/inputs/rare.cl: error: component 3 reads variable 20") {
			t.Errorf("%s: exit %d\n%s%s", dir, code, out, errs)
		}
	}
}

// TestLongNameAndResume makes a run of a file whose name is as long as names may be, and goes on with it. The problem
// of the result stays that of the first start. Without the hashes of its inputs the folder is not good.
func TestLongNameAndResume(t *testing.T) {
	t.Chdir(t.TempDir())
	name := strings.Repeat("a", 252) + ".cl"
	file(t, name, sphereText)
	for _, args := range []string{"run " + name + " -n 3 -s random --evals 100 --seed 1 --name a",
		"resume runs/a --evals 200"} {
		code, _, errs := call(t, strings.Fields(args)...)
		if r := readResult(t, "runs/a"); code != 0 || r.Problem != name+":n=3" {
			t.Fatalf("%s: exit %d, %s\n%s", args, code, r.Problem, errs)
		}
	}
	os.Remove("runs/a/result.json") // an unfinished run
	os.Remove("runs/a/inputs/SHA256SUMS")
	file(t, "runs/a/inputs/"+name, sphereText+"// changed\n")
	if code, out, errs := call(t, "check", "runs/a"); code != exit.Usage ||
		!strings.Contains(out, "FAILED  runs/a: inputs: runs/a/inputs has no SHA256SUMS") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestBoundsBeside checks that --bounds for an objective without bounds gives the same bits as bounds in its file.
func TestBoundsBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	bare := regexp.MustCompile(`(?m)^//@ bounds.*\n`).ReplaceAllString(sphereText, "")
	file(t, "bare.cl", bare)
	file(t, "x.txt", "1 2 3\n")
	file(t, "with.cl", "//@ bounds -1 2\n"+bare)
	rest := strings.Fields("-s random --evals 300 --seed 1 -q --name")
	for name, args := range map[string]string{
		"with": "with.cl -n 3", "bare": "bare.cl -n 3 --bounds -1,2", "word": "bare.cl:n=3,lo=-1,hi=2",
	} {
		if code, _, errs := call(t, slices.Concat([]string{"run"}, strings.Fields(args), rest,
			[]string{name})...); code != 0 {
			t.Fatalf("run %s: exit %d\n%s", args, code, errs)
		}
	}
	if code, _, errs := call(t, "run", "runs/bare/run.toml", "-q", "--name", "again"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	want := readText(t, "runs/with/best.npy")
	for _, name := range []string{"bare", "word", "again"} {
		if readText(t, filepath.Join("runs", name, "best.npy")) != want {
			t.Errorf("%s has another best point", name)
		}
	}
	for _, args := range []string{"run bare.cl -n 3", "run bare.cl:n=3,maximize=true", "eval bare.cl --x x.txt"} {
		if code, out, errs := call(t, strings.Fields(args)...); code != 2 || out != "" ||
			!strings.Contains(errs, "bare.cl: error: no bounds. Add a line //@ bounds LO HI, or give --bounds "+
				"LO,HI or --bounds FILE, or bare.cl:lo=LO,hi=HI") {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, errs)
		}
	}
}

// The summary and result.json say which searches or methods have worked, and what they have gained.
func TestSearches(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", strings.Replace(sphereText, "acc[0] += ", "acc[0] += 1 - cos(at(x, k)) + ", 1))
	for _, c := range []struct {
		args, row string
		names     []string
	}{
		{"-s graybox --evals 400", "searches  mts 100 % of the work and 100 % of the gain\n",
			[]string{"mts"}},
		{"-s relay --evals 4000", " of the gain, sa ", []string{"lbfgs", "sa"}},
		{"-s random --evals 400", "", nil},
	} {
		code, out, errs := call(t, append(strings.Fields("run sphere.cl -n 20 --seed 1 -q --name a"),
			strings.Fields(c.args)...)...)
		if code != 0 || !strings.Contains(out, c.row) {
			t.Fatalf("%s: exit %d\n%s%s", c.args, code, out, errs)
		}
		var names []string
		work, gain := 0.0, 0.0
		for _, s := range readResult(t, "runs/a").Searches {
			names = append(names, s.Name)
			work, gain = work+float64(s.Work), gain+float64(s.Gain)
		}
		if !slices.Equal(names, c.names) || names != nil && (math.Abs(work-1) > 1e-9 || math.Abs(gain-1) > 1e-9) {
			t.Errorf("%s: searches %v with %v of the work and %v of the gain", c.args, names, work, gain)
		}
		if err := os.RemoveAll("runs"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBoundsFile checks that methods keep to --bounds FILE, where equal bounds fix a variable, and that run.toml
// repeats such a run.
func TestBoundsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", strings.Replace(sphereText, "//@ name", "//@ label s0 distance, m^2\n//@ name", 1))
	file(t, "curve.cl", "//@ bounds -5 5\n//@ reads k\n//@ squares 1\n"+
		"static void residuals(uint k, point x, data d, real *r) { r[0] = at(x, k); }\n")
	file(t, "box.csv", "lo,hi\n-1,2\n0.5,0.5\n1,3\n-2,-0.1\n")
	for _, c := range shorttest.Rows(3, []struct{ name, problem, args string }{
		{"lbfgs", "sphere.cl", "-s lbfgs --evals 400"},
		{"sweeps", "sphere.cl", "-s sa --set variant=sweeps --evals 4000"},
		{"lm", "curve.cl", "-s lm --evals 400"},
		{"chains", "sphere.cl", "-s sa --evals 4000"},
		{"cgrasp", "sphere.cl", "-s cgrasp --evals 4000"},
		{"relay", "sphere.cl", "-s relay --evals 4000"},
		{"masw", "sphere.cl", "-s masw --evals 4000"},
		{"auto", "sphere.cl", "--evals 4000"},
	}) {
		name := c.name
		code, out, errs := call(t, append(strings.Fields("run "+c.problem+" -n 4 --bounds box.csv --seed 1 -q --name "+
			name), strings.Fields(c.args)...)...)
		if code != 0 || c.problem == "sphere.cl" && !strings.Contains(out, "distance, m^2") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
			continue
		}
		points, err := input.ReadPoints("runs/"+name+"/best.npy", 4)
		if err != nil {
			t.Fatal(err)
		}
		x := points.X[0]
		if x[1] != 0.5 || x[0] < -1 || x[0] > 2 || x[2] < 1 || x[2] > 3 || x[3] < -2 || x[3] > -0.1 {
			t.Errorf("%s: the best point is %v", name, x)
		}
		if f := float64(readResult(t, "runs/"+name).Best.F); !(f >= 1.26-1e-9 && f < 1.5) {
			t.Errorf("%s: the best value is %v, and the smallest is 1.26", name, f)
		}
	}
	if code, _, errs := call(t, "run", "runs/lbfgs/run.toml", "-q", "--name", "again"); code != 0 ||
		gridOf(t, "runs/again") != gridOf(t, "runs/lbfgs") {
		t.Errorf("exit %d, or not the same run\n%s", code, errs)
	}
	for args, want := range map[string]string{
		"--bounds none.csv":            "none.csv",
		"--bounds sphere.cl":           "sphere.cl:",
		"--bounds 1;2":                 "1;2",
		"--bounds 5,5":                 "is not below",
		"--bounds box.csv --precision": "--precision",
	} {
		if code, _, errs := call(t, append([]string{"run", "sphere.cl", "-n", "4", "--evals", "100"},
			strings.Fields(args)...)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d\n%s", args, code, errs)
		}
	}
}

// TestTarget checks that the directive target ends a run and is what --require-target asks for.
func TestTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", "//@ target 1\n"+sphereText)
	code, out, errs := call(t, "run", "sphere.cl", "-n", "3", "-s", "random", "--require-target", "--seed", "1")
	if code != 0 || !strings.Contains(out, "the target 1 is met") || !strings.Contains(out, "sphere: sphere.cl:n=3") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = call(t, "run", "sphere.cl", "-n", "3", "-s", "random", "--require-target", "--seed", "1",
		"--target", "0", "--evals", "10000")
	if code != 11 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	file(t, "sphere.cl", sphereText)
	if code, _, errs := call(t, "run", "sphere.cl", "-n", "3", "--require-target"); code != 2 ||
		!strings.Contains(errs, "add --target F") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestDescribeUnsized checks that describe shows what an objective declares that has no number of variables.
func TestDescribeUnsized(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "a.cl", strings.Replace(sphereText, "//@ bounds -5 5", "//@ bounds -5 5  // wide\n//@ f 2*s0/n", 1))
	file(t, "wrong.cl", strings.Replace(sphereText, "//@ bounds -5 5", "//@ bounds 5 -5", 1))
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"a.cl", 0, []string{"a.cl\n", "  bounds      -5 5\n", "  f           2*s0/n\n",
			"  variables   not declared. Use -n N"}},
		{"a.cl --json", 0, []string{`"bounds":["-5 5"]`, `"variables":null`}},
		{"a.cl -n 3", 0, []string{"  variables   3 in [-5, 5]\n"}},
		{"wrong.cl", 2, []string{"wrong.cl:2:12: error: "}},
	} {
		code, out, errs := call(t, append([]string{"describe"}, strings.Fields(c.args)...)...)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(out+errs, want) {
				t.Errorf("clopt describe %s: exit %d, want %d and %q\n%s%s", c.args, code, c.code, want, out, errs)
			}
		}
	}
}

// TestDescribeObjective checks that describe and check show what an objective file says, and that check evaluates it.
func TestDescribeObjective(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "fit.cl", "//@ bounds box.txt\n//@ data A a.mtx\n//@ n cols(A)\n//@ components rows(A)\n//@ target 1e-9\n"+
		"//@ label s0 misfit, m^2\nstatic void component(uint k, point x, data d, real *acc)\n{\n"+
		"    for (uint j = d.A_row_start[k]; j < d.A_row_start[k + 1]; j++)\n"+
		"        acc[0] += sq(d.A_val[j] * at(x, d.A_col[j]));\n}\n")
	file(t, "a.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 4\n1 1 2\n2 2 1\n3 1 1\n3 2 -1\n")
	file(t, "box.txt", "-1 1\n2 2\n")
	want := []string{"name        fit\n", "variables   2, each with bounds of its own within [-1, 2]; fixed are 1\n",
		"components  3\n", "reads       whole: inferred\n", "s0 is misfit, m^2\n", "target      1e-09\n",
		"d.A_val, 4 numbers, real\n", "d.A_rows = 3, d.A_cols = 2\n", "files       fit.cl a.mtx box.txt\n",
		"method      "}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"describe fit.cl", want},
		{"check fit.cl", append([]string{"ok      fit.cl: objective\n", "ok      fit.cl: evaluation on device 0",
			"fit.cl: the value at a uniform point is "},
			want...)},
		{"describe fit.cl --bounds -5,5", []string{"variables   2 in [-5, 5]\n"}},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		for _, text := range c.want {
			if code != 0 || !strings.Contains(out, text) || strings.Contains(out, "and the same at") {
				t.Errorf("clopt %s: exit %d, no %q in\n%s%s", c.args, code, text, out, errs)
			}
		}
	}
	file(t, "root.cl", "//@ bounds -5 -1\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc) "+
		"{ acc[0] += sqrt(at(x, k)); }\n")
	code, out, _ := call(t, "check", "root.cl", "-n", "100")
	if code != 0 || !strings.Contains(out, "uniform point is NaN, which ranks worst;") {
		t.Errorf("exit %d\n%s", code, out)
	}
	const same = ", and the same at 3 others. A search needs values that differ"
	if strings.Contains(out, same) {
		t.Errorf("values that are not finite are said to be the same:\n%s", out)
	}
	file(t, "flat.cl", "//@ bounds 0 1\n//@ n 100\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += R(0.5); }\n")
	file(t, "falls.cl", strings.Replace(readText(t, "flat.cl"), "R(0.5)", "sq(at(x, k))", 1))
	code, out, _ = call(t, "check", "flat.cl")
	if code != 0 || !strings.Contains(out, "uniform point is 50"+same) {
		t.Errorf("exit %d\n%s", code, out)
	}
	_, _, errs := call(t, "run", "root.cl", "-n", "100", "-s", "random", "--evals", "200")
	if strings.Contains(errs, "the same at two") || !strings.Contains(errs, "no finite value") {
		t.Errorf("values that are not finite are said to be the same:\n%s", errs)
	}
	for name, want := range map[string]bool{"flat.cl": true, "falls.cl": false} {
		code, _, errs := call(t, "run", name, "-s", "random", "--evals", "200", "--seed", "1")
		if code != 0 || strings.Contains(errs, "the same at two uniform points") != want {
			t.Errorf("%s: exit %d\n%s", name, code, errs)
		}
	}
	file(t, "short.cl", strings.Replace(readText(t, "falls.cl"), "//@ reads k", "//@ reads k\n//@ components n-1", 1))
	file(t, "first.cl", strings.Replace(strings.Replace(readText(t, "falls.cl"), "at(x, k)", "at(x, 0)", 1),
		"reads k", "reads whole", 1))
	const advice = "x[5], … (6 variables) are read by no component at uniform points. See whether at(x, k) is meant"
	if _, out, _ := call(t, "check", "first.cl", "-n", "7"); !strings.Contains(out, advice) {
		t.Errorf("no advice in\n%s", out)
	}
	file(t, "x0.txt", strings.Repeat("0\n", 100))
	for _, args := range []string{"check short.cl", "run short.cl -s random --evals 200 --seed 1",
		"eval short.cl --x x0.txt"} {
		code, out, errs := call(t, strings.Fields(args)...)
		if n := strings.Count(out+errs, "short.cl: warning: x[99] is read by no component"); code != 0 || n != 1 {
			t.Errorf("clopt %s: exit %d, %d warnings about x[99] in\n%s%s", args, code, n, out, errs)
		}
	}
	file(t, "fit.cl", strings.Replace(readText(t, "fit.cl"), "d.A_val[j]", "d.A_val[j + 1]", 1))
	code, out, _ = call(t, "check", "fit.cl")
	if code != 2 || !strings.Contains(out, "FAILED  fit.cl: evaluation on device 0") ||
		!strings.Contains(out, "component 2 reads d.A_val[4]") {
		t.Errorf("exit %d\n%s", code, out)
	}
}
