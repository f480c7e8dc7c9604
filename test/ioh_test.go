package test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/record"
	"github.com/clopt/clopt/test/iohtest"
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
	for name, test := range map[string]func(*testing.T, command){"golden": testGolden, "validator": testValidator,
		"suite": testSuite} {
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

// testGolden: results become data that both readers of IOHanalyzer understand.
func testGolden(t *testing.T, run command) {
	for r := range 25 { // many runs of one function
		fakeRun(t, fmt.Sprintf("many/%d", r), "cec2013/f15:n=1000", 1000, 100, 50.5+float64(r), 250, 40, 1000, 1e-300)
	}
	fakeRun(t, "one", "cec2013/f15:n=1000", 1000, 100, 50.5, 3000000, 12.5)
	fakeRun(t, "fresh", "cec2013/f15:n=1000", 1000, 100, 50.5, 3000000, 12.5)
	fakeRun(t, "dims/a", "cec2013/f2:n=1000", 1000, 4, 7, 8, 6)
	fakeRun(t, "dims/b", "cec2013/f2:n=1000000000", 1e9, 4, 7, 8, 6)
	fakeRun(t, "dims/c", "cec2013/f3:n=1000", 1000, 4, 7, 8, 6)
	fakeRun(t, "dims/d", "cec2013/f2:mode=paper,n=1000", 1000, 4, 7, 8, 5) // another function of that name
	fakeRun(t, "max", "hill.cl:maximize=true,n=3", 3, 5, -1, 10, 3)
	fakeRun(t, "cut", "maxcut:torus=4x4,seed=1", 16, 5, 32, 10, 36)
	fakeRun(t, "long", "cec2013/f1:n=1000", 1000, 4, 9, int64(5e9), 8, int64(6e9), 7)
	fakeRun(t, "late", "cec2013/f1:n=1000", 1000, 4, nil, 40, 3)
	export := func(from string) []iohtest.Meta {
		t.Helper()
		if out, err := run("export", from, "--format", "ioh", "-o", "out/"+from); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		all, err := iohtest.Validate("out/" + from)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	one := export("one")
	if m := one[0]; len(one) != 1 || m.FunctionID != 15 || m.FunctionName != "F15" || m.Suite != "CEC2013LSGO" ||
		*m.Maximization || m.Algorithm["name"] != "clopt-masw" {
		t.Errorf("%+v", one)
	}
	rows := one[0].Scenarios[0].Rows[0]
	if rows[0] != (iohtest.Row{Evaluations: 1, Y: 50.5}) ||
		rows[len(rows)-1] != (iohtest.Row{Evaluations: 3e6, Y: 12.5}) ||
		!slices.Contains(rows, iohtest.Row{Evaluations: 120000, Y: 12.5}) ||
		!slices.Contains(rows, iohtest.Row{Evaluations: 100, Y: 50.5}) ||
		!slices.Contains(rows, iohtest.Row{Evaluations: 110, Y: 12.5}) {
		t.Errorf("rows %v", rows)
	}
	many := export("many")[0].Scenarios[0]
	first := 0.0
	for _, rows := range many.Rows {
		first += rows[0].Y
	}
	if len(many.Rows) != 25 || first != 25*50.5+24*25/2 {
		t.Errorf("%d runs, first values %v", len(many.Rows), first)
	}
	for _, rows := range many.Rows {
		if len(rows) != len(many.Rows[0]) {
			t.Error("runs of the same budget have other grids")
		}
	}
	dims := export("dims")
	if len(dims) != 3 {
		t.Fatalf("%+v", dims)
	}
	for _, m := range dims {
		want := 1
		if m.Suite == "CEC2013LSGO" && m.FunctionID == 2 {
			want = 2
		}
		if len(m.Scenarios) != want || want == 2 && m.Scenarios[1].Dimension != 1e9 {
			t.Errorf("%s f%d: %d dimensions", m.Suite, m.FunctionID, len(m.Scenarios))
		}
	}
	if m := export("max")[0]; !*m.Maximization || m.FunctionName != "Hill" {
		t.Errorf("%+v", m)
	}
	if m := export("cut")[0]; !*m.Maximization || m.FunctionName != "Maxcut" {
		t.Errorf("%+v", m)
	}
	long := export("long")[0].Scenarios[0].Rows[0]
	if last := long[len(long)-1]; last.Evaluations != 6e9 {
		t.Errorf("%v", last)
	}
	if late := export("late")[0].Scenarios[0].Rows[0]; late[0].Y != math.MaxFloat64 || late[len(late)-1].Y != 3 {
		t.Errorf("%v", late)
	}
	write(t, "out/fresh.new/mine", "not to be removed")
	write(t, "out/one/mine", "not to be removed")
	for _, dir := range []string{"many", "out/one", "out/fresh.new"} { // these must not be replaced
		if out, err := run("export", "one", "--format", "ioh", "-o", dir); err == nil ||
			!strings.Contains(out, dir+" exists") {
			t.Errorf("%s was replaced: %s", dir, out)
		}
	}
	export("fresh")
	for _, path := range []string{"out/one/mine", "out/fresh.new/mine", "many/0/result.json"} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob("out/.*"); left != nil {
		t.Errorf("left over: %v", left)
	}
	if out, err := run("export", "dims", "--format", "csv"); err != nil || strings.Count(out, "\n") != 5 ||
		!strings.Contains(out, `"cec2013/f2:mode=paper,n=1000",1000,`) {
		t.Errorf("%v\n%s", err, out)
	}
	killed(t, "out/many")
}

// killed cuts the .dat at every byte. The validator accepts only cuts at the end of a run, and reads the runs before
// them.
func killed(t *testing.T, dir string) {
	paths, _ := filepath.Glob(dir + "/*/*/*.dat")
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"evaluations", "raw_y"}
	all, _ := iohtest.Rows(string(whole), names)
	good := 0
	for n := range len(whole) {
		runs, err := iohtest.Rows(string(whole[:n]), names)
		if err != nil {
			continue
		}
		good++
		for i, rows := range runs[:len(runs)-1] {
			if !slices.Equal(rows, all[i]) {
				t.Fatalf("cut at byte %d, run %d is another", n, i)
			}
		}
	}
	// A run may end after each row except its first.
	want := 0
	for _, rows := range all {
		want += len(rows) - 1
	}
	if good != want-1 {
		t.Errorf("%d places of %d bytes end a run, want %d", good, len(whole), want-1)
	}
}

// testValidator: the validator refuses files that one of the readers would refuse.
func testValidator(t *testing.T, run command) {
	fakeRun(t, "x/a", "cec2013/f15:n=1000", 1000, 100, 50, 250, 40)
	fakeRun(t, "x/b", "cec2013/f15:n=1000", 1000, 100, 60, 250, 40)
	if out, err := run("export", "x", "--format", "ioh"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	meta, _ := filepath.Glob("ioh/*/*.json")
	data, _ := filepath.Glob("ioh/*/*/*.dat")
	for _, c := range []struct{ path, old, new, want string }{
		{meta[0], `"0.3.22"`, `"0.3.22-dev"`, "version"},
		{meta[0], `"0.3.22"`, `"0.3.2"`, "version"},
		{meta[0], `"maximization": false`, `"maximization": "FALSE"`, "maximization"},
		{meta[0], `"maximization": false,`, ``, "maximization is missing"},
		{meta[0], `"function_id": 15`, `"function_id": 70000`, "function_id"},
		{meta[0], `"function_id": 15`, `"function_id": 15.5`, "15.5"},
		{meta[0], `"devices": "1"`, `"devices": "max"`, "Python"},
		{meta[0], `"devices": "1"`, `"devices": "two words"`, "Python"},
		{meta[0], `"evaluations",`, ``, "attributes"},
		{meta[0], `data_f15_F15/`, `./data_f15_F15/`, "path"},
		{meta[0], `data_f15_F15/`, `nowhere/`, "nowhere"},
		{meta[0], `"x": []`, `"x": [1]`, "best"},
		{meta[0], `"instance": 1`, `"instance": 1e9`, "instance"},
		{meta[0], `"evals": 250,`, `"evals": 251,`, "the rows end at 250"},
		{meta[0], `"suite"`, `"suite": "x", "suite"`, "twice"},
		{meta[0], "{\n", "{}{\n", "more than one value"},
		{data[0], "evaluations raw_y", "evaluations  raw_y", "before the first header"},
		{data[0], "\n1 50\n", "\n2 50\n", "evaluations must be 1"},
		{data[0], "\n2 50\n", "\n1 50\n", "evaluations must be 1"},
		{data[0], "\n2 50\n", "\n2  50\n", "one blank"},
		{data[0], "\n2 50\n", "\n2 nan\n", "value"},
		{data[0], "\n2 50\n", "\n2 inf\n", "value"},
		{data[0], "\n2 50\n", "\n2 0x1p3\n", "value"},
		{data[0], "\n2 50\n", "\n2 49\n", "becomes worse"},
		{data[0], "\n2 50\n", "\n\n2 50\n", "one blank"},
		{data[0], "\n2 50\n", "\n2 50\r\n", "value"},
		{data[0], "\n250 40\n", "\n250 41\n", "the rows end with"},
	} {
		good, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if bad == string(good) {
			t.Fatalf("no %q in\n%s", c.old, good)
		}
		write(t, c.path, bad)
		if _, err := iohtest.Validate("ioh"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v, want %q", c.new, c.old, err, c.want)
		}
		write(t, c.path, string(good))
	}
	if _, err := iohtest.Validate("ioh"); err != nil {
		t.Error(err)
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
	all, err := iohtest.Validate("runs/s/ioh")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 4 {
		t.Fatalf("%d files", len(all))
	}
	for _, m := range all {
		if m.Suite != "CEC2013LSGO-generated" || len(m.Scenarios) != 2 || len(m.Scenarios[0].Rows) != 2 {
			t.Errorf("suite %q, %d scenarios, or not two runs", m.Suite, len(m.Scenarios))
		}
	}
	if out, err := run("suite", "s.toml", "--ioh", "-q", "-d", "0"); err != nil { // once more, over its own
		t.Errorf("%v\n%s", err, out)
	}
}
