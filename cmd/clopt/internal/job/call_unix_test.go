//go:build unix

package job

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

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// TestSecondSignal checks that a signal which comes some time after the first one ends the process at once, and that
// one which comes together with it does not: timeout and other wrappers send each signal twice.
func TestSecondSignal(t *testing.T) {
	for _, first := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		var errs bytes.Buffer
		left := make(chan int, 1)
		c := NewCall(nil, nil, io.Discard, &errs)
		c.exit = func(code int) { left <- code }
		c.Finishes(func() string { return "working" })
		ctx, stop := c.Signals(context.Background())
		began := time.Now()
		syscall.Kill(os.Getpid(), first)
		<-ctx.Done()
		if s, ok := errors.AsType[*exit.Stopped](context.Cause(ctx)); !ok || s.Signal != first {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		// The kernel joins signals that are pending, so these are several at different times.
		for wait := time.Duration(0); time.Since(began) < soon && len(left) == 0; wait += 10 * time.Millisecond {
			syscall.Kill(os.Getpid(), first)
			time.Sleep(wait)
		}
		if len(left) > 0 {
			t.Fatalf("exit %d after %v", <-left, time.Since(began))
		}
		time.Sleep(again - time.Since(began))
		for len(left) == 0 { // the first one may have been read late
			syscall.Kill(os.Getpid(), syscall.SIGINT)
			time.Sleep(soon)
		}
		if code := <-left; code != 130 || time.Since(began) < again {
			t.Errorf("exit %d after %v", code, time.Since(began))
		}
		stop()
		if want := exit.SignalName(first) + ": working; a second signal ends at once"; strings.Count(
			errs.String(), want) != 1 {
			t.Errorf("%q", errs.String())
		}
	}
}

// TestLapse checks that a command with nothing to finish lapses soon after a signal, and that its copy of the input is
// removed.
func TestLapse(t *testing.T) {
	var errs bytes.Buffer
	c := NewCall(nil, nil, io.Discard, &errs)
	_, stop := c.Signals(context.Background())
	defer stop()
	file := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.Undo(func() { os.Remove(file) })
	select {
	case <-c.Lapsed():
		t.Error("lapsed without a signal")
	case <-time.After(2 * soon):
	}
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-c.Lapsed()
	if _, err := os.Stat(file); err == nil || errs.Len() > 0 {
		t.Errorf("the file is there: %v, and errors say %q", err == nil, &errs)
	}
}
