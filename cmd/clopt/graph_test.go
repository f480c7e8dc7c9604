package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// square is a cycle of 4 with a chord: the largest cut is 9.
const square = "4 5\n1 2 3\n2 3 1\n3 4 3\n1 4 2\n1 3 -1\n"

func zipText(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return b.String()
}

// TestGraphEval evaluates assignments in all forms, on devices and on the host.
func TestGraphEval(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "g.txt", square)
	file(t, "a,b:c.txt.gz", zipText(t, square))
	file(t, "m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.25\n3 2 0.5\n")
	file(t, "q.qubo", "c test\np qubo 0 3 2 2\n0 0 5\n2 2 -1\n0 1 -4\n1 2 2\n")
	file(t, "i.txt", "0 0 1\n0 1 2\n1 2 -3\n")
	file(t, "loops.txt", "2 3\n1 2 3\n1 1 5\n2 1 4\n")
	var npy bytes.Buffer
	input.WriteNpy(&npy, []float64{0, 1, 0, 1})
	file(t, "x.npy", npy.String())
	for _, c := range []struct{ args, x, want string }{
		{"maxcut:g.txt", "0101\n", "9"},
		{"maxcut:g.txt", "0 1 0 1", "9"},
		{"maxcut:g.txt", "0\n1\n0\n1\n", "9"},
		{"maxcut:g.txt", "0,1,0,1", "9"},
		{"maxcut:g.txt", "-1 1 -1 1", "9"},
		{"maxcut:g.txt", "1 2 1 2", "9"},
		{"maxcut:g.txt", "1010\n0000\n1000\n", "9\n0\n4"},
		{"MaxCut:g.txt", "0101", "9"},
		{"g.txt", "0101", "9"},
		{"maxcut:g.txt:n=4", "0101", "9"},
		{"maxcut:a,b:c.txt.gz", "0101", "9"},
		{"maxcut:a,b:c.txt.gz,drop-loops=true", "0101", "9"},
		{"a,b:c.txt.gz", "0101", "9"},
		{"maxcut:m.mtx", "010\n011\n001\n", "0.75\n0.25\n0.5"},
		{"m.mtx", "010", "0.75"},
		{"qubo:q.qubo", "000\n100\n001\n110\n111\n", "0\n5\n-1\n1\n2"},
		{"q.qubo", "110", "1"},
		{"qubo:q.qubo,sign=-1", "110", "-1"},
		{"qubo:q.qubo,maximize=true", "110", "1"},
		{"qubo:q.qubo --sign -1", "001", "1"},
		{"ising:i.txt", "1 1 1\n-1 1 1\n-1 -1 -1\n1 -1 1", "0\n-6\n-2\n2"},
		{"ising:i.txt,sign=-1", "1 1 1\n1 -1 1", "0\n-2"},
		{"maxcut:loops.txt --drop-loops --merge-edges", "01", "7"},
		{"maxcut:loops.txt,drop-loops=true,merge-edges=true", "01", "7"},
		{"maxcut:complete=4,weights=unit", "0011", "4"},
	} {
		file(t, "x.sol", c.x)
		for _, how := range []string{"", " --host"} {
			args := "eval " + c.args + " --x x.sol" + how
			code, out, errs := call(t, strings.Fields(args)...)
			if code != 0 || strings.TrimSpace(out) != c.want {
				t.Errorf("clopt %s of %q: exit %d, %q, want %q\n%s", args, c.x, code, out, c.want, errs)
			}
		}
	}
	if _, out, errs := call(t, "eval", "maxcut:g.txt", "--x", "x.npy"); out != "9\n" {
		t.Errorf("npy: %q\n%s", out, errs)
	}
	if _, out, errs := callWith(t, t.Context(), "0101", "eval", "maxcut:g.txt", "--x", "-"); out != "9\n" {
		t.Errorf("standard input: %q\n%s", out, errs)
	}
	file(t, "x.sol", "01")
	if _, _, errs := call(t, "eval", "maxcut:loops.txt", "--drop-loops", "--merge-edges", "--x", "x.sol",
		"--host"); !strings.Contains(errs, "1 loop dropped") {
		t.Errorf("no note of what was dropped in %q", errs)
	}
}

// TestGraphFlags checks that all commands that read a graph have the flags that say how.
func TestGraphFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "q.coo", "# vartype=BINARY\n0 0 1\n0 1 -2\n1 0 5\n")
	file(t, "x.sol", "1 1\n")
	const flags = " --merge-edges --maximize --sign -1"
	for args, want := range map[string]string{
		"describe q.coo":        "best known  0",
		"check q.coo":           "the optimum is 0, proven",
		"eval q.coo --x x.sol":  "-4",
		"convert q.coo -":       "0 1 3",
		"convert q.coo copy.lp": "",
	} {
		code, out, errs := call(t, strings.Fields(args+flags)...)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("clopt %s: exit %d, no %q in\n%s%s", args+flags, code, want, out, errs)
		}
	}
	if _, out, errs := call(t, "eval", "copy.lp", "--x", "x.sol"); out != "-4\n" {
		t.Errorf("converted: %q\n%s", out, errs)
	}
}

// TestGraphWrongInput checks that wrong input gives exit code 2, its place and value, no standard output and no folder.
func TestGraphWrongInput(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "g.txt", square)
	file(t, "loop.txt", "2 2\n1 2 3\n2 2 1\n")
	file(t, "twice.txt", "2 2\n1 2 3\n2 1 1\n")
	file(t, "list.txt", "0 1 2\n")
	file(t, "q.qubo", "p qubo 0 2 1 1\n0 0 5\n0 1 -4\n")
	file(t, "huge.txt", "2000000000 8\n")
	file(t, "spin.txt", "# vartype=SPIN\n0 1\n")
	file(t, "spaced.txt", "# Vartype : SPIN\n0 0 1\n0 1 3\n")
	file(t, "matrix.npz", "PK\x03\x04")
	file(t, "big.txt", "2 1\n1 2 100000000\n")
	file(t, "bad.txt", "2 1\n1 2 1\n")
	file(t, "bad.bkv", "many\n")
	file(t, "three.sol", "0 1 2 0\n")
	file(t, "short.sol", "0 1\n1")
	file(t, "good.sol", "0101")
	var npy bytes.Buffer
	input.WriteNpy(&npy, []float64{0, 1, 0.5, 1})
	file(t, "half.npy", npy.String())
	file(t, "exists.txt", "")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run maxcut:", 2, "maxcut:FILE"},
		{"run maxcut", 2, "maxcut:FILE"},
		{"run maxcut:none.txt", 2, "none.txt: error: no such file"},
		{"run maxcut:none.txt,drop-loops=true", 2, "none.txt: error: no such file"},
		{"run maxcut:.", 2, "is a folder"},
		{"run maxcutt:g.txt", 2, "maxcut"},
		{"run maxcut:loop.txt", 2, "loop.txt:3:1: error: an edge from vertex 2 to itself"},
		{"run twice.txt", 2, "twice.txt:3:1: error: the edge between vertices 1 and 2 is in line 2 already"},
		{"run list.txt", 2, "as ising:list.txt if they are -1 and 1"},
		{"run maxcut:q.qubo", 2, "qubo:q.qubo"},
		{"run qubo:g.txt", 2, "maxcut:g.txt"},
		{"run huge.txt", 2, "huge.txt:1:1: error: 2000000000 vertices"},
		{"run spin.txt", 2, "spin.txt:2:4: error: the line ends after 2 of 3 numbers"},
		{"convert spin.txt x.lp", 2, "spin.txt:2:4: error: the line ends after 2 of 3 numbers"},
		{"run qubo:spaced.txt", 2, "spaced.txt:1:1: error: holds an Ising problem. Name it as ising:spaced.txt"},
		{"describe matrix.npz", 2, "matrix.npz:1:1: error: a damaged archive"},
		{"run bad.txt", 2, `bad.bkv:1:1: error: "many"`},
		{"run maxcut:g.txt -n 5", 2, "has 4 variables, not 5"},
		{"run maxcut:g.txt,n=4 -n 5", 2, "give it once"},
		{"run maxcut:g.txt,drop-loops=maybe", 2, `"maybe"`},
		{"run maxcut:g.txt,drop-lops=true", 2, "drop-lops"},
		{"run maxcut:g.txt --maximize", 2, "maximization already"},
		{"run maxcut:g.txt --sign -1", 2, "qubo and ising"},
		{"run maxcut:g.txt --bounds 0,2", 2, "no other bounds"},
		{"run qubo:q.qubo --sign 2", 2, `"2"`},
		{"run qubo:q.qubo,sign=2", 2, `"2"`},
		{"run qubo:q.qubo,sign=1 --sign -1", 2, "give it once"},
		{"run qubo:q.qubo --drop-loops", 2, "belongs to maxcut"},
		{"run cec2013/f1 --drop-loops", 2, "belongs to maxcut"},
		{"run maxcut:g.txt -s masw", 2, "masw moves real variables"},
		{"run maxcut:g.txt --set popul=3", 2, `"popul"`},
		{"run big.txt --precision fp32", 3, "use fp64"},
		{"run maxcut:tile=40", 2, `"40"`},
		{"run maxcut:tile=5x4", 2, "even sides"},
		{"run maxcut:tile=40x40,p=2", 2, "p is 2"},
		{"run maxcut:tile=40x40,q=1", 2, `"q"`},
		{"run maxcut:tile=40x40,seed=-1", 2, `"-1"`},
		{"run maxcut:torus=40x40,weights=5..1", 2, `"5..1"`},
		{"run maxcut:torus=2x40", 2, "side of 2"},
		{"run maxcut:gnp=100", 2, "probability"},
		{"run maxcut:gnp=1e9,p=0.5", 2, "edges"},
		{"run maxcut:complete=1e6", 2, "edges"},
		{"run maxcut:cliques=5", 2, `"5"`},
		{"run maxcut:tile=40x40 --merge-edges", 2, "generated graph"},
		{"run maxcut:g.txt --x0 three.sol", 2, "three.sol:1:5"},
		{"run maxcut:g.txt --x0 good.sol -s random", 2, "no start points"},
		{"eval maxcut:g.txt --x three.sol", 2, `three.sol:1:5: error: "2" where 0 was in line 1, column 1`},
		{"eval maxcut:g.txt --x short.sol", 2, "short.sol:2:2: error: 3 of 4 entries"},
		{"eval maxcut:g.txt --x half.npy", 2, "point 1, variable 3 is 0.5"},
		{"eval maxcut:g.txt --x none.sol", 2, "none.sol"},
		{"generate cec2013/f1 -o x.txt", 2, "is not a graph"},
		{"generate maxcut:tile=4x4", 2, "--out"},
		{"generate maxcut:tile=4x4 -o exists.txt", 2, "--force"},
		{"generate maxcut:torus=50x50 -o x.txt --solution", 2, "is not known"},
		{"generate maxcut:tile=4x4 -o none/x.txt", 10, "none/"},
		{"describe maxcut:none.txt", 2, "none.txt"},
		{"describe maxcat", 2, `"maxcut"`},
	} {
		code, stdout, stderr := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("clopt %s: exit %d, want %d; want %q in:\n%s%s", c.args, code, c.code, c.want, stderr, stdout)
		}
		if n := strings.Count(stderr, "error: "); n != 1 || strings.Contains(stderr, "internal error") {
			t.Errorf("clopt %s: %d errors in:\n%s", c.args, n, stderr)
		}
	}
	code, out, _ := call(t, "check", "matrix.npz")
	if code != 2 || !strings.Contains(out, "matrix.npz:1:1: error: a damaged archive") {
		t.Errorf("check: exit %d, %q", code, out)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder was made for a run that was refused")
	}
}

// TestGraphRun checks that best.sol of a graph has the reported value, with the sign of the problem, and that run.toml
// repeats the run from another folder.
func TestGraphRun(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "g.txt", "4 7\n1 2 3\n2 3 1\n3 4 3\n1 4 2\n1 3 -1\n4 4 7\n1 2 1\n")
	file(t, "g.bkv", "10\n")
	file(t, "q.qubo", "c clopt: name 1 heat\np qubo 0 3 2 2\n0 0 5\n2 2 -1\n0 1 -4\n1 2 -2\n")
	file(t, "i.txt", "0 0 1\n0 1 2\n1 2 -3\n")
	for name, c := range map[string]struct {
		args, spec string
		best       exact.Number
	}{
		"cut": {"maxcut:g.txt --drop-loops --merge-edges --target 10",
			"maxcut:g.txt,drop-loops=true,merge-edges=true", 10},
		"qubo":  {"q.qubo --target -3", "qubo:q.qubo", -3},
		"most":  {"q.qubo --maximize --target 5", "qubo:q.qubo,maximize=true", 5},
		"ising": {"ising:i.txt --sign -1 --target -6", "ising:i.txt,sign=-1", -6},
		"tile":  {"maxcut:tile=4x4,p=0,seed=3 --target 10 -s RANDOM", "maxcut:tile=4x4,p=0,seed=3", 10},
	} {
		args := "run " + c.args + " --require-target --evals 1e5 --seed 1 -q --name " + name
		code, out, errs := call(t, strings.Fields(args)...)
		if code != 0 {
			t.Errorf("clopt %s: exit %d\n%s%s", args, code, out, errs)
			continue
		}
		dir := filepath.Join("runs", name)
		r := readResult(t, dir)
		if r.Problem != c.spec || r.Best.F != c.best || !r.Best.Confirmed || r.Best.SolFile == nil ||
			*r.Best.SolFile != "best.sol" || r.Algorithm.Name != map[bool]string{true: "random",
			false: "mixing"}[name == "tile"] {
			t.Errorf("clopt %s: %+v", args, r)
		}
		if !strings.Contains(out, "best.sol") {
			t.Errorf("clopt %s: best.sol is not listed:\n%s", args, out)
		}
		if log, want := readText(t, dir, "log.txt"),
			map[bool]string{true: "% of the problem",
				false: "% of the individuals"}[name == "tile"]; !strings.Contains(log, want) {
			t.Errorf("clopt %s: no %q in\n%s", args, want, log)
		}
		for _, x := range []string{"best.sol", "best.npy"} {
			_, value, errs := call(t, "eval", c.spec, "--x", filepath.Join(dir, x))
			if strings.TrimSpace(value) != exact.Format(float64(c.best)) {
				t.Errorf("%s of %s: %q, result %v\n%s", x, c.spec, value, c.best, errs)
			}
		}
		t.Run(name, func(t *testing.T) {
			recipe, err := filepath.Abs(filepath.Join(dir, "run.toml"))
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			code, _, errs := call(t, "run", recipe, "-q", "--name", "again")
			if code != 0 || gridOf(t, filepath.Dir(recipe)) != gridOf(t, "runs/again") {
				t.Errorf("%s does not repeat the run: exit %d\n%s", recipe, code, errs)
			}
		})
	}
	if _, err := os.Stat("runs/maxcut-g.txt"); err == nil {
		t.Error("a folder without a name")
	}
	code, _, errs := call(t, "run", "q.qubo", "--evals", "1e5", "--seed", "1", "-q")
	if sol := readText(t, "runs/qubo-q.qubo-mixing-s1", "best.sol"); code != 0 || sol != "x0 0\nheat 1\nx2 1\n" {
		t.Errorf("best.sol is %q\n%s", sol, errs)
	}
	code, out, errs := call(t, "check", "q.qubo")
	if code != 0 || !strings.Contains(out, "the optimum is -3, proven") {
		t.Errorf("check q.qubo: exit %d\n%s%s", code, out, errs)
	}
	largeValue(t)
	roundedValue(t)
}

// roundedValue checks that a value of coefficients that go beyond 62 bits is that of the numbers of the file
// everywhere, and that such a value is no target reached, and no optimum, that it is not.
func roundedValue(t *testing.T) {
	t.Helper()
	text := "# vartype=BINARY\n# offset=1000000000\n"
	for i, last := range []string{"28", "87", "55", "95", "82"} {
		text += fmt.Sprintf("%d %d -999999999.99999%s\n", i, i, last)
		for j := range i {
			text += fmt.Sprintf("%d %d 2e9\n", j, i)
		}
	}
	file(t, "choice.coo", text+"5 5 1e-9\n0 5 3e12\n") // 3 costs least: 0.0000005
	wide := "# vartype=BINARY\n"
	for i := range 30 {
		for j := range i + 1 {
			wide += fmt.Sprintf("%d %d %s\n", j, i, map[bool]string{true: "9e14", false: "-1e-9"}[i == 1 && j == 0])
		}
	}
	file(t, "wide.coo", wide) // too wide for a proof; all but one of the first two are 1
	const run = "runs/qubo-choice.coo-mixing-s1"
	for _, c := range []struct{ args, want string }{
		{"run choice.coo --evals 1e5 --seed 1 --target 1e-7", "best      5e-07   the optimum"},
		{"check " + run, "best point"},
		{"describe choice.coo", "best known  5e-07"},
		{"run wide.coo --evals 1e3 --seed 1", "best      -4.35e-07"},
		{"check runs/qubo-wide.coo-mixing-s1", "best point"},
		{"convert choice.coo choice.lp", "a QUBO"},
		{"describe choice.lp", "best known  5e-07"},
		{"eval choice.coo --x " + run + "/best.sol", "5e-07\n"},
		{"eval choice.coo --host --json --x " + run + "/best.sol", "5e-07"},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		if code != 0 || !strings.Contains(out+errs, c.want) || strings.Contains(out+errs, "target reached") {
			t.Errorf("%s: exit %d, no %q\n%s%s", c.args, code, c.want, out, errs)
		}
	}
	if text := readText(t, run, "result.json"); !strings.Contains(text, `"f_host": 5e-7`) &&
		!strings.Contains(text, `"f_host": 5e-07`) {
		t.Errorf("result.json has not the value of the file:\n%s", text)
	}
}

// largeValue checks that a value beyond 2^53 has all its digits everywhere.
func largeValue(t *testing.T) {
	t.Helper()
	file(t, "large.qubo", "p qubo 0 3 3 1\n0 0 -9007199254740993\n1 1 -9007199254740992\n2 2 1\n"+
		"0 1 18014398509481984\n")
	for name, sense := range map[string]string{"least.lp": "Minimize", "most.lp": "Maximize"} {
		file(t, name, sense+"\n obj: x - 3 y + [ 4 x * y ] / 2 + 2.5\nBinary\n x y\nEnd\n")
	}
	const want, run = "-9007199254740993", "runs/qubo-large.qubo-mixing-s1"
	for _, c := range []struct{ args, want string }{
		{"run large.qubo --evals 1e5 --seed 1", "best      " + want + "   the optimum"},
		{"check " + run, "best point"},
		{"check large.qubo", "the optimum is " + want + ", proven"},
		{"describe large.qubo", "best known  " + want},
		{"describe large.qubo", "problem     QUBO, minimized, pairs count once\n"},
		{"describe maxcut:tile=4x4", "problem     maximum cut\n"},
		{"describe least.lp", "problem     QUBO, minimized, terms in brackets count half, constant 2.5\n"},
		{"describe most.lp", "problem     QUBO, maximized, terms in brackets count half, constant 2.5\n"},
		{"run most.lp --evals 1e4 --seed 1", "problem   QUBO, maximized, terms in brackets count " +
			"half, constant 2.5; 2 variables, fp64\n"},
		{"eval large.qubo --x " + run + "/best.sol", want},
	} {
		if code, out, errs := call(t, strings.Fields(c.args)...); code != 0 || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit %d, no %q\n%s%s", c.args, code, c.want, out, errs)
		}
	}
	if text := readText(t, run, "result.json"); !strings.Contains(text, `"f_host": `+want+",") {
		t.Errorf("result.json has not the value %s:\n%s", want, text)
	}
	r := readResult(t, run)
	r.Best.Digits = want[:len(want)-1] + "2" // the same float64
	text, err := r.Seal()
	if err != nil {
		t.Fatal(err)
	}
	file(t, run+"/result.json", string(text))
	if code, out, errs := call(t, "check", run); code == 0 || !strings.Contains(out+errs, "its value is "+want) {
		t.Errorf("check finds no wrong digit: exit %d\n%s%s", code, out, errs)
	}
}

// TestGraphStart checks that no result is worse than a start point, which annealing leaves at once.
func TestGraphStart(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := "maxcut:gnp=200,p=0.2,weights=-9..9,seed=1"
	run := func(name, more string) float64 {
		t.Helper()
		args := "run " + spec + " --set variant=serial --name " + name + " -q " + more
		if code, out, errs := call(t, strings.Fields(args)...); code != 0 {
			t.Fatalf("clopt %s: exit %d\n%s%s", args, code, out, errs)
		}
		return float64(readResult(t, filepath.Join("runs", name)).Best.F)
	}
	start := run("start", "--seed 1 --evals 2e5")
	few := "--seed 2 --set sweeps=1 --evals 1000 -s annealgraph --set chains=2"
	if f := run("without", few); f >= start {
		t.Fatalf("%v without a start point, and the start point has %v. Take fewer evaluations", f, start)
	}
	if f := run("annealgraph", few+" --x0 runs/start/best.sol"); f < start {
		t.Errorf("annealgraph ends at %v and began at %v", f, start)
	}
	few = "--seed 2 --set sweeps=1 --evals 1000 -s mixing --set population=2"
	if f := run("mixing", few+" --x0 runs/start/best.sol"); f < start {
		t.Errorf("mixing ends at %v and began at %v", f, start)
	}
}

// TestGraphOfNothing checks that runs on graphs that have no edges end: all partitions are largest cuts.
func TestGraphOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "empty.txt", "5 0\n")
	file(t, "zero.txt", "5 2\n1 2 0\n4 5 0\n")
	file(t, "loops.txt", "5 2\n1 1 2\n2 2 1\n")
	file(t, "zero.qubo", "p qubo 0 5 0 0\n")
	for _, args := range []string{"maxcut:empty.txt -s gomea --evals 1000", "maxcut:empty.txt --evals 1e5",
		"maxcut:zero.txt -s annealgraph --set variant=serial --evals 1e5",
		"maxcut:loops.txt --drop-loops -s gomea --set variant=serial --evals 1000",
		"zero.qubo -s gomea --set variant=serial --evals 1000"} {
		code, out, errs := call(t, strings.Fields("run "+args+" --time 1m --seed 1")...)
		if text := out + errs; code != 0 || !strings.Contains(text, "optimum found after") ||
			!strings.Contains(text, "best      0   the optimum: it is proven that no value is better\n") {
			t.Errorf("clopt run %s: exit %d\n%s", args, code, text)
		}
	}
}

// TestOptimal checks that a run ends when it has found a cut that is proven to be the largest one, says so, and is not
// resumed.
func TestOptimal(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "path.txt", "4 3\n1 2 3\n2 3 -1\n3 4 2\n")
	proven := "the optimum: it is proven that no value is better"
	for _, c := range []struct {
		args  string
		wants []string
	}{
		{"run path.txt --time 1m --seed 1 --name a", []string{"optimum found after", "best      5   " + proven + "\n"}},
		{"resume runs/a", []string{"is finished: ", "nothing to continue."}},
		{"run path.txt --time 1m --seed 1 --name b --target known", []string{proven, "target 5 met"}},
	} {
		code, out, errs := call(t, strings.Fields(c.args)...)
		for _, want := range c.wants {
			text := out + errs
			if code != 0 || !strings.Contains(text, want) || strings.Contains(text, "clopt resume runs") {
				t.Errorf("clopt %s: exit %d, no %q in\n%s", c.args, code, want, text)
			}
		}
	}
	r := readResult(t, "runs/a")
	if r.Stop.Reason != "optimal" || !r.Best.Proven || r.Best.F != 5 || r.Steps != 1 || !r.Determinism.Repeat ||
		r.Resumable {
		t.Errorf("%+v", r)
	}
}

// TestGenerate checks that a generated file has the planted optimum, compressed or not.
func TestGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := call(t, "generate", "maxcut:tile=8x8,p=0.5,seed=5", "-o", "t.txt", "--solution")
	if code != 0 || out != "" || !strings.Contains(errs, "64 vertices, 128 edges") {
		t.Fatalf("exit %d %s\n%s", code, out, errs)
	}
	best := strings.TrimSpace(readText(t, ".", "t.bkv"))
	if _, value, _ := call(t, "eval", "t.txt", "--x", "t.sol"); strings.TrimSpace(value) != best {
		t.Errorf("the optimum is %s, its assignment has %s", best, value)
	}
	if code, _, errs := call(t, "generate", "maxcut:tile=8x8,p=0.5,seed=5", "-o", "t.txt.gz", "--force"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if text := readText(t, ".", "t.txt.gz"); !strings.HasPrefix(text, "\x1f\x8b") {
		t.Error("not packed")
	}
	for _, spec := range []string{"t.txt.gz", "maxcut:t.txt", "maxcut:tile=8x8,p=0.5,seed=5"} {
		_, out, _ := call(t, "describe", spec)
		if !strings.Contains(out, "best known  "+best) || !strings.Contains(out, "edges       128") {
			t.Errorf("describe %s:\n%s", spec, out)
		}
	}
	_, out, _ = call(t, "generate", "maxcut:tile=8x8,p=0.5,seed=5", "-o", "-")
	if out != readText(t, ".", "t.txt") {
		t.Errorf("standard output differs from the file")
	}
	file(t, "m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.25\n3 2 -0.5\n")
	if _, out, _ := call(t, "generate", "maxcut:m.mtx", "-o", "-"); out != "3 2\n1 2 0.25\n2 3 -0.50\n" {
		t.Errorf("a matrix: %q", out)
	}
}

// TestCompletion completes names of problems, methods, generators and files.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "graphs/G1.txt", square)
	for args, want := range map[string]string{
		"run max": "maxcut\n", "eval qu": "qubo\n", "generate max": "maxcut\n", "describe mas": "masw\n",
		"run -s ra": "random\t", "run CEC2013/f1": "cec2013/f15\n",
		"run maxcut:ti": "maxcut:tile=\n", "eval maxcut:gr": "maxcut:graphs/\n",
		"run qubo:graphs/G": "qubo:graphs/G1.txt\n",
	} {
		code, out, _ := call(t, append([]string{"__complete"}, strings.Fields(args)...)...)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %q", args, code, out)
		}
	}
}
