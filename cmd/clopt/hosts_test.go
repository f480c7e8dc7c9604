//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
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
	for name, args := range map[string][]string{
		"mpirun.openmpi": {"--allow-run-as-root", "--oversubscribe"}, "mpirun.mpich": nil,
	} {
		if path, err := exec.LookPath(name); err == nil {
			all = append(all, launcher{path, args})
		}
	}
	if all == nil {
		t.Skip("no MPI is installed: apt-get install openmpi-bin mpich")
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

const (
	maswRun   = "run cec2013/f12:mode=paper -n 7000 -s masw --set population=8 --set iterations=5 --seed 1 --out runs"
	sweepsRun = "run cec2013/f12:mode=paper -n 3000 -s sa --set variant=sweeps --seed 1 --out runs --evals 60000"
	relayRun  = "run cec2013/f12:mode=paper -n 3000 -s relay --seed 1 --out runs --evals 200"
	chainsRun = "run classic/griewank:n=40 -s sa --set T0=5 --set Tmin=0.5 --set rho=0.8 --set N=3 --set chains=600 " +
		"--seed 1 --out runs"
	mixingRun = "run maxcut:torus=12x12,seed=2 -s gomea --set base=4 --seed 1 --out runs --evals 6000"
	fileRun   = "run chain.cl -n 5001 -s masw --set population=8 --seed 1 --out runs --evals 200"
)

// Runs on several ranks have the bits of one process.
func TestHosts(t *testing.T) {
	chain, err := os.ReadFile("../../test/testdata/chain.cl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for k, l := range shorttest.Rows(1, launchers(t)) {
		for i, line := range shorttest.Rows(2, []string{
			maswRun + " --evals 208", fileRun, sweepsRun, relayRun, chainsRun, mixingRun,
		}) {
			file(t, "chain.cl", string(chain))
			one, several := fmt.Sprintf("one-%d-%d", k, i), fmt.Sprintf("several-%d-%d", k, i)
			if code, _, errs := call(t, strings.Fields(line+" --name "+one)...); code != exit.OK {
				t.Fatalf("exit %d: %s", code, errs)
			}
			ranks := 2 + (i+k)%2
			if code, out := l.call(t, ranks, line, "--name", several); code != exit.OK {
				t.Errorf("%s on %d ranks: exit %d: %s", line, ranks, code, out)
				continue
			}
			sameBits(t, one, several)
		}
	}
}

// A run on three ranks goes on in one process, and the other way round.
func TestHostsResume(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	l := launchers(t)[0]
	if code, _, errs := call(t, strings.Fields(maswRun+" --name whole --evals 400")...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if code, out := l.call(t, 3, maswRun, "--name there --evals 208"); code != exit.OK {
		t.Fatalf("exit %d: %s", code, out)
	}
	if code, _, errs := call(t, "resume", "runs/there", "--evals", "400"); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	sameBits(t, "whole", "there")
	if code, _, errs := call(t, strings.Fields(maswRun+" --name back --evals 208")...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if code, out := l.call(t, 2, "resume runs/back --evals 400"); code != exit.OK {
		t.Fatalf("exit %d: %s", code, out)
	}
	sameBits(t, "whole", "back")
}

// A rank that is killed ends the command, and the run goes on from its last checkpoint.
func TestHostsKilled(t *testing.T) {
	shorttest.Out(t)
	t.Chdir(t.TempDir())
	if code, _, errs := call(t, strings.Fields(maswRun+" --name whole --evals 20000")...); code != exit.OK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for k, l := range launchers(t) {
		name := fmt.Sprintf("killed-%d", k)
		cmd, out := l.start(t, 2, nil, maswRun, "--name", name, "--evals 20000 --checkpoint 1s")
		var pid int
		for end := time.Now().Add(2 * time.Minute); newestOf("runs/"+name) == ""; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("no checkpoint: %s", out)
			}
		}
		if pid = lastRank(t, "--name "+name); pid == 0 {
			t.Skip("the run was over before a rank could be killed")
		}
		syscall.Kill(pid, syscall.SIGKILL)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code == exit.OK {
			t.Errorf("exit %d: %s", code, out)
		}
		if code, _, errs := call(t, "resume", "runs/"+name); code != exit.OK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		sameBits(t, "whole", name)
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

// lastRank returns the process of the highest rank that executes a command with this text, 0 if there is none.
func lastRank(t *testing.T, text string) (pid int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		env, _ := os.ReadFile(path)
		if !bytes.Contains(env, []byte(text)) ||
			!bytes.Contains(env, []byte("_RANK=1\x00")) && !bytes.HasSuffix(env, []byte("_RANK=1")) {
			continue
		}
		fmt.Sscanf(path, "/proc/%d/", &pid)
	}
	return pid
}

// Faults that all ranks have are said once, and those of the connection have exit code 12.
func TestHostsFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	l := launchers(t)[0]
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{maswRun + " --evals 3", "below one step", exit.Usage},
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
