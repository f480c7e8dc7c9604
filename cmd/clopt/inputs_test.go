package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/battery"
)

// TestWholeFolder checks that a run folder has all files of its problem, so that it can be moved, and that a change of
// one is noticed.
func TestWholeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "src/two.cl", "#include \"sub/term.h\"\n//@ data C c.npy\n"+
		strings.Replace(sphereText, "sq(at(x, k))", "TERM(at(x, k)) + d.C[k % 3]", 1))
	file(t, "src/sub/term.h", "#define TERM(v) sq(v)\n")
	var table bytes.Buffer
	input.WriteNpy(&table, []float64{1, 2, 3})
	file(t, "src/c.npy", table.String())
	file(t, "src/g.txt", square)
	file(t, "src/g.bkv", "2\n")
	for name, args := range map[string]string{"two": "src/two.cl -n 20", "g": "maxcut:src/g.txt"} {
		if code, _, errs := call(t, append([]string{"run"}, strings.Fields(args+
			" -s random --evals 200 --seed 1 -q --name "+name)...)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	os.Rename("src", "elsewhere")
	os.Mkdir("moved", 0o777)
	os.Rename("runs/two", "moved/two")
	os.Rename("runs/g", "moved/g")
	for _, name := range []string{"two", "g"} {
		for _, args := range [][]string{{"check", "moved/" + name}, {"resume", "moved/" + name, "--evals", "400", "-q"},
			{"run", "moved/" + name + "/run.toml", "-q", "--name", name}, {"check", "runs/" + name}} {
			if code, out, errs := call(t, args...); code != 0 {
				t.Fatalf("clopt %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
			}
		}
		if readResult(t, "runs/"+name).Best.F != readResult(t, "moved/"+name).Best.F {
			t.Errorf("%s: another result", name)
		}
	}
	for _, path := range []string{"moved/two/inputs/two.cl", "moved/two/inputs/sub/term.h", "moved/g/inputs/g.txt"} {
		good := readText(t, path)
		file(t, path, good+"\n")
		dir := strings.Split(path, "/inputs")[0]
		code, _, errs := call(t, "run", dir+"/run.toml", "-q", "--name", "x")
		if code != exit.Checkpoint || !strings.Contains(errs, path+" has changed") {
			t.Errorf("%s: exit %d\n%s", path, code, errs)
		}
		if code, out, _ := call(t, "check", dir); code != exit.Usage || !strings.Contains(out, path+" has changed") {
			t.Errorf("check: exit %d\n%s", code, out)
		}
		if code, _, errs := call(t, "run", dir+"/run.toml", "-q", "--name", "x", "--force-changed"); code != 0 {
			t.Errorf("%s: exit %d\n%s", path, code, errs)
		}
		file(t, path, good)
	}
}

// TestR19Outside checks that a run file and a suite name files below their folders only, unless the user allows more.
func TestR19Outside(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "secret.cl", sphereText)
	file(t, "g.txt", square)
	file(t, "x.txt", strings.Repeat("1 ", 20))
	file(t, "in/own.cl", sphereText)
	os.Symlink("../secret.cl", "in/link.cl")
	os.MkdirAll("data", 0o777)
	run := func(lines string) string { return "dim = 20\nevals = 100\nsolver = \"random\"\n" + lines }
	suite := func(problem string) string {
		return "name = \"s\"\n[[table]]\nname = \"A\"\nproblems = [\"" + problem + "\"]\ndims = [20]\nevals = 100\n" +
			"[[table.solver]]\nsolver = \"random\"\n"
	}
	for _, c := range []struct{ text, command, want string }{
		{run(`problem = "../secret.cl"`), "run in/f.toml", "in/f.toml:4:1: error: problem: secret.cl is not below"},
		{run(`problem = "link.cl"`), "run in/f.toml", "link.cl is not below"},
		{run(`problem = "/etc/passwd"`), "run in/f.toml", "/etc/passwd is not below"},
		{run("problem = \"own.cl\"\nx0 = \"../x.txt\""), "run in/f.toml", "in/f.toml:5:1: error: x0: "},
		{run("problem = \"cec2013/f1\"\ndata = \"../data\""), "run in/f.toml", "in/f.toml:5:1: error: data: "},
		{suite("../secret.cl"), "suite in/f.toml", "is not below"},
		{suite("link.cl"), "suite in/f.toml", "is not below"},
		{suite("maxcut:g.txt"), "suite in/f.toml", "g.txt is not below"},
	} {
		file(t, "in/f.toml", c.text)
		code, out, errs := call(t, append(strings.Fields(c.command), "--dry-run")...)
		if code != exit.Usage || !strings.Contains(errs, c.want) || !strings.Contains(errs, "--allow-outside") {
			t.Errorf("%s: exit %d\n%s%s", c.text, code, out, errs)
		}
		_, _, errs = call(t, append(strings.Fields(c.command), "--dry-run", "--allow-outside")...)
		if strings.Contains(errs, "below the folder") {
			t.Errorf("%s, allowed: %s", c.text, errs)
		}
		count.Count(!t.Failed())
	}
	file(t, "in/f.toml", run(`problem = "own.cl"`))
	if code, _, errs := call(t, "run", "in/f.toml", "-q"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
