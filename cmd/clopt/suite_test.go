package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

const smallSuite = `name = "small"
title = "two functions"

[[table]]
name = "A"
caption = "one"
problems = ["cec2013/f{2,12}", "sphere.cl"]
dims = [1000]
evals = 1200
runs = 2
seed = 5
laptop = { evals = 100, runs = 1, dims = [2000] }

  [[table.solver]]
  label = "memetic"
  solver = "masw"
  set = { population = 8, iterations = 20 }

  [[table.solver]]
  solver = "random"
  evals = "1k"

[[table]]
name = "speed"
problems = ["cec2013/f1"]
dims = [3000]
devices = [1, 2]
evals = 60

  [[table.solver]]
  solver = "masw"
  set = { population = 6 }
`

// TestR1Suites checks that errors in a suite file name their place.
func TestR1Suites(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for _, c := range []struct{ old, new, want string }{
		{"caption", "captoin", `s.toml:6:1: error: unknown key "captoin". Did you mean "caption"?`},
		{`title = `, "label = ", `s.toml:2:1: error: key "label" belongs to another table; see clopt help suite.`},
		{"runs = 2", "runs = [2]", "s.toml:1"},
		{"runs = 2", "runs = 0", `s.toml:10:1: error: runs: "0"`},
		{"evals = 1200", "evals = 1200.5", "s.toml:9:1: error: evals:"},
		{"population = 8", "populatoin = 8",
			`s.toml:17:1: error: set: method masw has no setting "populatoin"; did you mean "population"?`},
		{`solver = "masw"`, `solver = "mawss"`,
			`s.toml:16:3: error: solver: unknown method "mawss". Did you mean "masw"?`},
		{"f{2,12}", "f{2,99}", `s.toml:7:1: error: table A, cec2013/f99: "cec2013/f99"`},
		{"f{2,12}", "f{12..2}", `s.toml:7:1: error: problems: "12..2"`},
		{"dims = [1000]", "dims = [1001]", "s.toml:7:1: error: table A, cec2013/f2: "},
		{"dims = [1000]", `dims = ["many"]`, `s.toml:8:1: error: dims: "many"`},
		{`name = "speed"`, `name = "a"`, `s.toml:24:1: error: two tables are called "a"`},
		{`name = "small"`, `name = "../up"`, `s.toml:1:1: error: name: "../up"`},
		{`name = "small"`, "name = small", "s.toml:1:8: error: "},
		{`title = `, "paper = ", `s.toml:2:1: error: paper: "two functions"`},
		{"evals = 60", "", "s.toml:31:3: error: there is no stop rule"},
		{"devices = [1, 2]", "devices = [0]", `s.toml:27:1: error: devices: "0"`},
		{"devices = [1, 2]", "show = [\"eror\"]",
			`s.toml:27:1: error: show: "eror" is not a metric; there are error, last, location`},
		{"devices = [1, 2]", "show = [\"at 5\"]", `s.toml:27:1: error: show: "at 5" is not a metric`},
		{"devices = [1, 2]", "baselines = [\"masw\"]", "s.toml:27:1: error: baselines: needs the key show"},
		{"devices = [1, 2]", "show = [\"error\"]\nratio = \"speed\"",
			`s.toml:28:1: error: ratio: "speed" is not one of seconds, rate, move rate, value`},
		{"  solver = \"random\"", "  solver = \"random\"\n  preset = \"v2\"",
			"s.toml:21:3: error: table A: no settings of random v2 are published for cec2013/f2"},
		{"problems = [\"cec2013/f1\"]", "", "s.toml:23:1: error: problems is missing"},
		{"evals = 60", "evals = 5", "s.toml:25:1: error: table speed, cec2013/f1: evaluations are limited to 5, " +
			"and the first step of masw may need 6; use a limit of at least 6"},
	} {
		if !strings.Contains(smallSuite, c.old) {
			t.Fatal(c.old)
		}
		file(t, "s.toml", strings.Replace(smallSuite, c.old, c.new, 1))
		code, out, errs := call(t, "suite", "s.toml", "--dry-run")
		if code != 2 || out != "" || !strings.Contains(errs, c.want) || strings.Contains(errs, "internal") {
			t.Errorf("%s: exit %d, want %q\n%s%s", c.new, code, c.want, out, errs)
		}
		count.Count(!t.Failed())
	}
	file(t, "s.toml", smallSuite)
	code, out, errs := call(t, "suite", "s.toml", "--dry-run", "--out", "runs")
	if code != 0 || !strings.Contains(out, "14 of 14 runs to do") || !strings.Contains(out, "folder runs/small\n") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	// A schedule that is fitted to the limit is below it.
	file(t, "sa.toml", strings.Replace(smallSuite, `solver = "random"`, `solver = "sa"`, 1))
	if code, out, errs := call(t, "suite", "sa.toml", "--dry-run", "--labels", "sa"); code != 0 ||
		!strings.Contains(out, "6 of 6 runs to do") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	// 3 problems x 2 runs x (1200 + 1000) and 2 x 60.
	if !strings.Contains(out, " 1.332e+04 evaluations\n") {
		t.Errorf("counts in\n%s", out)
	}
	code, out, _ = call(t, "suite", "s.toml", "--dry-run", "--scale", "laptop", "--tables", "a", "--problems",
		"F2,sphere.cl", "--labels", "memetic")
	if code != 0 || !strings.Contains(out, "2 of 2 runs to do, 200 evaluations") ||
		!strings.Contains(out, "folder runs/small-laptop") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if runs.Exists("runs") {
		t.Error("--dry-run left a folder")
	}
}

// TestBuiltInSuites plans every built-in suite, also with --scale laptop, and checks that no two cells share a folder.
func TestBuiltInSuites(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range campaign.Names() {
		if name == "andrade2012" && !slices.Contains(methods.Names(), "cgrasp") {
			t.Log("andrade2012 needs solver cgrasp, which is not there")
			continue
		}
		for _, scale := range shorttest.Rows(1, []string{"laptop", "full"}) {
			if code, out, errs := call(t, "suite", name, "--dry-run", "--scale", scale); code != 0 ||
				!strings.Contains(out, " runs to do") {
				t.Errorf("%s, %s: exit %d\n%s", name, scale, code, errs)
			}
		}
		if c, err := campaign.Open(name); err != nil || c.Name != name || c.Title == "" || c.Reference == "" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// TestSuite checks that a campaign which is killed continues with the same command, repeats nothing, and gives the same
// results as one that is not killed.
func TestSuite(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "s.toml", smallSuite)
	args := []string{"suite", "s.toml", "-d", "0*2"}
	code, out, errs := call(t, append(args, "--out", "whole")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"small, table A, cec2013, n=1000, generated data, not the official instance",
		"memetic", "sphere.cl", "masw x2",
		"2 problems with results of all methods; tests across problems need 5 or more."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if n := strings.Count(errs, "generated data"); n != 1 {
		t.Errorf("the note on the generated instance is shown %d times\n%s", n, errs)
	}
	if n := strings.Count(errs, "cell "); n != 8 {
		t.Errorf("%d cells are told of\n%s", n, errs)
	}
	killed := append(args, "--out", "cut", "--checkpoint", "10ms", "-q")
	for range 3 {
		before, _ := filepath.Glob("cut/small/*/*/run-*/checkpoint/0*")
		cmd, _ := startChild(t, killed...)
		for range 1000 {
			now, _ := filepath.Glob("cut/small/*/*/run-*/checkpoint/0*")
			if len(now) > 0 && !slices.Equal(now, before) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	made := map[string]time.Time{}
	done, _ := filepath.Glob("cut/small/*/*/run-*/result.json")
	for _, path := range done {
		info, _ := os.Stat(path)
		made[path] = info.ModTime()
	}
	if len(made) > 13 {
		t.Fatal("nothing was left to do")
	}
	code, out, errs = call(t, killed...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	all, _ := filepath.Glob("whole/small/*/*/run-*")
	if len(all) != 14 {
		t.Fatalf("%v", all)
	}
	for _, dir := range all {
		cut := "cut" + strings.TrimPrefix(dir, "whole")
		sameRun(t, dir, dir, cut)
		if runs.Exists(filepath.Join(cut, "checkpoint")) {
			t.Errorf("%s is finished and keeps checkpoints", cut)
		}
		if r := readResult(t, cut); r.Cell == nil || r.Cell.Suite != "small" {
			t.Errorf("%s: cell %+v", cut, r.Cell)
		}
	}
	for path, at := range made {
		if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(at) {
			t.Errorf("%s was made again", path)
		}
	}
	if strings.Contains(errs, "cell ") || strings.Contains(errs, "median") {
		t.Errorf("--quiet says\n%s", errs)
	}
	// Once more: there is nothing to do, and the table is the same.
	code, again, errs := call(t, killed...)
	if code != 0 || again != out {
		t.Errorf("exit %d\n%s%s", code, again, errs)
	}
	if code, one, _ := call(t, "compare", "cut/small"); code != 0 || one != out {
		t.Errorf("compare shows something else than the suite:\n%s%s", one, out)
	}
	// Another text may not be mixed with it.
	file(t, "s.toml", strings.Replace(smallSuite, "evals = 1200", "evals = 1300", 1))
	for _, args := range [][]string{killed, append(killed, "--dry-run")} {
		if code, _, errs := call(t, args...); code != 2 ||
			!strings.Contains(errs, "was made with evals = 1200, and now it is 1300") {
			t.Errorf("%v: exit %d\n%s", args, code, errs)
		}
	}
}

// TestSuiteGoesOn checks that a campaign continues after a cell that fails.
func TestSuiteGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "s.toml", `name = "s"
[[table]]
name = "A"
problems = ["cec2013/f7", "cec2013/f2"]
dims = [1000]
evals = 200
precision = "fp32"
devices = [1, 99]
  [[table.solver]]
  solver = "random"
`)
	code, out, errs := call(t, "suite", "s.toml")
	if code != 1 || !strings.Contains(errs, "3 of 4 cells failed:") || strings.Contains(errs, "internal error") ||
		!strings.Contains(out, "f2") || strings.Count(errs, "The campaign continues without it") != 3 ||
		!strings.Contains(errs, "99 devices are needed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestCampaignCompletion checks that the shell completes the values of flags.
func TestCampaignCompletion(t *testing.T) {
	for args, want := range map[string]string{
		"suite |": "cano2016", "suite cano2016 --scale |": "laptop", "compare --paper |": "cano2016",
		"plot x --kind |": "speedup", "plot x --by |": "work", "export x --format |": "ioh",
	} {
		words := append([]string{"__complete"}, strings.Fields(strings.TrimSuffix(args, "|"))...)
		if code, out, _ := call(t, append(words, "")...); code != 0 || !strings.Contains(out, want+"\n") {
			t.Errorf("%s: exit %d, no %q in\n%s", args, code, want, out)
		}
	}
}

// TestSuiteChecksFirst checks that a cell whose method does not fit its problem is found before the first run.
func TestSuiteChecksFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "s.toml", `name = "s"
[[table]]
name = "A"
problems = ["cec2013/f2", "maxcut:tile=4x4"]
evals = 200
  [[table.solver]]
  solver = "lbfgs"
`)
	for _, args := range [][]string{{"suite", "s.toml", "--dry-run"}, {"suite", "s.toml"}} {
		code, out, errs := call(t, args...)
		if code != 2 || out != "" || !strings.Contains(errs, "s.toml:4:1: error: table A, maxcut:tile=4x4") {
			t.Errorf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if _, err := os.Lstat("runs"); err == nil {
		t.Error("a run was begun")
	}
	file(t, "s.toml", `name = "s"
[[table]]
name = "A"
problems = ["cec2013/f{1..9}"]
dims = [1000,2000,3000,4000,5000,6000,7000,8000,9000,10000]
evals = 200
devices = [`+strings.Repeat("1, ", 300)+`1]
  [[table.solver]]
  solver = "random"
`)
	if code, _, errs := call(t, "suite", "s.toml", "--dry-run"); code != 2 ||
		!strings.Contains(errs, "more than 20000 cells") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestSuiteKinds checks what is said of a value of a wrong kind, and that names may be absent.
func TestSuiteKinds(t *testing.T) {
	t.Chdir(t.TempDir())
	const head = "[[table]]\nproblems = ['rastrigin']\nevals = 100\n"
	const method = "[[table.solver]]\nsolver = 'random'\n"
	for text, want := range map[string]string{
		head + "solver = ['auto']\n":               "s.toml:4:1: error: solver is a table, as in [[table.solver]]",
		head + "dims = 1000\n" + method:            "s.toml:4:1: error: dims is a list, as in dims = [",
		head + "runs = [3]\n" + method:             "s.toml:4:9: error: a list, table or time, where text",
		head + method + "set = 3\n":                "s.toml:6:7: error: settings are a table, as in { popu",
		head + method + "set = { points = [3] }\n": "error: a list, table or time, where text",
		"[table]\n": "s.toml:1:1: error: table is a list, as in [[table]]",
	} {
		file(t, "s.toml", text)
		if code, out, errs := call(t, "suite", "s.toml", "--dry-run"); code != 2 || out != "" ||
			!strings.Contains(errs, want) {
			t.Errorf("%s\nexit %d, want %q\n%s%s", text, code, want, out, errs)
		}
	}
	file(t, "s.toml", head+method)
	code, out, errs := call(t, "suite", "s.toml", "--dry-run")
	if code != 0 || !strings.HasPrefix(out, "s\n\ntable 1\n") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	// How many evaluations a schedule has that is fitted to a time is not known yet.
	file(t, "s.toml", strings.NewReplacer("evals = 100", "time = '1s'", "random", "sa").Replace(head+method))
	code, out, errs = call(t, "suite", "s.toml", "--dry-run", "--json")
	if code != 0 || strings.Contains(out, `"evaluations":`) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestChangedObjective changes an objective between runs. A campaign with finished runs refuses to go on, and tables
// have both versions apart. A run that is made again, with the same bits, counts once.
func TestChangedObjective(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "m.toml", "name = 'm'\n[[table]]\nname = 'a'\nproblems = ['sphere.cl']\ndims = [3]\nevals = 1000\n"+
		"[[table.solver]]\nsolver = 'masw'\n")
	run := strings.Fields("run sphere.cl -n 3 -s masw --evals 1000 -q -o single --seed")
	for _, args := range [][]string{{"suite", "m.toml", "-o", "o"}, append(run, "1"), append(run, "2"),
		append(run, "2")} {
		if code, out, errs := call(t, args...); code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	_, out, errs := call(t, "compare", "single", "--format", "csv")
	if !strings.Contains(out, "sphere.cl,masw,runs,2,") || !strings.Contains(errs, "1 with the seed and the bits of") {
		t.Errorf("a repeated run counts:\n%s%s", out, errs)
	}
	file(t, "x0.txt", "1 1 1\n")
	call(t, append(run, "2", "--x0", "x0.txt")...)
	_, out, _ = call(t, "compare", "single", "--format", "csv")
	if !strings.Contains(out, "masw x0=given,runs,1,") || !strings.Contains(out, "masw x0=none,runs,2,") {
		t.Errorf("runs with and without start points are in one column:\n%s", out)
	}
	os.RemoveAll("single")
	call(t, append(run, "1")...)
	file(t, "sphere.cl", strings.Replace(sphereText, "acc[0] +=", "acc[0] += R(2.0) *", 1))
	for _, more := range []string{"--quiet", "--dry-run"} {
		code, out, errs := call(t, "suite", "m.toml", "-o", "o", more)
		if code != 2 || !strings.Contains(errs, "was made before sphere.cl changed") {
			t.Errorf("the campaign goes on: %s: exit %d\n%s%s", more, code, out, errs)
		}
	}
	call(t, append(run, "1")...)
	_, out, errs = call(t, "compare", "single", "--format", "csv")
	if strings.Count(out, ",masw,mean,") != 2 || !strings.Contains(errs, "The files of sphere.cl have changed") {
		t.Errorf("both versions are in one row:\n%s%s", out, errs)
	}
}
