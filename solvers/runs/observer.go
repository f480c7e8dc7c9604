package runs

import (
	"fmt"
	"io"

	"github.com/clopt/clopt/solvers"
)

// Level says how much a sentence matters.
type Level int

const (
	Logged   Level = iota // for the log alone
	Detail                // shown to a person who asked for details
	Progress              // shown unless a person asked for quiet
	Note                  // always shown
	Warning               // something went wrong, and the run goes on
	Failure               // for the log and for programs: a person reads it in the error that follows
)

// Observer is told what a run does while it does it, to show it. Its methods are called by one goroutine at a time.
type Observer interface {
	// Log makes w keep all that is said from now on; nil: nothing keeps it.
	Log(w io.Writer)
	// Say takes a sentence for a person.
	Say(level Level, text string)
	// Line takes a line of the trace: a startLine, sampleLine, eventLine or endLine.
	Line(line any)
	// Begin comes when the files of a run are open, before its kernels are built.
	Begin(b Beginning)
	// Sample takes every sample of the run.
	Sample(s solvers.Sample)
	// End comes after the last sample.
	End()
}

func say(o Observer, level Level, format string, args ...any) {
	o.Say(level, fmt.Sprintf(format, args...))
}

// Beginning is what an Observer may want to know of a run.
type Beginning struct {
	Sign    float64 // values that a person sees are multiplied by it: -1 for a problem stated as a maximization
	Budget  solvers.Budget
	Devices []Device        // as planned; the event "layout" has them as they are
	From    *solvers.Sample // of the checkpoint from which the run goes on; nil: it starts
}

// logger is the Observer of runs without one: what is said goes into the log.
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
func (*logger) End()                  {}
