package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/battery"
)

// writeFile writes a file into the current folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestPathInRunFile checks that a file name in a run file is relative to that file.
func TestPathInRunFile(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "sub/run.toml", "problem = \"cec2013/f1\"\nx0 = \"start.txt\"\n")
	f, err := ReadRunFile("sub/run.toml")
	if err != nil {
		t.Fatal(err)
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	Add(fs, RunOptions)
	c := New(RunOptions, fs, os.Getenv, f)
	if got := c.Path("x0"); got != filepath.Join("sub", "start.txt") {
		t.Errorf("%q", got)
	}
}

// TestRunTomlRoundTrip checks that a written run file reads back as the same values.
func TestRunTomlRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"--solver", "random", "--evals", "1e4", "--set", "batch=7", "--target=-1.5e-3", "--devices",
		`name:a "b\c`, "--require-target",
		"--weights", "0=1", "--out", "elsewhere", "--time", "1d"}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	Add(fs, RunOptions)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	c := New(RunOptions, fs, func(string) string { return "" }, nil)
	text := recipe.Text(runs.ToolVersion, "cec2013/f2:n=1000", c.Recipe(map[string]string{"seed": "7"}))
	writeFile(t, "run.toml", text)
	f, err := ReadRunFile("run.toml")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	empty := pflag.NewFlagSet("", pflag.ContinueOnError)
	Add(empty, RunOptions)
	again := New(RunOptions, empty, func(string) string { return "" }, f)
	for _, o := range RunOptions {
		want := strings.Join(c.Values[o.Name].Vals, ";")
		switch o.Name {
		case "seed":
			want = "7"
		case "out": // whoever repeats a run chooses the place
			want = o.Def
		}
		if got := strings.Join(again.Values[o.Name].Vals, ";"); got != want {
			t.Errorf("%s: %q, want %q", o.Name, got, want)
		}
	}
	if f.Problem() != "cec2013/f2:n=1000" {
		t.Error(f.Problem())
	}
}

func TestRunTomlForms(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "run.toml", "\ufeffproblem = \"cec2013/f1\"\r\nseed = 7\r\ntarget = 1.5\r\nrequire-target = "+
		"true\r\n[set]\r\nalpha = 0.25\r\npopulation = 8\r\n")
	f, err := ReadRunFile("run.toml")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"seed": "7", "target": "1.5", "require-target": "true",
		"set": "alpha=0.25;population=8"} {
		if got := strings.Join(f.Entries[key].Vals, ";"); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if f.Entries["set"].Line != 5 {
		t.Errorf("set in line %d", f.Entries["set"].Line)
	}
}

// FuzzRunFile: no text makes the reader panic, and what it accepts has a problem.
func FuzzRunFile(f *testing.F) {
	battery.Target(f)
	f.Add("problem = \"cec2013/f1\"\nevals = 1e4\nset = [\"a=b\"]\n")
	f.Add("[set]\na = 1\n[[problem]]\n")
	f.Add("\ufeffproblem.x = 2")
	f.Add("problem = 1979-05-27\n\"evals\" = inf")
	path := filepath.Join(f.TempDir(), "run.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Skip()
		}
		file, err := ReadRunFile(path)
		if err == nil && file.Problem() == "" || err != nil && exit.Code(err) != exit.Usage {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestRunFileProblem checks that the path of a problem is relative to the run file, and that a name is not.
func TestRunFileProblem(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "sub/objective.txt", "static void component(void) {}")
	for problem, want := range map[string]string{
		"objective.txt":     "sub/objective.txt",
		"objective.txt:n=3": "sub/objective.txt:n=3",
		"missing.cl:n=3":    "sub/missing.cl:n=3",
		"cec2013/f1:n=1000": "cec2013/f1:n=1000",
		"/abs/x.cl":         "/abs/x.cl",
	} {
		writeFile(t, "sub/run.toml", "problem = \""+problem+"\"\n")
		f, err := ReadRunFile("sub/run.toml")
		if err != nil || f.Problem() != want {
			t.Errorf("%s: %v, %v", problem, f.Problem(), err)
		}
	}
}
