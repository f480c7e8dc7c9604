package runs

import (
	"time"

	"github.com/clopt/clopt/solvers/runs/exact"
)

// StartLine is the first line of trace.jsonl. Type is "start" and V is 1.
type StartLine struct {
	Type      string    `json:"type"`
	V         int       `json:"v"`
	Time      string    `json:"time"` // when the run began, in RFC 3339
	Problem   string    `json:"problem"`
	Sense     Sense     `json:"sense"` // "" in traces of older versions
	Algorithm Algorithm `json:"algorithm"`
	Seed      uint32    `json:"seed"`
	Run       uint32    `json:"run"`
	Precision string    `json:"precision"`
	Data      string    `json:"data,omitempty"`
	Devices   []Device  `json:"devices"` // with their planned shares
}

// SampleLine is a sample of a run. Type is "sample" and V is 1.
type SampleLine struct {
	Type      string         `json:"type"`
	V         int            `json:"v"`
	T         exact.Number   `json:"t"` // seconds since the loop began
	Evals     int64          `json:"evals"`
	Work      exact.Number   `json:"work"`
	Step      int64          `json:"step"`
	F         exact.Number   `json:"f"`    // best value of this step
	Best      exact.Number   `json:"best"` // best value so far
	NonFinite int64          `json:"nonfinite"`
	Devices   []deviceSample `json:"devices"`
	Grid      *bool          `json:"grid,omitempty"` // false: not on the grid; written because a minute had passed
}

// EventLine is something that happened. Type is "event" and V is 1.
type EventLine struct {
	Type   string       `json:"type"`
	V      int          `json:"v"`
	T      exact.Number `json:"t"` // seconds since the loop began
	Event  string       `json:"event"`
	Detail string       `json:"detail"`
	// Devices has the final shares and memory, and Elapsed returns the time in the loop. Only the event "layout" has
	// them, and a file has no Elapsed.
	Devices []Device             `json:"devices,omitempty"`
	Elapsed func() time.Duration `json:"-"`
}

// EndLine is the last line of the trace of a run that ended. Type is "end" and V is 1.
type EndLine struct {
	Type     string       `json:"type"`
	V        int          `json:"v"`
	T        exact.Number `json:"t"` // seconds since the loop began
	Evals    int64        `json:"evals"`
	Best     exact.Number `json:"best"`
	Stop     string       `json:"stop"` // Stop.Reason of result.json
	ExitCode int          `json:"exit_code"`
}

// deviceSample is the state of a device in a sample.
type deviceSample struct {
	ID    int          `json:"id"`
	Evals exact.Number `json:"evals_s"` // evaluations a second of the run, times the share of the device
	Mem   exact.Number `json:"mem"`     // planned bytes
}

// Device describes a device of a run.
type Device struct {
	ID       int          `json:"id"` // ID in samples
	Index    int          `json:"index"`
	Name     string       `json:"name"`
	Vendor   string       `json:"vendor"`
	Platform string       `json:"platform"`
	Driver   string       `json:"driver"`
	Type     string       `json:"type"`
	Share    exact.Number `json:"share"` // of the problem, from 0 to 1
	Mem      int64        `json:"mem"`   // planned bytes
}

// Algorithm is the name of a method, and its settings as its String returns them.
type Algorithm struct {
	Name     string `json:"name"`
	Settings string `json:"settings"`
}

// Sense says which values of a run are better. Files have values in the sense of the problem.
type Sense string

// The senses, as result.json and the first line of a trace spell them.
const (
	Minimize Sense = "minimize"
	Maximize Sense = "maximize"
)

// Sign returns 1, or -1 for Maximize. Of two values times Sign, the smaller one is better.
func (s Sense) Sign() float64 {
	if s == Maximize {
		return -1
	}
	return 1
}

// senseOf returns Maximize for a negative sign, and otherwise Minimize.
func senseOf(sign float64) Sense {
	if sign < 0 {
		return Maximize
	}
	return Minimize
}
