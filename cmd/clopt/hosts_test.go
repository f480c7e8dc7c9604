//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/shard/mpi"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// launcher is an mpirun that is installed.
type launcher struct {
	path string
	args []string
}

// launchers returns those that are installed. The test ends if there is none.
func launchers(t *testing.T) (all []launcher) {
	t.Helper()
	for _, l := range []launcher{{"mpirun.openmpi", []string{"--allow-run-as-root", "--oversubscribe"}},
		{"mpirun.mpich", nil}} {
		if path, err := exec.LookPath(l.path); err == nil {
			all = append(all, launcher{path, l.args})
		}
	}
	if all == nil {
		t.Skip("no MPI is installed: make setup-test installs one")
	}
	return all
}

// start starts a command on some ranks.
func (l launcher) start(t *testing.T, ranks int, env []string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, l.path, append(append([]string{"-n", fmt.Sprint(ranks)}, l.args...),
		os.Args[0])...)
	cmd.Env = append(append(os.Environ(), rankArgs+"="+strings.Join(args, " ")), env...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

// call runs a command on some ranks and returns the exit code and what they print.
func (l launcher) call(t *testing.T, ranks int, args ...string) (code int, out string) {
	t.Helper()
	cmd, text := l.start(t, ranks, nil, args...)
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), text.String()
}

// sameBits compares the best points and the traces of two run folders. Times and devices may differ.
func sameBits(t *testing.T, a, b string) {
	t.Helper()
	best := func(dir string) []byte {
		x, err := os.ReadFile(filepath.Join("runs", dir, "best.npy"))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if !bytes.Equal(best(a), best(b)) {
		t.Errorf("%s and %s have other best points", a, b)
	}
	sample := regexp.MustCompile(`"evals":\d+,"work":[^,]+,"step":\d+,"f":[^,]+,"best":[^,]+`)
	trace := func(dir string) []string {
		text, err := os.ReadFile(filepath.Join("runs", dir, "trace.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return sample.FindAllString(string(text), -1)
	}
	if x, y := trace(a), trace(b); len(x) < 3 || strings.Join(x, "\n") != strings.Join(y, "\n") {
		t.Errorf("%s and %s have other traces:\n%q\n%q", a, b, x, y)
	}
}

// maswRun is a run that ends by a limit of evaluations that is given.
const maswRun = "run cec2013/f12:mode=paper -n 7000 -s masw --set population=8 --set iterations=5 --seed 1 --out runs"

// hostRuns lists runs of all methods. DATA stands for the folder test/testdata.
var hostRuns = []string{
	maswRun + " --evals 208",
	"run DATA/chain.cl -n 5001 -s masw --set population=8 --seed 1 --out runs --evals 200",
	maswRun + " --set portions=1 --evals 208",
	"run DATA/auto/regression.cl --allow-outside -s masw --set population=8 --seed 1 --out runs --evals 200",
	"run DATA/chain.cl -n 5001 -s relay --seed 1 --out runs --evals 200",
	"run cec2013/f12:mode=paper -n 3000 -s relay --seed 1 --out runs --evals 200",
	"run cec2013/f2 -n 5000 -s graybox --seed 1 --out runs --evals 20000",
	"run cec2013/f1 -n 5000 -s masw-seq --seed 1 --out runs --evals 2000",
	"run cec2013/f12:mode=paper -n 3000 -s lbfgs --seed 1 --out runs --evals 20000",
	"run cec2013/f1 -n 5000 -s random --seed 1 --out runs --evals 5000",
	"run cec2013/f12:mode=paper -n 3000 -s sa --set variant=sweeps --seed 1 --out runs --evals 60000",
	"run classic/griewank:n=40 -s sa --set T0=5 --set Tmin=0.5 --set rho=0.8 --set N=3 --set chains=600 --seed 1 " +
		"--out runs",
	"run classic/rastrigin -n 10 -s cgrasp --seed 1 --out runs --evals 60000",
	"run maxcut:torus=12x12,seed=2 -s gomea --set base=4 --seed 1 --out runs --evals 6000",
	"run maxcut:torus=32x32,seed=2 -s mixing --set base=4 --seed 1 --out runs --evals 60000",
	"run maxcut:torus=12x12,seed=2 -s annealgraph --set sweeps=20 --set chains=64 --seed 1 --out runs --evals 100000",
}

// Runs on several ranks have the bits of one process.
func TestHosts(t *testing.T) {
	data, err := filepath.Abs("../../test/testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for i, line := range shorttest.Rows(2, hostRuns) {
		line, one := strings.ReplaceAll(line, "DATA", data), fmt.Sprintf("one-%d", i)
		if code, _, errs := call(t, strings.Fields(line+" --name "+one)...); code != exit.OK {
			t.Fatalf("%s: exit %d: %s", line, code, errs)
		}
		for k, l := range shorttest.Rows(1, launchers(t)) {
			counts := []int{2, 3, 5}
			if testing.Short() {
				counts = counts[i : i+1]
			}
			for _, ranks := range counts {
				several := fmt.Sprintf("several-%d-%d-%d", i, k, ranks)
				if code, out := l.call(t, ranks, line, "--name", several); code != exit.OK {
					t.Errorf("%s on %d ranks: exit %d: %s", line, ranks, code, out)
					continue
				}
				sameBits(t, one, several)
			}
		}
	}
}

// A campaign on several ranks has the bits of one process.
func TestHostsSuite(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	file(t, "small.toml", smallSuite)
	if code, _, errs := call(t, "suite", "small.toml", "--out", "runs", "-d", "0*2"); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for k, l := range launchers(t) {
		out := fmt.Sprintf("there-%d", k)
		if code, text := l.call(t, 2, "suite small.toml --out", out); code != exit.OK {
			t.Fatalf("exit %d: %s", code, text)
		}
		all, err := filepath.Glob("runs/small/*/*/*/best.npy")
		if err != nil || len(all) < 8 {
			t.Fatalf("%d runs, %v", len(all), err)
		}
		for _, path := range all {
			if readText(t, path) != readText(t, filepath.Join(out, strings.TrimPrefix(path, "runs"))) {
				t.Errorf("%s is another one in %s", path, out)
			}
		}
	}
}

// A run on three ranks goes on in one process, and then on three again.
func TestHostsResume(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields(maswRun+" --name whole --evals 600")...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for k, l := range launchers(t) {
		name := fmt.Sprintf("parts-%d", k)
		if code, out := l.call(t, 3, maswRun, "--evals 208 --name", name); code != exit.OK {
			t.Fatalf("exit %d: %s", code, out)
		}
		if code, _, errs := call(t, "resume", "runs/"+name, "--evals", "400"); code != exit.OK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		if code, out := l.call(t, 3, "resume --evals 600 runs/"+name); code != exit.OK {
			t.Fatalf("exit %d: %s", code, out)
		}
		sameBits(t, "whole", name)
	}
}

// TestR26Killed kills each of three ranks at a random moment, with -short one of them under one launcher. A rank that
// is killed ends the command, and the run goes on from its last checkpoint. One process makes the last part of the run.
func TestR26Killed(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	evals := " --evals 40000"
	if testing.Short() {
		evals = " --evals 15000"
	}
	if code, _, errs := call(t, strings.Fields(maswRun+" --name whole"+evals)...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for k, l := range shorttest.Rows(1, launchers(t)) {
		name, killed := fmt.Sprintf("killed-%d", k), 0
		line := maswRun + evals + " --checkpoint 200ms --name " + name
		for _, rank := range shorttest.Rows(1, []int{1, 0, 2}) {
			before := newestOf("runs/" + name)
			cmd, out := l.start(t, 3, nil, line)
			ended := make(chan struct{})
			go func() { cmd.Wait(); close(ended) }()
			for start := time.Now(); newestOf("runs/"+name) == before; time.Sleep(5 * time.Millisecond) {
				if time.Since(start) > 2*time.Minute {
					t.Fatalf("no checkpoint: %s", out)
				}
			}
			time.Sleep(rand.N(100 * time.Millisecond))
			pid := rankWith(t, rank, "runs/"+name, "--name "+name)
			if pid > 0 {
				syscall.Kill(pid, syscall.SIGKILL)
				killed++
			}
			<-ended
			if code := cmd.ProcessState.ExitCode(); pid > 0 {
				count.Check(code != exit.OK, "rank %d is killed: exit %d: %s", rank, code, out)
			}
			line = "resume runs/" + name
		}
		if killed == 0 {
			t.Error("the run was over before a rank could be killed")
		}
		if code, _, errs := call(t, "resume", "runs/"+name); code != exit.OK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		sameBits(t, "whole", name)
		count.Count(!t.Failed())
	}
}

// Drivers fail on both ranks. Each rank has another device, and the run has the same bits.
func TestHostsLoseDevices(t *testing.T) {
	shorttest.Out(t)
	library := buildShim(t)
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields(maswRun+" --name whole --evals 400")...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for k, l := range launchers(t) {
		for i, fault := range []string{"clEnqueueReadBuffer:90:-14", "clEnqueueNDRangeKernel:300:-5",
			"clEnqueueReadBuffer:120:0"} {
			name := fmt.Sprintf("lost-%d-%d", k, i)
			cmd, out := l.start(t, 2, []string{"LD_PRELOAD=" + library, "CLOPT_SHIM=" + fault}, maswRun, "--name", name,
				"--evals 400 --checkpoint 1ms --watchdog 3s -d 0*4")
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exit.OK ||
				!strings.Contains(out.String(), "The run goes on with the other devices") {
				t.Errorf("%s: exit %d: %s", fault, code, out)
				continue
			}
			sameBits(t, "whole", name)
		}
	}
}

// An objective that crashes on another rank than 0 ends the command with exit code 4. The message names the rank, the
// objective and the command that goes on.
func TestHostsCrash(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	text := strings.Replace(rarely, "//@ n 20", "//@ n 20000", 1)
	file(t, "later.cl", strings.Replace(text, "if (v > R(2.5)", "if (k > 15000 && v > R(2.5)", 1))
	file(t, "later.cl", strings.Replace(readText(t, "later.cl"), "STATEMENT", "__builtin_trap();", 1))
	for k, l := range launchers(t) {
		name := fmt.Sprintf("crash-%d", k)
		code, out := l.call(t, 2, "run later.cl -s random --evals 1e6 --seed 1 --checkpoint 1ns --name", name)
		if code != exit.Objective || !strings.Contains(out, "later.cl: error: an evaluation crashed on device") ||
			!strings.Contains(out, "of rank 1 on ") || !strings.Contains(out, "clopt resume runs/"+name) {
			t.Errorf("exit %d: %s", code, out)
		}
	}
}

// rankWith returns the process of a rank that executes a command with one of these texts, 0 if there is none.
func rankWith(t *testing.T, rank int, texts ...string) int {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		env := map[string]string{}
		text, _ := os.ReadFile(path)
		for _, line := range strings.Split(string(text), "\x00") {
			name, value, _ := strings.Cut(line, "=")
			env[name] = value
		}
		of := mpi.Find(func(name string) string { return env[name] })
		runs := func(text string) bool { return strings.Contains(env[rankArgs], text) }
		if of.Size > 0 && of.Rank == rank && slices.ContainsFunc(texts, runs) {
			pid := 0
			fmt.Sscanf(path, "/proc/%d/", &pid)
			return pid
		}
	}
	return 0
}

// Every command works on ranks, or is done by rank 0. What it prints is printed once.
func TestHostsCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "chain.cl", sphereText)
	for _, l := range shorttest.Rows(1, launchers(t)) {
		for _, c := range shorttest.Rows(3, []struct {
			line, want string
			code       int
		}{
			{"devices", "host  rank  #", exit.OK},
			{"version -h", "Show the version", exit.OK},
			{"bench --exchange", "3 ranks on 1 host", exit.OK},
			{"devices --json", `"ranks":[2]`, exit.OK},
			{"bench --exchange --json", `"format":"clopt-bench"`, exit.OK},
			{"run cec2013/f1 -n 5000 -s masw --dry-run", "rank  host", exit.OK},
			{"run cec2013/f1 --print-config", "cec2013/f1", exit.OK},
			{"run -h", "Usage: clopt run", exit.OK},
			{"run --help-all", "Usage: clopt run", exit.OK},
			{"help hosts", "#PBS -l select", exit.OK},
			{"version", "clopt ", exit.OK},
			{"list solvers", "masw-seq  ", exit.OK},
			{"describe masw", "population  ", exit.OK},
			{"generate maxcut:torus=12x12,seed=2 -o graph.txt --force", "graph.txt", exit.OK},
			{"convert graph.txt graph.mtx --force", "graph.mtx", exit.OK},
			{"check chain.cl -n 1000", "chain.cl: evaluation on device", exit.OK},
			{"structure chain.cl -n 1000", "components", exit.OK},
			{"completion bash", "bash completion V2", exit.OK},
			{"suite cano2016 --scale laptop --dry-run", "cano2016  100 Million", exit.OK},
			{"resume nowhere", "nowhere", exit.Usage},
			{"eval cec2013/f1 --x none.txt", "none.txt", exit.Usage},
			{"compare nowhere", "nowhere", exit.Usage},
			{"nowhere", "unknown command", exit.Usage},
		}) {
			if code, out := l.call(t, 3, c.line); code != c.code || strings.Count(out, c.want) != 1 {
				t.Errorf("%s: exit %d, want %d and %q once:\n%s", c.line, code, c.code, c.want, out)
			}
		}
	}
}

// Faults that all ranks have are said once, and those of the connection have exit code 12.
func TestHostsFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	l := launchers(t)[0]
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{maswRun + " --evals 3", "use a limit of at least 8", exit.Usage},
		{maswRun + " --frob", "unknown flag", exit.Usage},
		{maswRun + " --evals 20 --mpi-lib libnone.so", "libnone.so: cannot be loaded", exit.Host},
		{"run cec2013/f7 -s masw --precision fp32", "overflows in fp32", exit.NoDevice},
	} {
		if code, out := l.call(t, 2, c.line); code != c.code || strings.Count(out, c.want) != 1 {
			t.Errorf("%s: exit %d, want %d and %q once:\n%s", c.line, code, c.code, c.want, out)
		}
	}
}

// Points are evaluated by the devices of all ranks.
func TestHostsEval(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	file(t, "x.txt", strings.Repeat("0.5 ", 1000)+"\n"+strings.Repeat("1.5 ", 1000)+"\n")
	_, want, _ := call(t, "eval", "cec2013/f1", "--x", "x.txt")
	code, out := launchers(t)[0].call(t, 2, "eval cec2013/f1 --x x.txt")
	if lines := strings.Split(strings.TrimSpace(want), "\n"); code != exit.OK || len(lines) != 2 ||
		strings.Count(out, lines[0]) != 1 || strings.Count(out, lines[1]) != 1 {
		t.Errorf("exit %d: %s; want %s", code, out, want)
	}
}
