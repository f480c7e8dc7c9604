package test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/shorttest"
)

// command runs the built command.
type command func(args ...string) (string, error)

// TestIOH: data for IOHanalyzer, written by the command itself.
func TestIOH(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "clopt")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/clopt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(bin, args...)
		cmd.Env = append(os.Environ(), "CLOPT_DATA=") // generated data, also where the official ones are at hand
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	golden, err := filepath.Abs("testdata/ioh")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T, command){
		"golden": func(t *testing.T, run command) { testGolden(t, run, golden) },
		"export": testExport, "suite": testSuite} {
		t.Run(name, func(t *testing.T) {
			if name == "suite" {
				shorttest.Out(t)
			}
			t.Chdir(t.TempDir())
			test(t, run)
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// fakeRun writes a run folder with the given samples: evaluations and best,
// null for a value that is not finite.
func fakeRun(t *testing.T, dir, problem string, dim int, samples ...any) {
	t.Helper()
	trace := `{"type":"start","v":1}` + "\n"
	for i := 0; i < len(samples); i += 2 {
		y, _ := json.Marshal(samples[i+1])
		trace += fmt.Sprintf(`{"type":"sample","v":1,"evals":%v,"best":%s}`+"\n", samples[i], y)
	}
	write(t, filepath.Join(dir, "trace.jsonl"), trace)
	y, _ := json.Marshal(samples[len(samples)-1])
	sense := record.Minimize
	if strings.HasPrefix(problem, "maxcut:") || strings.Contains(problem, "maximize=true") {
		sense = record.Maximize
	}
	var r record.Result
	if err := json.Unmarshal(fmt.Appendf(nil, `{"problem":%q,"dim":%d,"sense":%q,
		"algorithm":{"name":"masw","settings":"a=1"},"seed":1,"precision":"fp64","best":{"f":%s,"confirmed":true},
		"evaluations":%v,"seconds":1.5,"stop":{"reason":"evals"},"devices":[{"share":1}]}`,
		problem, dim, sense, y, samples[len(samples)-2]), &r); err != nil {
		t.Fatal(err)
	}
	if err := runs.WriteResult(dir, &r); err != nil {
		t.Fatal(err)
	}
}

// version is what the version of clopt is in golden files.
const version = "VERSION"

// treeOf returns the files below a folder as one text.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&all, "== %s\n%s", filepath.ToSlash(name), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(all.String(), "clopt "+runs.ToolVersion+";", "clopt "+version+";")
}

// testGolden: the data of each kind of run are those of a golden file, which both readers of IOHanalyzer understand.
// One splits the runs of a .dat at header lines, the other one where the evaluations are 1. -update writes the files.
func testGolden(t *testing.T, run command, golden string) {
	for r := range 3 { // several runs of one function
		fakeRun(t, fmt.Sprintf("many/%d", r), "cec2013/f15:n=1000", 1000, 100, 50.5+float64(r), 250, 40, 1000, 1e-300)
	}
	fakeRun(t, "one", "cec2013/f15:n=1000", 1000, 100, 50.5, 3000000, 12.5)
	fakeRun(t, "dims/a", "cec2013/f2:n=1000", 1000, 4, 7, 8, 6)
	fakeRun(t, "dims/b", "cec2013/f2:n=1000000000", 1e9, 4, 7, 8, 6)
	fakeRun(t, "dims/c", "cec2013/f3:n=1000", 1000, 4, 7, 8, 6)
	fakeRun(t, "dims/d", "cec2013/f2:mode=paper,n=1000", 1000, 4, 7, 8, 5) // another function of that name
	fakeRun(t, "max", "hill.cl:maximize=true,n=3", 3, 5, -1, 10, 3)
	fakeRun(t, "cut", "maxcut:torus=4x4,seed=1", 16, 5, 32, 10, 36)
	fakeRun(t, "long", "cec2013/f1:n=1000", 1000, 4, 9, int64(5e9), 8, int64(6e9), 7)
	fakeRun(t, "late", "cec2013/f1:n=1000", 1000, 4, nil, 40, 3)
	for _, name := range []string{"many", "one", "dims", "max", "cut", "long", "late"} {
		if out, err := run("export", name, "--format", "ioh", "-o", "out/"+name); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, path := treeOf(t, "out/"+name), filepath.Join(golden, name+".txt")
		if *update {
			write(t, path, got)
		}
		if want, err := os.ReadFile(path); err != nil || got != string(want) {
			t.Errorf("%s: other data, or %v; with -update they are written anew:\n%s", name, err, got)
		}
	}
}

// testExport: a folder is replaced only if clopt wrote it for that, and other forms of data.
func testExport(t *testing.T, run command) {
	fakeRun(t, "one", "cec2013/f15:n=1000", 1000, 100, 50.5, 3000000, 12.5)
	fakeRun(t, "dims/a", "cec2013/f2:n=1000000000", 1e9, 4, 7, 8, 6)
	fakeRun(t, "dims/b", "cec2013/f2:mode=paper,n=1000", 1000, 4, 7, 8, 5)
	write(t, "out/fresh.new/mine", "not to be removed")
	write(t, "out/one/mine", "not to be removed")
	for _, dir := range []string{"dims", "out/one", "out/fresh.new"} { // these must not be replaced
		if out, err := run("export", "one", "--format", "ioh", "-o", dir); err == nil ||
			!strings.Contains(out, dir+" exists") {
			t.Errorf("%s was replaced: %s", dir, out)
		}
	}
	if out, err := run("export", "one", "--format", "ioh", "-o", "out/fresh"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, path := range []string{"out/one/mine", "out/fresh.new/mine", "dims/a/result.json"} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob("out/.*"); left != nil {
		t.Errorf("left over: %v", left)
	}
	if out, err := run("export", "dims", "--format", "csv"); err != nil || strings.Count(out, "\n") != 3 ||
		!strings.Contains(out, `"cec2013/f2:mode=paper,n=1000",1000,`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// testSuite: a campaign writes the data of its runs.
func testSuite(t *testing.T, run command) {
	write(t, "s.toml", `name = "s"
[[table]]
name = "A"
problems = ["cec2013/f{2,12}"]
dims = [1000, 2000]
evals = 100
runs = 2
  [[table.solver]]
  label = "MA, P = 10"
  solver = "masw"
  set = { population = 10 }
  [[table.solver]]
  solver = "random"
`)
	if out, err := run("suite", "s.toml", "--ioh", "-q", "-d", "0"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tree := treeOf(t, "runs/s/ioh")
	// There are two runs of two methods on two functions of two sizes.
	for what, want := range map[string]int{`"suite": "CEC2013LSGO-generated"`: 4,
		"_DIM1000.dat\nevaluations raw_y\n1 ": 4, "_DIM2000.dat\nevaluations raw_y\n1 ": 4,
		"\nevaluations raw_y\n1 ": 16} {
		if n := strings.Count(tree, what); n != want {
			t.Errorf("%d times %q, want %d", n, what, want)
		}
	}
	if out, err := run("suite", "s.toml", "--ioh", "-q", "-d", "0"); err != nil { // once more, over its own
		t.Errorf("%v\n%s", err, out)
	}
}
