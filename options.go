package clopt

import (
	"math"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// Precision is the format of variables and of component arithmetic on devices: FP64 or FP32.
type Precision = problems.Precision

// The precisions. Sums are float64, or pairs of float32, in both.
const (
	FP64 = problems.FP64
	FP32 = problems.FP32
)

// Sample is the state of a run after a step. Its values are negated if the objective is maximized.
type Sample = solvers.Sample

// Options are the options of Minimize. Without Time, Evals and Target, and with a method that does not end by itself, a
// run goes on until its context ends. Minimize refuses numbers that mean nothing, such as a negative Time, with a
// *solvers.SettingError that names the field.
type Options struct {
	Time   time.Duration // limit of time, from the first step on; 0: none
	Evals  int64         // limit of evaluations, each the work of one whole point; 0: none
	Moves  int64         // limit of moves, for methods that have one, such as sa; 0: none
	Target *float64      // a value at which to stop; nil: that of the objective ("//@ target"), if it has one

	// GTol ends a run at a point where the norm of the gradient, without variables that their bounds hold, is at most
	// this, for methods that make gradients and objectives without steps; 0: none.
	GTol float64

	// X0 are points to begin from, each with a value for every variable, inside of its bounds. Minimize does not change
	// them. A method refuses more points than it takes on an objective; some take one.
	X0 [][]float64

	// Keep asks for the best different points of a graph, a QUBO or an Ising problem, in Result.Kept.
	Keep solvers.Keep

	Method string            // "masw", "graybox", …; "" chooses one that suits the problem
	Set    map[string]string // settings of the method by key; nil: its defaults
	// Restart lets a method that is named begin again at other points when it has come to its end, while Time or Evals
	// allow it. A method that Minimize chooses does so anyway.
	Restart bool

	Devices   string    // a selector as in "clopt help devices"; "": all GPUs, or without any the CPUs of one platform
	Precision Precision // FP64 or FP32; the zero value is FP64. A number of bits, such as 64, is an error
	Seed      uint32    // equal seeds give equal runs; 0 is a seed like any other

	// TryWith is the file of a command clopt of this version, which evaluates a text once in a process of its own
	// before Minimize does; "": none does. A text that crashes or does not end there is then a *CrashError, an
	// *EndlessError after half a minute of processor time, or a *KilledError, and not the end of this process. Try
	// makes a program of your own such a command. Problems of the catalog need no trial. A problem made in Go cannot
	// be tried.
	TryWith string

	Progress func(Sample) // called after every step, from one goroutine at a time; may be nil
}

// validate returns a *solvers.SettingError for fields that are wrong whatever the objective.
func (o Options) validate() error {
	var c solvers.Complaints
	if o.Time < 0 {
		c.Addf("Options.Time is %v; use a positive duration, or 0 for no limit", o.Time)
	}
	if o.Evals < 0 {
		c.Addf("Options.Evals is %d; use a positive number, or 0 for no limit", o.Evals)
	}
	if o.Moves < 0 {
		c.Addf("Options.Moves is %d; use a positive number, or 0 for no limit", o.Moves)
	}
	if o.Target != nil && math.IsNaN(*o.Target) {
		c.Addf("Options.Target is NaN; use a number, or nil for no target")
	}
	if o.GTol < 0 || math.IsNaN(o.GTol) {
		c.Addf("Options.GTol is %v; use a positive number, or 0 for no limit of the slope", o.GTol)
	}
	if err := o.Precision.Validate(); err != nil {
		c.Addf("Options.Precision: %v", err)
	}
	return c.Err()
}

// Result is the result of Minimize.
type Result struct {
	X         []float64 // the best point, owned by the caller
	F         float64   // its value; with Maximize the largest one found, of a graph the cut
	Confirmed bool      // a second, independent evaluation agrees with F
	// Status says why the run ended: "evals", "moves", "time", "target", "gtol", "optimal", "stall", "cancelled" or
	// "finished".
	Status string
	Method string // the method and its settings, "masw population=100,…"
	Reason string // why the method was chosen; "" if Options.Method named it

	Evaluations int64         // evaluations of the objective: the work of so many whole points
	Work        float64       // cost of all components evaluated, divided by the cost of those of one point
	Moves       int64         // values obtained, however little was evaluated for each; 0: none are counted
	Elapsed     time.Duration // time of the run, without compilation of kernels and confirmation

	// Slope is the norm of the gradient at X, without variables that their bounds hold, and Converged says that the
	// objective is smooth and that a descent has come to its end there, or met GTol. NaN: it is not known.
	Slope     float64
	Converged bool

	// Rounding is the size of rounding errors in F if F is not larger, so that its digits and its sign mean nothing; 0:
	// F is larger, they are nothing beside Sampled.Best, or nothing is known of them.
	Rounding float64
	Sampled  Sampled
	// Broken says which constraints X breaks: the run has found no point that fulfils all of them.
	Broken []string
	// Kept are the points that Options.Keep asks for, the best first, with their values F as in the problem: with
	// Maximize, or for a cut, larger ones are better.
	Kept []solvers.Kept
}

// Sampled says what uniform points of the box are worth that were drawn after a run to compare its result with them.
// At most 1000 are drawn, in at most about a hundredth of the limits. If one is better than the result, the method does
// not suit the objective, or its limit was too small.
type Sampled struct {
	Points int     // 0: there was no comparison, as with graphs
	Best   float64 // the best finite value of them; infinite if there is none
	Better bool    // Best is better than Result.F
}
