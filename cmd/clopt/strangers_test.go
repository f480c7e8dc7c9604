//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/test/battery"
)

// copyTree copies a run folder.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestR19FolderOfStranger puts a link, a pipe, a folder and a file that is too large in the place of each file of a run
// folder. No command may follow the link, wait for the pipe, or end with another code than that of a wrong input.
func TestR19FolderOfStranger(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields("run cec2013/f2 -s masw --set population=8 --evals 200 --seed 2 -q "+
		"--checkpoint 1ns --name a")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	newest := "checkpoint/" + newestOf("runs/a")
	os.MkdirAll("victim/000001", 0o777)
	const secret = "do not touch\n"
	kinds := map[string]func(path string) error{
		"link": func(path string) error { return os.Symlink(must(filepath.Abs("victim/file")), path) },
		"pipe": func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"dir":  func(path string) error { return os.MkdirAll(filepath.Join(path, "000001"), 0o777) },
		"long": func(path string) error { return os.WriteFile(path, make([]byte, 50<<20), 0o666) },
	}
	// The commands that read each file. resume also writes and removes files.
	all := []string{"resume bad --evals 400 -q", "check bad", "compare bad", "plot bad -o x.svg", "export bad"}
	for name, commands := range map[string][]string{
		"lock": all[:1], "log.txt": all[:1], "trace.jsonl": {all[0], all[1], all[3]}, "run.toml": all[:2],
		"result.json": all, "checkpoint": all[:2], newest: all[1:2], newest + "/manifest.json": all[1:2],
		newest + "/host.ck": all[1:2], "best.npy": all[1:2],
	} {
		for kind, put := range kinds {
			if kind == "long" && (name == "lock" || name == "log.txt") || // the size of these does not matter
				kind == "dir" && strings.HasPrefix(name, "checkpoint") {
				continue
			}
			for _, command := range commands {
				file(t, "victim/file", secret)
				os.RemoveAll("bad")
				copyTree(t, "runs/a", "bad")
				os.RemoveAll(filepath.Join("bad", name))
				if err := put(filepath.Join("bad", name)); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				code, out, errs := call(t, strings.Fields(command)...)
				want := exit.Usage
				if strings.HasPrefix(name, "checkpoint/") {
					want = exit.Checkpoint
				}
				if code != want || strings.Contains(errs, "internal") || strings.Contains(out+errs, "touch") {
					t.Errorf("%s for %s, clopt %s: exit %d, want %d\n%s%s", kind, name, command, code, want, out, errs)
				}
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("%s for %s, clopt %s: %v", kind, name, command, took)
				}
				if readText(t, "victim/file") != secret {
					t.Fatalf("%s for %s, clopt %s: the victim was changed", kind, name, command)
				}
				count.Count(!t.Failed())
			}
		}
	}
	// A link in the place of checkpoint/ or of a run of several leads to another folder.
	os.RemoveAll("bad")
	copyTree(t, "runs/a", "bad")
	os.Rename("bad/checkpoint", "elsewhere")
	os.Symlink("../elsewhere", "bad/checkpoint")
	before := listing(t, "elsewhere")
	for _, command := range all[:2] {
		code, out, errs := call(t, strings.Fields(command)...)
		if code != exit.Usage || !strings.Contains(out+errs, "symbolic link") || listing(t, "elsewhere") != before {
			t.Errorf("clopt %s: exit %d\n%s%s", command, code, out, errs)
		}
	}
	// What is written may not have a second name outside of the folder.
	for _, name := range []string{"trace.jsonl", "log.txt"} {
		os.RemoveAll("bad")
		copyTree(t, "runs/a", "bad")
		os.Link("bad/"+name, "second-"+name)
		before := readText(t, "second-"+name)
		code, out, errs := call(t, strings.Fields(all[0])...)
		count.Check(code == exit.Usage && strings.Contains(out+errs, "hard link") &&
			readText(t, "second-"+name) == before, "hard link to %s: exit %d\n%s%s", name, code, out, errs)
	}
	// A link that the user gives may lead to a run folder.
	os.Symlink("runs/a", "mine")
	for _, command := range []string{"resume mine --evals 300 -q", "check mine", "compare mine"} {
		if code, out, errs := call(t, strings.Fields(command)...); code != 0 {
			t.Errorf("clopt %s: exit %d\n%s%s", command, code, out, errs)
		}
	}
}

// must returns v and panics if there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// listing returns the names and sizes of all files below a folder.
func listing(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("find", dir, "-printf", "%p %s\n").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestR19LinkedRuns checks that the runs of a stranger's batch cannot be links to folders elsewhere.
func TestR19LinkedRuns(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields("run cec2013/f2 -s random --evals 200 --seed 2 -q --runs 2 "+
		"--name a")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	os.Rename("runs/a/run-01", "elsewhere")
	os.Symlink("../../elsewhere", "runs/a/run-01")
	before := listing(t, "elsewhere")
	code, out, errs := call(t, "resume", "runs/a", "--evals", "400", "-q")
	if code != exit.Usage || !strings.Contains(errs, "symbolic link") || listing(t, "elsewhere") != before {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	count.Count(!t.Failed())
}

// TestR19ControlCharacters checks that what a file or a name says to the terminal is shown as text.
func TestR19ControlCharacters(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	const escape = "\x1b]0;title\x07"
	code, _, errs := call(t, strings.Fields("run cec2013/f2 -s random --evals 200 --seed 2 -q --name a")...)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	text := readText(t, "runs/a/run.toml")
	file(t, "runs/a/run.toml", text+"name = \"\\u001b]0;title\\u0007\"\n")
	file(t, "x.toml", "name = \"s\"\ntitle = \"\\u001b]0;title\\u0007\"\n[[table]]\nname = \"A\"\n"+
		"caption = \"\\u001b]0;title\"\nproblems = [\"cec2013/f2\"]\nevals = 100\n"+
		"[[table.solver]]\nsolver = \"random\"\n")
	file(t, "x.cl", "//@ bounds -5 5\n//@ \x1b]0;title\x07 1\n"+sphereText)
	file(t, "g.txt", "3 1\n1 \x1b]0;title\x07 1\n")
	os.MkdirAll("in/"+escape, 0o777)
	copyTree(t, "runs/a/result.json", "in/"+escape+"/result.json")
	for _, args := range [][]string{
		{"check", "runs/a"}, {"run", "runs/a/run.toml"}, {"suite", "x.toml", "--dry-run"}, {"describe", "x.toml"},
		{"check", "x.cl", "-n", "5"}, {"run", "x.cl", "-n", "5"}, {"eval", "maxcut:g.txt", "--x", "none"},
		{"compare", "in"}, {"check", "in"}, {"compare", escape}, {"resume", escape}, {"run", escape},
		{"run", "cec2013/f2", "--name", escape}, {"suite", escape}, {"check", escape}, {escape},
		{"run", "cec2013/f2", "--set", escape}, {"list", escape}, {"describe", escape}, {"run", "--" + escape},
	} {
		code, out, errs := call(t, args...)
		if code != exit.Usage || strings.ContainsAny(out+errs, "\x1b\x07") {
			t.Errorf("clopt %q: exit %d\n%q%q", args, code, out, errs)
		}
		count.Count(!t.Failed())
	}
}
