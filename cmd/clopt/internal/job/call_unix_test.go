//go:build unix

package job

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
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
		ctx, stop := c.Signals(context.Background())
		began := time.Now()
		syscall.Kill(os.Getpid(), first)
		<-ctx.Done()
		if s, ok := errors.AsType[*exit.Stopped](context.Cause(ctx)); !ok || s.Signal != first {
			t.Errorf("cause %v", context.Cause(ctx))
		}
		// The kernel joins signals that are pending, so these are several at different times.
		for wait := time.Duration(0); time.Since(began) < again-2*soon && len(left) == 0; wait += 10 * time.Millisecond {
			syscall.Kill(os.Getpid(), first)
			time.Sleep(wait)
		}
		if len(left) > 0 {
			t.Fatalf("exit %d after %v", <-left, time.Since(began))
		}
		time.Sleep(again - time.Since(began))
		syscall.Kill(os.Getpid(), syscall.SIGINT)
		if code := <-left; code != 130 {
			t.Errorf("exit %d", code)
		}
		stop()
		if want := exit.SignalName(first) + ": waiting for the driver; a second signal ends at once"; strings.Count(
			errs.String(), want) != 1 {
			t.Errorf("%q", errs.String())
		}
	}
}
