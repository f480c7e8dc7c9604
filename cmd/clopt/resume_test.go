package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers/runs"
)

// childCommand returns a process of its own that will run the command, and its standard error.
func childCommand(args ...string) (*exec.Cmd, *bytes.Buffer) {
	var errs bytes.Buffer
	cmd := exec.Command(os.Args[0], "-test.run=^TestR13NoDevice$")
	cmd.Env = append(os.Environ(), "CLOPT_TEST_CHILD="+strings.Join(args, " "))
	cmd.Stderr, cmd.Stdout = &errs, io.Discard
	return cmd, &errs
}

// startChild starts such a process.
func startChild(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd, errs := childCommand(args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, errs
}

// newestOf is the name of a run's newest checkpoint, "" if there is none.
func newestOf(dir string) string {
	names, _ := runs.Checkpoints(dir)
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// TestResumeTogether resumes runs that share launches: those whose checkpoints are of one step share them again.
func TestResumeTogether(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields("run rastrigin -n 9 -s sa --set chains=200 --set N=60 --set T0=10 "+
		"--set Tmin=0.01 --set rho=0.9 --runs 5 --seed 9 --checkpoint 1ns --status plain --name whole")...,
	); code != 0 || !strings.Contains(errs, "runs 0 to 4 are made together") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	if err := os.CopyFS("runs/cut", os.DirFS("runs/whole")); err != nil {
		t.Fatal(err)
	}
	// As if they had been killed before the end, and run 0 at its end.
	for _, dir := range []string{"run-01", "run-02", "run-04"} {
		dir = filepath.Join("runs/cut", dir)
		os.Remove(filepath.Join(dir, "result.json"))
		os.RemoveAll(filepath.Join(dir, "checkpoint", newestOf(dir)))
	}
	os.Remove("runs/cut/run-00/result.json")
	if code, out, errs := call(t, "resume", "runs/cut", "-d", "0*3"); code != 0 ||
		!strings.Contains(errs, "runs 1 to 2 are made together") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	for _, r := range []string{"run-00", "run-01", "run-02", "run-03", "run-04"} {
		sameRun(t, r, filepath.Join("runs/whole", r), filepath.Join("runs/cut", r))
	}
}

// TestResumeRuns resumes several runs: finished ones are kept, a stopped one continues, and the others are made.
func TestResumeRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("run cec2013/f2 -s masw --set population=8 --set iterations=20 --evals 5k --seed 4 " +
		"--runs 3 -q")
	for _, name := range []string{"whole", "cut"} {
		if code, _, errs := call(t, append(args, "--name", name)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	// As if it had been killed at the end of run 1.
	os.Remove("runs/cut/summary.json")
	os.Remove("runs/cut/run-01/result.json")
	os.RemoveAll("runs/cut/run-02")
	before, _ := os.Stat("runs/cut/run-00/result.json")
	if code, out, errs := call(t, "resume", "runs/cut"); code != 0 || !strings.Contains(out, "median") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	after, _ := os.Stat("runs/cut/run-00/result.json")
	if !before.ModTime().Equal(after.ModTime()) {
		t.Error("run 0 was finished, and made again")
	}
	for _, r := range []string{"run-00", "run-01", "run-02"} {
		sameRun(t, r, filepath.Join("runs/whole", r), filepath.Join("runs/cut", r))
	}
	readText(t, "runs/cut/summary.json")
}

// TestResumeLastError checks that --status json has an error that comes after the first of several runs.
func TestResumeLastError(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields("run cec2013/f2 -s random --evals 500 --seed 4 --runs 2 -q "+
		"--name a")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	os.Remove("runs/a/run-00/result.json")
	os.Remove("runs/a/run-01/result.json")
	unlock, err := runs.Lock("runs/a/run-01")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	code, _, errs := call(t, "resume", "runs/a", "--status", "json")
	all := lines(t, errs)
	if last := all[len(all)-1]; code != 2 || last["event"] != "error" ||
		!strings.Contains(fmt.Sprint(last["detail"]), "run-01 is in use") {
		t.Errorf("exit %d, the last line is %v", code, last)
	}
}

// TestResumeRefusedByCommand checks the errors of runs that cannot be resumed.
func TestResumeRefusedByCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for _, args := range []string{
		"cec2013/f2 -s masw --set population=8 --set iterations=20 --name a",
		"cec2013/f2 -s masw --set population=8 --set iterations=20 --name none --checkpoint off",
		"sphere.cl:n=20 -s random --name b",
	} {
		if code, _, errs := call(t, strings.Fields("run "+args+" --evals 500 --seed 4 -q")...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	edit := func(dir, old, new string) {
		text := readText(t, dir, "run.toml")
		if !strings.Contains(text, old) {
			t.Fatalf("no %s in %s", old, text)
		}
		file(t, filepath.Join(dir, "run.toml"), strings.Replace(text, old, new, 1))
	}
	refuse := func(code int, want string, args ...string) {
		t.Helper()
		got, out, errs := call(t, append([]string{"resume"}, args...)...)
		if got != code || !strings.Contains(errs, want) || out != "" || strings.Contains(errs, "internal error") {
			t.Errorf("resume %v: exit %d, want %d and %q:\n%s%s", args, got, code, want, out, errs)
		}
	}
	refuse(2, "RUN")
	refuse(2, "nowhere", "nowhere")
	refuse(2, "is not a run folder", ".")
	refuse(2, "is not a run folder", "sphere.cl")
	refuse(2, "--seed cannot be changed", "runs/a", "--seed", "5")
	refuse(2, "--dim cannot be changed", "runs/a", "-n", "2000")
	refuse(2, "--set cannot be changed", "runs/a", "--set", "population=10")
	refuse(2, `"--evals"`, "runs/a", "--evls", "5")
	refuse(2, "has used its", "runs/a", "--evals", "400")
	os.Remove("runs/none/result.json")
	refuse(2, "holds no checkpoint", "runs/none", "--evals", "1000")
	for _, c := range []struct{ dir, old, new, want string }{
		{"runs/a", `seed = "4"`, `seed = "5"`, "the seed is 5, and was 4"},
		{"runs/a", `"population=8"`, `"population=12"`, "the solver settings is population=12"},
		{"runs/a", `dim = "1000"`, `dim = "2000"`, "the problem is cec2013/f2:n=2000, and was cec2013/f2:n=1000"},
		{"runs/a", `precision = "fp64"`, `precision = "fp32"`, "the precision is fp32"},
		{"runs/a", `first-run = "0"`, `first-run = "1"`, "the run is 1, and was 0"},
		{"runs/b", `seed = "4"`, `seed = "5"`, "the seed is 5"},
	} {
		edit(c.dir, c.old, c.new)
		refuse(7, c.want, c.dir, "--evals", "1000")
		edit(c.dir, c.new, c.old)
	}
	own := "runs/b/inputs/sphere.cl"
	file(t, own, strings.Replace(sphereText, "acc[0] +=", "acc[0] += 2*", 1))
	refuse(7, "the objective's text (SHA-256) is", "runs/b", "--evals", "1000")
	file(t, own, sphereText)
	unlock, err := runs.Lock("runs/b")
	if err != nil {
		t.Fatal(err)
	}
	refuse(2, fmt.Sprintf("in use by pid %d", os.Getpid()), "runs/b", "--evals", "1000")
	unlock()
	if code, _, errs := call(t, "resume", "runs/b", "--evals", "1000", "-q"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if code, _, errs := call(t, "resume", "runs/a", "--evals", "1000", "-q"); code != 0 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestDamagedCheckpoints damages the newest checkpoint in many ways. Each time clopt warns and uses the one before, and
// the result is the same.
func TestDamagedCheckpoints(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("run cec2013/f2 -n 2000 -d 0*2 -s masw --set population=8 --set iterations=20 --seed 4 -q " +
		"--checkpoint 1ns --checkpoints 3")
	for name, evals := range map[string]string{"cut": "800", "whole": "1200"} {
		if code, _, errs := call(t, append(args, "--name", name, "--evals", evals)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	names, _ := runs.Checkpoints("runs/cut")
	if len(names) != 3 {
		t.Fatalf("%v are kept instead of 3", names)
	}
	newest := filepath.Join("runs/cut/checkpoint", names[0])
	files, _ := filepath.Glob(filepath.Join(newest, "*"))
	if len(files) != 4 { // host, two shards, manifest
		t.Fatal(files)
	}
	// All kinds of damage, on every file, are found.
	for _, path := range files {
		good := []byte(readText(t, path))
		spots := []int{0, len(good) - 1}
		for i := range 23 {
			spots = append(spots, i*len(good)/23)
		}
		for _, at := range spots {
			flipped := slices.Clone(good)
			flipped[at] ^= 1 << (at % 8)
			for what, bad := range map[string][]byte{"flipped": flipped, "cut": good[:at], "missing": nil} {
				if os.WriteFile(path, bad, 0o666); bad == nil {
					os.Remove(path)
				}
				if runs.VerifyCheckpoint(newest) == nil {
					t.Fatalf("%s %s at byte %d of %d: not found", path, what, at, len(good))
				}
			}
		}
		os.WriteFile(path, good, 0o666)
	}
	// And the run goes on from the one before.
	shard := filepath.Join(newest, "shard-001.ck")
	text := []byte(readText(t, shard))
	text[len(text)/2] ^= 1
	os.WriteFile(shard, text, 0o666)
	os.Remove(filepath.Join("runs/cut/checkpoint", names[1], "host.ck"))
	code, _, errs := call(t, "resume", "runs/cut", "--evals", "1200", "-q")
	if code != 0 || !strings.Contains(errs, "checkpoint "+names[0]+" cannot be used: shard-001.ck is damaged") ||
		!strings.Contains(errs, names[1]+" cannot be used: host.ck is missing") ||
		!strings.Contains(errs, "Checkpoint "+names[2]+" is used instead") {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	sameRun(t, "from an older one", "runs/whole", "runs/cut")
	if left, _ := runs.Checkpoints("runs/cut"); slices.Contains(left, names[0]) || slices.Contains(left, names[1]) {
		t.Errorf("damaged checkpoints are kept: %v", left)
	}
	// None is good.
	hosts, _ := filepath.Glob("runs/whole/checkpoint/*/host.ck")
	for _, path := range hosts {
		os.Truncate(path, 30)
	}
	before := readText(t, "runs/whole/trace.jsonl")
	code, out, errs := call(t, "resume", "runs/whole", "--evals", "1300", "-q")
	if code != exit.Checkpoint || out != "" || !strings.Contains(errs, "no checkpoint is good") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if readText(t, "runs/whole/trace.jsonl") != before || readResult(t, "runs/whole").ExitCode != 0 {
		t.Error("a run that could not be resumed was changed")
	}
}

// smallDisk makes files of checkpoints until there is no room left.
type smallDisk struct {
	disk.Disk
	left  *int64
	files *int
	more  int64 // room that somebody makes after 40 files
}

func (d *smallDisk) OpenFile(name string, flag int) (disk.File, error) {
	f, err := d.Disk.OpenFile(name, flag)
	if err != nil || !strings.HasPrefix(name, "checkpoint/") || flag&os.O_CREATE == 0 {
		return f, err
	}
	if *d.files++; *d.files == 40 {
		*d.left = d.more
	}
	return &smallFile{f, d.left}, nil
}

type smallFile struct {
	disk.File
	left *int64
}

func (d *smallFile) Write(b []byte) (int, error) {
	if *d.left -= int64(len(b)); *d.left < 0 {
		return 0, syscall.ENOSPC
	}
	return d.File.Write(b)
}

// TestResumeFurther checks that a run which ended at a limit goes on as if it had had the larger one from the start,
// for the methods of which docs/resume.md says so.
func TestResumeFurther(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args  string
		evals int
	}{
		{"cec2013/f2 -s masw --set population=8", 203},
		{"rosenbrock -n 40 -s lbfgs", 777},
		{"cec2013/f12 -s lm", 501},
	} {
		name := strings.Fields(strings.Split(c.args, "-s ")[1])[0]
		args := append(strings.Fields("run -q --seed 3 "+c.args), "--name")
		for _, run := range [][]string{
			slices.Concat(args, []string{name + "-half", "--evals", strconv.Itoa(c.evals)}),
			{"resume", "runs/" + name + "-half", "-q", "--evals", strconv.Itoa(2 * c.evals)},
			slices.Concat(args, []string{name, "--evals", strconv.Itoa(2 * c.evals)}),
		} {
			if code, _, errs := call(t, run...); code != 0 {
				t.Fatalf("%v: exit %d\n%s", run, code, errs)
			}
		}
		sameRun(t, name, "runs/"+name, "runs/"+name+"-half")
	}
}

// TestFullDiskAtOnce checks that a warning before the first checkpoint says nothing of older ones.
func TestFullDiskAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	left, files := int64(8*8*1000), 0 // half a checkpoint
	var out, errs bytes.Buffer
	args := strings.Fields("run cec2013/f2 -s masw --set population=8 --set iterations=20 --seed 4 --evals 80 -q " +
		"--checkpoint 1ns --name small")
	c := job.NewCall(args, strings.NewReader(""), &out, &errs)
	c.Disk = func(d disk.Disk) disk.Disk { return &smallDisk{d, &left, &files, 0} }
	if code := execute(context.Background(), c); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs.String())
	}
	if !strings.Contains(errs.String(), "! no checkpoint: ") || strings.Contains(errs.String(), "older ones") {
		t.Errorf("want a warning without older checkpoints:\n%s", errs.String())
	}
}

// TestFullDisk checks that a full disk gives a warning, keeps the older checkpoints and does not end the run, and that
// checkpoints are written again when there is room.
func TestFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	size := int64(2*8*8*1000) + 2000 // population and biases, and the small files
	left, files := 3*size+size/2, 0
	var out, errs bytes.Buffer
	args := strings.Fields("run cec2013/f2 -s masw --set population=8 --set iterations=20 --seed 4 --evals 400 -q " +
		"--checkpoint 1ns --name small")
	c := job.NewCall(args, strings.NewReader(""), &out, &errs)
	c.Disk = func(d disk.Disk) disk.Disk { return &smallDisk{d, &left, &files, 10 * size} }
	if code := execute(context.Background(), c); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs.String())
	}
	if !strings.Contains(errs.String(), "! no checkpoint: ") || !strings.Contains(errs.String(), "no space left") ||
		!strings.Contains(errs.String(), "times: no checkpoint") {
		t.Errorf("no warning:\n%s", errs.String())
	}
	if !strings.Contains(errs.String(), "The older ones are kept. It is tried again later.") {
		t.Errorf("nothing of the older checkpoints:\n%s", errs.String())
	}
	if call(t, append(args[:len(args)-1], "free")...); gridOf(t, "runs/small") != gridOf(t, "runs/free") {
		t.Error("a full disk changed the run")
	}
	names, _ := runs.Checkpoints("runs/small")
	if len(names) != 2 {
		t.Fatalf("%v", names)
	}
	for _, name := range names {
		dir := filepath.Join("runs/small/checkpoint", name)
		if err := runs.VerifyCheckpoint(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
