package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: the first signal ends the run with its result.
func TestSignals(t *testing.T) {
	t.Chdir(t.TempDir())
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		name := signalName(sig)
		go func() {
			// Not before there is something to store.
			for range 300 {
				if b, err := os.ReadFile(filepath.Join("runs", name, "trace.jsonl")); err == nil && bytes.Contains(b, []byte(`"sample"`)) {
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), sig)
		}()
		code, out, errs := call(t, "run", "cec2013/f2", "--time", "10m", "--name", name)
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

// TestSignalWhileReading: a signal ends the wait for standard input, and no
// copy of it stays.
func TestSignalWhileReading(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in, typing := io.Pipe()
	defer typing.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		typing.Write([]byte("1 2 3\n")) // returns once it is read
		cancel(&stopped{syscall.SIGINT})
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

// TestSecondSignal: the second signal leaves at once.
func TestSecondSignal(t *testing.T) {
	left := make(chan int, 1)
	a := &app{exit: func(code int) { left <- code }}
	ctx, stop := a.signals(context.Background())
	defer stop()
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	if s, ok := errors.AsType[*stopped](context.Cause(ctx)); !ok || s.sig != syscall.SIGTERM {
		t.Errorf("cause %v", context.Cause(ctx))
	}
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	if code := <-left; code != 130 {
		t.Errorf("exit %d", code)
	}
}
