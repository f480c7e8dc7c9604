//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/solvers/runs"
)

// TestSignals checks that the first signal ends a run with a result, also if it is sent twice, as timeout does.
func TestSignals(t *testing.T) {
	t.Chdir(t.TempDir())
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129,
		syscall.SIGXCPU: 152} {
		name := exit.SignalName(sig)
		go func() {
			// Not before there is something to store.
			for range 300 {
				if b, err := os.ReadFile(filepath.Join("runs", name, "trace.jsonl")); err == nil &&
					bytes.Contains(b, []byte(`"sample"`)) {
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), sig)
			time.Sleep(time.Millisecond) // two signals that are pending are joined
			syscall.Kill(os.Getpid(), sig)
		}()
		code, out, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "10m",
			"--name", name)
		if code != want || !strings.Contains(out, "stopped by "+name) {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
			continue
		}
		r := readResult(t, "runs/"+name)
		if r.ExitCode != want || r.Stop.Reason != "cancelled" || !r.Best.Confirmed || r.Best.XFile == nil {
			t.Errorf("%s: %+v", name, r)
		}
		all := lines(t, readText(t, "runs", name, "trace.jsonl"))
		if end := all[len(all)-1]; end["exit_code"] != float64(want) {
			t.Errorf("%s: %v", name, end)
		}
	}
}

// TestSignalWhileReading checks that a signal ends the wait for standard input and that no copy of the input is left.
func TestSignalWhileReading(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in, typing := io.Pipe()
	defer typing.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		typing.Write([]byte("1 2 3\n")) // returns once it is read
		cancel(&exit.Stopped{Signal: syscall.SIGINT})
	}()
	var out, errs bytes.Buffer
	done := make(chan int)
	go func() { done <- run(ctx, []string{"eval", "cec2013/f1", "--x", "-"}, in, &out, &errs) }()
	select {
	case code := <-done:
		if code != 130 || out.Len() > 0 || !strings.Contains(errs.String(), "stopped by SIGINT") {
			t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
		}
	case <-time.After(10 * time.Second):
		t.Error("still waiting for input")
	}
	if left, _ := filepath.Glob(os.TempDir() + "/*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestSignalsAfterBuild checks that a run which has compiled its kernels still obeys SIGUSR1, which asks for a
// checkpoint, and SIGQUIT, which shows where the program is. The compiler in a driver catches both.
func TestSignalsAfterBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	cmd, errs := startChild(t, strings.Fields("run cec2013/f2 -s random --time 5m --checkpoint off --name a -q "+
		"--no-selftest")...)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	await := func(what string, ok func() bool) {
		t.Helper()
		for began := time.Now(); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 2*time.Minute {
				cmd.Process.Kill()
				<-done
				t.Fatalf("%s\n%s", what, errs)
			}
		}
	}
	await("no sample", func() bool {
		b, err := os.ReadFile("runs/a/trace.jsonl")
		return err == nil && bytes.Contains(b, []byte(`"sample"`))
	})
	cmd.Process.Signal(syscall.SIGUSR1)
	await("no checkpoint", func() bool { return newestOf("runs/a") != "" })
	cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-done:
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		<-done
		t.Fatal("SIGQUIT does not end the process")
	}
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(errs.String(), "goroutine ") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestSignalsWhileBuilding checks that a signal to all processes of a command, such as a Ctrl-C of a terminal, does not
// end the linker that PoCL runs for each kernel: PoCL then ends the whole process.
func TestSignalsWhileBuilding(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	cmd, errs := childCommand(strings.Fields("run cec2013/f1 -s random --evals 1000 --name a")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for began := time.Now(); ; {
		select {
		case <-done:
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("exit %d\n%s", code, errs)
			}
			return
		case <-time.After(10 * time.Millisecond):
			if _, err := os.Stat("runs/a"); err == nil { // SIGUSR1 is ignored or caught from before on
				syscall.Kill(-cmd.Process.Pid, syscall.SIGUSR1)
			}
		}
		if time.Since(began) > 2*time.Minute {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
			t.Fatalf("the run does not end\n%s", errs)
		}
	}
}

// TestInterruptedBuild checks that a run which is stopped while its kernels are compiled does not compile the others.
func TestInterruptedBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	cmd, errs := startChild(t, strings.Fields("run cec2013/f9 -s lbfgs --time 5m --name a")...)
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(time.Millisecond) {
		if _, err := os.Stat("runs/a"); err == nil {
			break
		}
	}
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || strings.Contains(errs.String(), "clock starts") ||
		!strings.Contains(errs.String(), "error: stopped by SIGINT") || runs.Exists("runs") {
		t.Errorf("exit %d, and the folder is there: %v\n%s", code, runs.Exists("runs"), errs)
	}
}

// TestStoppedInBuild checks that a new run which has nothing to store does not wait for a driver that compiles, and
// that one which has made steps says that it waits.
func TestStoppedInBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, status := range []string{"line", "json"} {
		compiled := make(chan struct{})
		end := cl.Inject(func(c cl.Call) cl.Fault {
			if c.Function != "clBuildProgram" || !runs.Exists(status) {
				return cl.Fault{}
			}
			time.Sleep(300 * time.Millisecond) // the status line is drawn
			syscall.Kill(os.Getpid(), syscall.SIGINT)
			return cl.Fault{Hang: compiled}
		})
		code, _, errs := call(t, "run", "cec2013/f1", "-s", "random", "--time", "5m", "-o", status, "--status", status)
		if code != 130 || runs.Exists(status) {
			t.Errorf("exit %d, and the folder is there: %v\n%s", code, runs.Exists(status), errs)
		}
		if status == "json" {
			all := lines(t, errs)
			if last := all[len(all)-1]; last["event"] != "error" || last["detail"] != "stopped by SIGINT" {
				t.Error(errs)
			}
		} else if !strings.Contains(errs, "building kernels") ||
			!strings.HasSuffix(errs, "\r\x1b[Jclopt: error: stopped by SIGINT\n") {
			t.Errorf("%q", errs)
		}
		close(compiled)
		end()
	}

	var once sync.Once
	defer cl.Inject(func(c cl.Call) cl.Fault {
		if text, _ := os.ReadFile("runs/old/trace.jsonl"); !c.Device.Waiting().Builds ||
			!bytes.Contains(text, []byte(`"layout"`)) {
			return cl.Fault{}
		}
		once.Do(func() {
			syscall.Kill(os.Getpid(), syscall.SIGINT)
			time.Sleep(time.Second)
		})
		return cl.Fault{}
	})()
	code, out, errs := call(t, "run", "cec2013/f1", "-s", "random", "--time", "5m", "--name", "old")
	if want := "stopped by SIGINT: waiting until the driver has compiled a kernel; a second signal ends at " +
		"once"; code != 130 || !strings.Contains(errs, want) || !strings.Contains(out, "confirmed by the host") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestLapse checks that a command which has nothing to store does not wait for a driver after a signal.
func TestLapse(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "x.txt", "1 2 3\n")
	compiled := make(chan struct{})
	end := cl.Inject(func(c cl.Call) cl.Fault {
		if c.Function != "clBuildProgram" {
			return cl.Fault{}
		}
		if c.Number == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGINT)
		}
		return cl.Fault{Hang: compiled}
	})
	code, out, errs := call(t, "eval", "rastrigin", "--x", "x.txt", "--json")
	if code != 130 || errs != "clopt: error: stopped by SIGINT\n" ||
		out != `{"error":"stopped by SIGINT","exit_code":130}`+"\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	close(compiled)
	end()
}

// TestStoppedWriting checks that a signal ends the writing of a file, which is then not there.
func TestStoppedWriting(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancelCause(t.Context())
	var files newFiles
	files.add("a.txt", func(w io.Writer) error {
		for range 10 {
			if _, err := io.WriteString(w, "text"); err != nil {
				return err
			}
			cancel(&exit.Stopped{Signal: syscall.SIGTERM})
		}
		return nil
	})
	files.add("b.txt.gz", content([]byte("text")))
	err := files.write(ctx, job.NewCall(nil, nil, io.Discard, io.Discard), false)
	if left, _ := os.ReadDir("."); exit.Code(err) != exit.Terminated || len(left) > 0 {
		t.Errorf("%v, and %v are left", err, left)
	}
}

// TestStoppedAndResumed checks that a signal leaves a checkpoint and a result from which the run continues, and that
// SIGUSR1 only writes a checkpoint.
func TestStoppedAndResumed(t *testing.T) {
	t.Chdir(t.TempDir())
	args := strings.Fields("run cec2013/f2 -s masw --set population=8 --set iterations=40 --evals 40k --seed 4 -q")
	if code, _, errs := call(t, append(args, "--name", "whole")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	go func() {
		for range 300 {
			if b, err := os.ReadFile("runs/cut/trace.jsonl"); err == nil && bytes.Count(b, []byte(`"sample"`)) > 40 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		for range 300 {
			if newestOf("runs/cut") != "" {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
	code, out, errs := call(t, append(args, "--name", "cut")...)
	if code != exit.Terminated || !strings.Contains(out, "clopt resume runs/cut") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if n := newestOf("runs/cut"); n != "000002" {
		t.Errorf("newest checkpoint %q; one was asked for, one is of the stop", n)
	}
	if r := readResult(t, "runs/cut"); r.Stop.Reason != "cancelled" {
		t.Errorf("%+v", r.Stop)
	}
	// A limit that is used up does not change what is stored.
	stored := readText(t, "runs/cut/result.json")
	if code, _, errs := call(t, "resume", "runs/cut", "--time", "1ns"); code != exit.Usage ||
		!strings.Contains(errs, "the run has used") || readText(t, "runs/cut/result.json") != stored {
		t.Errorf("exit %d\n%s", code, errs)
	}
	// Moved, and continued elsewhere.
	if err := os.Rename("runs/cut", "moved"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CLOPT_SEED", "77") // no affair of a resumed run
	if code, _, errs := call(t, "resume", "moved", "-d", "0*2", "--status", "json"); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	} else if all := lines(t, errs); all[0]["type"] != "start" || all[len(all)-1]["type"] != "end" {
		t.Errorf("from %v to %v", all[0], all[len(all)-1])
	}
	sameRun(t, "stopped", "runs/whole", "moved")
	// A finished run is shown again, and goes on with a larger limit.
	if code, out, errs := call(t, "resume", "moved"); code != 0 || !strings.Contains(errs, "is finished") ||
		!strings.Contains(out, "  best  ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, dir := range []string{"runs/whole", "moved"} {
		if code, _, errs := call(t, "resume", dir, "--evals", "41k", "-q"); code != 0 {
			t.Errorf("exit %d\n%s", code, errs)
		}
	}
	if code, _, errs := call(t, append(slices.Replace(slices.Clone(args), 9, 10, "41k"), "--name",
		"longer")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	sameRun(t, "a larger limit", "runs/longer", "moved")
	sameRun(t, "a larger limit", "runs/longer", "runs/whole")
	if text := readText(t, "moved/run.toml"); !strings.Contains(text, `evals = "41000"`) {
		t.Error(text)
	}
}

// TestIgnoredSignal checks that a run which begins with SIGHUP ignored, as nohup does it, goes on after a hang-up.
func TestIgnoredSignal(t *testing.T) {
	t.Chdir(t.TempDir())
	cmd, errs := childCommand(strings.Fields("run cec2013/f2 -s random --time 5m --name a -q --no-selftest")...)
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, cmd.Args...)
	cmd.Path = "/bin/sh"
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for range 3000 {
		if b, err := os.ReadFile("runs/a/trace.jsonl"); err == nil && bytes.Contains(b, []byte(`"sample"`)) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGHUP)
	select {
	case <-done:
		t.Fatalf("the run has ended with exit %d\n%s", cmd.ProcessState.ExitCode(), errs)
	case <-time.After(time.Second):
	}
	cmd.Process.Signal(syscall.SIGTERM)
	<-done
	if code := cmd.ProcessState.ExitCode(); code != exit.Terminated || readResult(t, "runs/a").ExitCode != code {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
