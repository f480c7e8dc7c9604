//go:build unix

package job

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// TestSecondSignal checks that a second signal ends the process at once.
func TestSecondSignal(t *testing.T) {
	left := make(chan int, 1)
	c := &Call{exit: func(code int) { left <- code }}
	ctx, stop := c.Signals(context.Background())
	defer stop()
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	if s, ok := errors.AsType[*exit.Stopped](context.Cause(ctx)); !ok || s.Signal != syscall.SIGTERM {
		t.Errorf("cause %v", context.Cause(ctx))
	}
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	if code := <-left; code != 130 {
		t.Errorf("exit %d", code)
	}
}
