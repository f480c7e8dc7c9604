//go:build unix

package main

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/test/battery"
)

// TestR24TwoInOneFolder resumes one run in two processes at once. One of them goes on, or both do one after the other,
// and the run has the bits that it has alone. The other says which process uses the folder.
func TestR24TwoInOneFolder(t *testing.T) {
	count, pairs := battery.Begin(t), 20
	if testing.Short() {
		pairs = 2
	}
	t.Chdir(t.TempDir())
	begin := strings.Fields("run cec2013/f2 -s masw --set population=8 --set iterations=20 --seed 4 -q --evals")
	for name, evals := range map[string]string{"whole": "1200", "part": "800"} {
		if code, _, errs := call(t, append(begin, evals, "--name", name)...); code != 0 {
			t.Fatalf("exit %d\n%s", code, errs)
		}
	}
	for k := range pairs {
		os.RemoveAll("both")
		copyTree(t, "runs/part", "both")
		var texts [2]*bytes.Buffer
		var ends [2]func() int
		for i := range ends {
			cmd, errs := startChild(t, "resume", "both", "--evals", "1200", "-q")
			texts[i], ends[i] = errs, func() int { cmd.Wait(); return cmd.ProcessState.ExitCode() }
			time.Sleep(time.Duration(k*i) * 5 * time.Millisecond)
		}
		went := 0
		for i, end := range ends {
			code := end()
			if code == 0 {
				went++
			} else if code != exit.Usage || !strings.Contains(texts[i].String(), "in use by ") {
				t.Errorf("exit %d\n%s", code, texts[i])
			}
		}
		sameRun(t, "resumed by two", "runs/whole", "both")
		count.Check(went > 0 && !t.Failed(), "pair %d: %d of 2 went on", k, went)
	}
}

// TestR21Stopped stops a process for longer than its devices may be silent, and lets it go on. The clock of the process
// then seems to jump. No device is lost, and times do not go back.
func TestR21Stopped(t *testing.T) {
	count, stops := battery.Begin(t), 10
	if testing.Short() {
		stops = 2
	}
	t.Chdir(t.TempDir())
	cmd, errs := startChild(t, strings.Fields("run cec2013/f1 -s random --time 10m --seed 1 --name a -q "+
		"--checkpoint 100ms --watchdog 1s")...)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	await := func() {
		before := newestOf("runs/a")
		for k := 0; k < 6000 && newestOf("runs/a") == before; k++ {
			time.Sleep(5 * time.Millisecond)
		}
	}
	await()
	for k := range stops {
		cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(2500 * time.Millisecond)
		cmd.Process.Signal(syscall.SIGCONT)
		before := newestOf("runs/a")
		await()
		count.Check(newestOf("runs/a") != before, "no checkpoint after stop %d", k)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	<-done
	last, lost := map[any]float64{}, false // times, by the type of a line
	all := lines(t, readText(t, "runs/a/trace.jsonl"))
	for _, m := range all {
		if at, ok := m["t"].(float64); ok {
			count.Check(at >= last[m["type"]], "time %v after %v", at, last[m["type"]])
			last[m["type"]] = at
		}
		lost = lost || m["event"] == "lost"
	}
	count.Check(!lost && cmd.ProcessState.ExitCode() == exit.Terminated, "%v, lost %v\n%s", cmd.ProcessState, lost,
		errs)
}
