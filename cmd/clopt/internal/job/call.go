package job

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/solvers/runs"
)

// Call is one call of the command: its streams and what its commands share.
type Call struct {
	Stdin  io.Reader
	Stdout *status.Output
	Stderr io.Writer
	Getenv func(string) string
	Args   []string
	exit   func(int)                            // leaves at once, on a second signal
	Create func(path string) (runs.File, error) // of checkpoints, as Run.Create
	show   atomic.Pointer[status.Display]       // nil before there is one
	Code   int                                  // exit code of a command that ended without an error
	Stored bool                                 // the result is in a folder, so stdout may have failed
	usr1   atomic.Bool                          // SIGUSR1 came: a checkpoint is wanted
}

// NewCall is a call with the given words after the command's name.
func NewCall(args []string, stdin io.Reader, stdout, stderr io.Writer) *Call {
	return &Call{Args: args, Stdin: stdin, Stdout: &status.Output{W: stdout}, Stderr: &status.Output{W: stderr},
		Getenv: os.Getenv, exit: os.Exit}
}

// IgnoreSignals keeps two signals from ending the process.
func IgnoreSignals() {
	// A closed pipe must not end a run whose result can still be stored:
	// writes then fail with EPIPE, which is ignored.
	signal.Ignore(syscall.SIGPIPE)
	// Batch systems send it to ask for a checkpoint; until a run can give one
	// the default action would end it.
	signal.Ignore(checkpointSignal)
}

// Signals returns a context that the first SIGINT, SIGTERM or SIGHUP cancels;
// the second one leaves at once, without waiting for a device: a hung kernel
// never returns.
func (c *Call) Signals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, checkpointSignal)
	go func() {
		for {
			select {
			case <-done:
				return
			case s := <-ch:
				sig := s.(syscall.Signal)
				if sig == checkpointSignal {
					c.usr1.Store(true)
					continue
				}
				if ctx.Err() != nil {
					c.show.Load().Leave()
					c.exit(128 + int(sig))
					return
				}
				cancel(&exit.Stopped{Signal: sig})
			}
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		signal.Ignore(checkpointSignal) // its default would end the process
		close(done)
		cancel(nil)
	}
}

// checkpointAsked says whether SIGUSR1 came since it was called last.
func (c *Call) checkpointAsked() bool { return c.usr1.CompareAndSwap(true, false) }

// Display makes the display of the call for the settings of a run.
func (c *Call) Display(s *flags.Settings) *status.Display {
	d := status.NewDisplay(c.Stderr, s.Status, s.Quiet, s.Verbose, c.Getenv)
	c.show.Store(d)
	return d
}

// line is the command line, as a person would write it.
func (c *Call) line() string {
	words := []string{"clopt"}
	for _, arg := range c.Args {
		words = append(words, flags.ShellQuote(arg))
	}
	return strings.Join(words, " ")
}
