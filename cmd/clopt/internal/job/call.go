package job

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/shard/mpi"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// Call is one call of clopt: its arguments, streams and exit code.
type Call struct {
	Stdin  io.Reader
	Stdout *status.Output
	Stderr *status.Output
	Getenv func(string) string
	Args   []string
	Stages *stages.Log                    // of the call, or of the cell of a campaign; start-up counts from its begin
	exit   func(int)                      // ends the process, on a second signal
	Disk   func(disk.Disk) disk.Disk      // wraps the Disk of run folders, as Run.Disk
	show   atomic.Pointer[status.Display] // nil until Display is called
	Code   int                            // exit code if there is no error
	Stored bool                           // what stdout shows is in a folder, so its errors do not matter
	usr1   atomic.Bool                    // SIGUSR1 has asked for a checkpoint
	Ranks  *Ranks                         // other processes of the command; nil: none, or not before Join
	alone  bool                           // Join has found no other processes
	catch  func()                         // lets Signals work after a library has installed handlers of its own
	notes  *status.Output                 // standard error for Signals, until there is a display
	mute   atomic.Bool                    // this is another rank than 0, so Signals says nothing
	ending atomic.Pointer[func() string]  // see Finishes; nil: the command has nothing to finish
	lapsed chan struct{}                  // see Lapsed
	undo   atomic.Pointer[func()]         // see Undo; nil: there is nothing to remove
}

// NewCall returns a call of clopt with the given arguments.
func NewCall(args []string, stdin io.Reader, stdout, stderr io.Writer) *Call {
	getenv := os.Getenv
	if mpi.Find(os.Getenv) != (mpi.Launch{}) { // Open MPI gives ranks a terminal, and passes on what they write there
		getenv = func(name string) string {
			if name == "TERM" {
				return "dumb"
			}
			return os.Getenv(name)
		}
	}
	return &Call{Stages: stages.Begin(stages.Read), Args: args, Stdin: stdin, Stdout: status.NewOutput(stdout, getenv),
		Stderr: status.NewOutput(stderr, getenv), notes: status.NewOutput(stderr, getenv), Getenv: os.Getenv,
		exit: os.Exit, lapsed: make(chan struct{})}
}

// ignored are the stop signals that were ignored when the process began, as nohup lets SIGHUP be, and a shell SIGINT of
// a command in the background. They stay ignored.
var ignored = map[os.Signal]bool{}

// IgnoreSignals ignores two signals that would end the process, and notes which stop signals are ignored already.
func IgnoreSignals() {
	for _, s := range stopSignals {
		ignored[s] = signal.Ignored(s)
	}
	// A run whose output pipe is closed can still store its result. Its writes then fail with EPIPE, which is ignored.
	signal.Ignore(syscall.SIGPIPE)
	// Batch systems send this signal to ask for a checkpoint, perhaps before the run has begun.
	signal.Ignore(checkpointSignal)
}

const (
	// again is the time after the first signal from which on another one ends the process. One signal often comes
	// twice: timeout sends it to its child and then to the whole process group, a terminal sends it to the group while
	// a wrapper such as npm passes it on, and parallel sends SIGTERM three times in 0.3 s. Nobody reads what clopt
	// waits for, and decides against it, in half a second.
	again = 500 * time.Millisecond
	// soon is the time after the first signal in which a command can end, before it lapses or says what it does.
	soon = 100 * time.Millisecond
)

// Finishes says that the command has to come to its own end after a signal, and what it does until then.
func (c *Call) Finishes(doing func() string) { c.ending.Store(&doing) }

// Undo sets what removes the files that the command has made so far, if a signal ends it before it does so itself. nil:
// they are to stay.
func (c *Call) Undo(remove func()) {
	if remove == nil {
		c.undo.Store(nil)
		return
	}
	c.undo.Store(&remove)
}

// Lapsed returns a channel that is closed if a signal has come, and the command has nothing to finish, but goes on: it
// reads or computes for long, or waits for a driver.
func (c *Call) Lapsed() <-chan struct{} { return c.lapsed }

// Lapse ends what the command shows, as Display.Finish does, and returns the error of a command that has lapsed.
func (c *Call) Lapse(err error) error {
	show := c.show.Load()
	if show == nil {
		return err
	}
	show.Leave()
	return show.Finish(err)
}

// Signals returns a context that the first one of the stop signals cancels. The command then ends soon, unless it has
// to finish something. A later signal ends the process at once and does not wait for devices, since a kernel that hangs
// never returns.
func (c *Call) Signals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 2)
	done := make(chan struct{})
	c.catch = func() { catch(ch) }
	c.catch()
	cl.AfterBuild(c.catch)
	go c.obey(ch, done, cancel)
	return ctx, func() {
		cl.AfterBuild(nil)
		signal.Stop(ch)
		signal.Ignore(checkpointSignal) // the default action ends the process
		close(done)
		cancel(nil)
	}
}

// obey does what Signals says with the signals from ch, until done is closed.
func (c *Call) obey(ch <-chan os.Signal, done <-chan struct{}, cancel context.CancelCauseFunc) {
	var stopped *exit.Stopped // by the first signal; nil: not yet
	var first time.Time
	var late <-chan time.Time
	for {
		select {
		case <-done:
			return
		case <-late:
			if doing := c.ending.Load(); doing == nil {
				c.leave()
				close(c.lapsed)
			} else if !c.mute.Load() {
				c.say(fmt.Sprintf("%v: %s; a second signal ends at once", stopped, (*doing)()))
			}
		case s := <-ch:
			sig := s.(syscall.Signal)
			switch {
			case sig == checkpointSignal:
				c.usr1.Store(true)
			case stopped == nil:
				stopped = &exit.Stopped{Signal: sig}
				first = time.Now()
				late = time.After(soon)
				cancel(stopped)
			case time.Since(first) >= again && !repeats(sig):
				c.show.Load().Leave()
				c.leave()
				c.exit(128 + int(sig))
				return
			}
		}
	}
}

// leave undoes what the command has done, as Undo says.
func (c *Call) leave() {
	if remove := c.undo.Load(); remove != nil {
		(*remove)()
	}
}

// say shows a line in the goroutine of Signals.
func (c *Call) say(text string) {
	if show := c.show.Load(); show != nil {
		show.Notef("%s", text)
	} else {
		c.notes.Show(text)
	}
}

// catch sends the signals of a run to ch, and lets SIGQUIT end the process with the stacks of all goroutines. It also
// works after a library has installed handlers of its own, as LLVM does, and MPICH for SIGUSR1, whose handler would
// overwrite the stacks of goroutines: a signal that was ignored gets the handler of the Go runtime again.
func catch(ch chan os.Signal) {
	for _, s := range append([]os.Signal{checkpointSignal}, stopSignals...) {
		if signal.Ignore(s); !ignored[s] {
			signal.Notify(ch, s)
		}
	}
	quit := make(chan os.Signal, 1)
	signal.Ignore(syscall.SIGQUIT)
	signal.Notify(quit, syscall.SIGQUIT)
	signal.Stop(quit)
}

// checkpointAsked reports whether SIGUSR1 came since the last call.
func (c *Call) checkpointAsked() bool { return c.usr1.CompareAndSwap(true, false) }

// Display makes the display of the call.
func (c *Call) Display(s *flags.Settings) *status.Display {
	if s.NoColour {
		c.Stdout.Colour, c.Stderr.Colour = false, false
	}
	d := status.NewDisplay(c.Stderr, s.Status, s.Quiet, s.Verbose)
	c.show.Store(d)
	if d.Mode == "json" && c.Stderr.W == os.Stderr {
		if stderr, end, err := divert(d.Printed); err == nil {
			c.Stderr.W, d.Ended = stderr, end
		}
	}
	return d
}

// line returns the command line, quoted for a shell.
func (c *Call) line() string {
	words := []string{"clopt"}
	for _, arg := range c.Args {
		words = append(words, flags.ShellQuote(arg))
	}
	return strings.Join(words, " ")
}
