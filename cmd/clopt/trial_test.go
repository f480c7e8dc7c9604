//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/cl/binaries"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// endlessText is an objective whose evaluation does not end.
const endlessText = `//@ bounds -1 1
//@ n 3
static void component(uint k, point x, data d, real *acc)
{
    for (uint i = 0; i < 10; i += acc[0] > R(1e30)) acc[0] += at(x, i % 3);
}
`

// TestR18Endless checks that --trial-time limits the first evaluation and its compilation.
func TestR18Endless(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "endless.cl", endlessText)
	file(t, "x.txt", "1 1 1\n")
	code, out, errs := call(t, "run", "endless.cl", "--trial-time", "5s")
	count.Check(code == 4 && out == "" &&
		strings.Contains(errs, "endless.cl: error: the first evaluation on device 0") &&
		strings.Contains(errs, "has not ended after 5s. Look for a loop without an end"),
		"exit %d\n%s%s", code, out, errs)
	// No compilation ends within a nanosecond.
	code, out, errs = call(t, "eval", "endless.cl", "--x", "x.txt", "--trial-time", "1ns")
	count.Check(code == 4 && out == "" && strings.Contains(errs, "endless.cl: error: the compiler of device 0") &&
		strings.Contains(errs, "has not ended after 1ns. Make the text simpler"), "exit %d\n%s%s", code, out, errs)
	code, out, errs = call(t, "structure", "endless.cl", "--learn", "--trial-time", "1ns")
	count.Check(code == 4 && out == "" && strings.Contains(errs, "has not ended after 1ns"), "exit %d\n%s%s", code, out,
		errs)
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder stays")
	}
}

// TestR18Waits stops a trial for longer than its limit, as a busy machine does. That time does not count.
func TestR18Waits(t *testing.T) {
	count := battery.Begin(t)
	path := filepath.Join(t.TempDir(), "waits.cl")
	file(t, path, "//@ bounds -1 1\n//@ n 3\n//@ reads k\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n")
	cmd, errs := startChild(t, "run", path, "-s", "random", "--seed", "1", "--evals", "100", "--trial-time", "3s", "-o",
		t.TempDir())
	waitFor(t, "the trial begins", func() bool { return len(trials(path)) > 0 })
	pid := trials(path)[0]
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(4 * time.Second)
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Errorf("the trial has not waited: %v", err)
	}
	err := cmd.Wait()
	count.Check(err == nil, "%v\n%s", err, errs)
}

// TestR18EndsWithItsParent kills clopt during an endless trial, and waits for the end of the child process.
func TestR18EndsWithItsParent(t *testing.T) {
	count := battery.Begin(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "endless.cl")
	if err := os.WriteFile(path, []byte(endlessText), 0o666); err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestR13NoDevice$")
	parent.Env = append(os.Environ(), "CLOPT_TEST_CHILD=run "+path+" --trial-time 10m")
	parent.Dir = dir
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the trial begins", func() bool { return len(trials(path)) > 0 })
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait()
	waitFor(t, "the trial ends", func() bool { return len(trials(path)) == 0 })
	count.Count(true)
}

// TestKilledTrial kills the child process of a trial, as the system does when memory runs out.
func TestKilledTrial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endless.cl")
	file(t, path, endlessText)
	cmd, errs := startChild(t, "run", path, "--trial-time", "10m", "-o", t.TempDir())
	waitFor(t, "the trial begins", func() bool { return len(trials(path)) > 0 })
	for _, pid := range trials(path) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exit.Memory ||
		!strings.Contains(errs.String(), "was killed, perhaps because memory ran out") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// rarely is an objective that prints some points, and has another statement for very few, at which the trial does not
// look.
const rarely = `//@ bounds -5 5
//@ n 20
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    real v = at(x, k);
    if (v > R(1.0) && v < R(1.001)) printf("%g\n", v);
    if (v > R(2.5) && v < R(2.5001)) STATEMENT
    acc[0] += v * v;
}
`

// TestR18Later crashes after the trial. The command ends with exit code 4, names the objective and the command that
// goes on, and leaves good checkpoints.
func TestR18Later(t *testing.T) {
	count := battery.Begin(t)
	for _, statement := range shorttest.Rows(1, []string{"__builtin_trap();",
		"v += *(global volatile real *)(0xdead0000 + k);", "*(global volatile real *)0 = v;"}) {
		for _, status := range []string{"plain", "json"} {
			t.Chdir(t.TempDir())
			file(t, "later.cl", strings.Replace(rarely, "STATEMENT", statement, 1))
			cmd, errs := startChild(t, strings.Fields("run later.cl -s random --evals 1e6 --seed 1 --checkpoint 1ns "+
				"--name a --status "+status)...)
			cmd.Wait()
			text := strings.TrimSpace(errs.String())
			count.Check(cmd.ProcessState.ExitCode() == exit.Objective && !strings.Contains(text, "goroutine") &&
				strings.Contains(text, "later.cl: error: an evaluation crashed on device 0") &&
				strings.Contains(text, "clopt resume runs/a"), "%s: %v\n%s", statement, cmd.ProcessState, text)
			if status == "json" {
				events := map[any]int{}
				for _, line := range lines(t, text) { // all are JSON
					events[line["event"]]++
				}
				count.Check(events["error"] == 1 && events["printed"] > 0, "%s: %v", statement, events)
			}
			code, out, problems := call(t, "check", "runs/a")
			count.Check(code == 0 && newestOf("runs/a") != "", "%s: exit %d\n%s%s", statement, code, out, problems)
		}
	}
}

// TestCrashWithoutChild crashes in the trial that clopt repeats in its own process. The child process cannot start
// here, since its program is gone. Where it can, it may read what it should not and go on, and this process crashes.
func TestCrashWithoutChild(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "crash.cl", strings.Replace(sphereText, "acc[0] +=",
		"global volatile int *p = (global volatile int *)8; acc[0] += p[k] +", 1))
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile("clopt.test", program, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd, errs := childCommand("run", "crash.cl", "-n", "3", "--evals", "1000")
	cmd.Path = "./clopt.test"
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	os.Remove("clopt.test")
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != exit.Objective ||
		!strings.Contains(errs.String(), "crash.cl: error: an evaluation crashed on device 0") {
		t.Errorf("%v\n%s", cmd.ProcessState, errs)
	}
}

// TestR18LaterElsewhere crashes commands that make no run, after the trial.
func TestR18LaterElsewhere(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	text := strings.Replace(rarely, "STATEMENT", "v += *(global volatile real *)(0xdead0000 + k);", 1)
	file(t, "later.cl", text)
	// The point of the trial has no variable in this interval.
	text = strings.NewReplacer("n 20", "n 2", "R(2.5)", "R(-4.5)", "R(2.5001)", "R(-2.5)").Replace(text)
	file(t, "often.cl", text)
	file(t, "whole.cl", strings.Replace(text, "reads k", "reads whole", 1))
	file(t, "x.txt", strings.Repeat("1 ", 19)+"2.50005\n")
	for _, args := range shorttest.Rows(2, []string{"eval later.cl --x x.txt", "structure often.cl --verify",
		"structure whole.cl --learn"}) {
		cmd, errs := startChild(t, strings.Fields(args)...)
		cmd.Wait()
		name := strings.Fields(args)[1]
		count.Check(cmd.ProcessState.ExitCode() == exit.Objective && strings.Contains(errs.String(),
			name+": error: an evaluation crashed on device 0"), "%s: %v\n%s", args, cmd.ProcessState, errs)
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for a minute: %s", what)
		}
	}
}

// trials returns the processes that try the objective in a file.
func trials(path string) (found []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range all {
		if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, []byte(child.Command)) &&
			bytes.Contains(line, []byte(path)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			found = append(found, pid)
		}
	}
	return found
}

// TestTrialOnce checks that a trial without an error is not made again for the same text, device and program.
func TestTrialOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(binaries.Variable, t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "wrong.cl", strings.Replace(sphereText, "at(x, k)", "at(x, k + 1)", 1))
	devices, err := shard.Select("0", problems.FP64)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	good := child.Trial{Program: os.Args[0], Spec: "sphere.cl:n=3", Hash: "1", Precision: problems.FP64,
		Device: devices[0], Limit: time.Minute}
	wrong := good
	wrong.Spec = "wrong.cl:n=3"
	for _, c := range []struct {
		trial child.Trial
		clean bool
	}{{good, true}, {wrong, false}} {
		if found, err := c.trial.Run(t.Context()); err != nil || found.Clean != c.clean {
			t.Errorf("%s: %+v, %v", c.trial.Spec, found, err)
		}
		if found, err := c.trial.Run(cancelled); (err == nil) != c.clean || found.Clean != c.clean {
			t.Errorf("%s again: %+v, %v", c.trial.Spec, found, err)
		}
	}
	for _, change := range []func(){func() { good.Hash = "2" }, func() { good.Hash = "" },
		func() { good.Hash = "1"; good.Device.Driver += "x" }, func() { t.Setenv(binaries.Variable, binaries.Off) }} {
		change()
		if found, err := good.Run(cancelled); err == nil {
			t.Errorf("another trial was known: %+v", found)
		}
	}
}
