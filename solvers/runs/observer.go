package runs

import (
	"fmt"
	"io"
	"time"

	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// Level is the importance of a message.
type Level int

const (
	Logged   Level = iota // only for the log
	Detail                // shown if details were asked for
	Progress              // shown unless quiet was asked for
	Note                  // always shown
	Warning               // something went wrong, and the run goes on
	Failure               // for the log and for programs; the error that follows has the same text
)

// Observer receives messages and samples of a run while it goes on. One goroutine at a time calls its methods.
type Observer interface {
	// Log sets the writer that receives all messages from now on; nil means none.
	Log(w io.Writer)
	// Say receives a message.
	Say(level Level, text string)
	// Line receives a line of the trace: a record.StartLine, SampleLine, EventLine or EndLine.
	Line(line any)
	// Begin is called when the files of a run are open, before its kernels are built.
	Begin(b Beginning)
	// Sample receives every sample of the run.
	Sample(s solvers.Sample)
	// Closing is called after the last step, before the best point is read, confirmed and stored.
	Closing()
	// End is called after the last sample.
	End()
}

// say formats a message.
func say(o Observer, level Level, format string, args ...any) {
	o.Say(level, fmt.Sprintf(format, args...))
}

// Beginning describes a run to its Observer.
type Beginning struct {
	Folder    string
	Sign      float64  // factor of shown values: -1 if the problem is a maximization, otherwise 1
	BestKnown *float64 // in the sense of minimization; nil: no value is known
	Method    solvers.Solver
	Budget    solvers.Budget
	Devices   []record.Device // with their planned shares; the event "layout" has the final ones
	Before    time.Duration   // of the start-up that has passed
	Stages    *stages.Log     // of the start; nil: it is not measured
	From      *solvers.Sample // last sample of the checkpoint from which the run is resumed; nil: a new run
}

// logger is the Observer of runs that have none. It writes messages to the log.
type logger struct{ w io.Writer }

func (l *logger) Log(w io.Writer) { l.w = w }

func (l *logger) Say(_ Level, text string) {
	if l.w != nil {
		fmt.Fprintln(l.w, text)
	}
}

func (*logger) Line(any)              {}
func (*logger) Begin(Beginning)       {}
func (*logger) Sample(solvers.Sample) {}
func (*logger) Closing()              {}
func (*logger) End()                  {}
