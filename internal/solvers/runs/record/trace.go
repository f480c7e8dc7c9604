package record

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/solvers"
)

// Line is the begin of each line of trace.jsonl. V is 1.
type Line struct {
	Type string `json:"type"` // "start", "sample", "event" or "end"
	V    int    `json:"v"`
}

// StartLine is the first line of a trace.
type StartLine struct {
	Line
	Time string `json:"time"` // when the run began, in RFC 3339
	Task
	Devices []Device `json:"devices"` // with their planned shares
}

// Start returns the first line of a run that begins now, at the time at.
func Start(at time.Time, task Task, devices []Device) StartLine {
	return StartLine{Line{"start", 1}, at.UTC().Format(time.RFC3339), task, devices}
}

// SampleLine is a sample of a run.
type SampleLine struct {
	Line
	T         exact.Number   `json:"t"` // seconds since the loop began
	Evals     int64          `json:"evals"`
	Work      exact.Number   `json:"work"`
	Moves     int64          `json:"moves,omitempty"`
	Step      int64          `json:"step"`
	F         exact.Number   `json:"f"`    // best value of this step
	Best      exact.Number   `json:"best"` // best value so far
	NonFinite int64          `json:"nonfinite"`
	Slope     *exact.Number  `json:"slope,omitempty"` // of the best point that has one; nil: there is none
	Devices   []deviceSample `json:"devices"`
	Grid      *bool          `json:"grid,omitempty"` // false: not on the grid; written because a minute had passed
}

// deviceSample is the state of a device in a sample.
type deviceSample struct {
	ID    int          `json:"id"`
	Evals exact.Number `json:"evals_s"` // evaluations a second of the run, times the share of the device
	Mem   exact.Number `json:"mem"`     // planned bytes
}

// Sample returns a sample as a line. sign is the factor of its values. The speed is divided among devices by their
// shares. onGrid says whether the sample is on the grid.
func Sample(s solvers.Sample, sign float64, devices []Device, onGrid bool) SampleLine {
	l := SampleLine{
		Line: Line{"sample", 1}, T: Seconds(s.Elapsed), Evals: s.Evaluations, Work: exact.Number(s.Work),
		Moves: s.Moves, Step: s.Step, F: exact.Number(sign * s.F), Best: exact.Number(sign * s.Best),
		NonFinite: s.NonFinite, Devices: []deviceSample{},
	}
	speed := 0.0
	if s.Elapsed > 0 {
		speed = s.Work / s.Elapsed.Seconds()
	}
	for i, d := range devices {
		l.Devices = append(l.Devices, deviceSample{ID: i, Evals: exact.Number(speed * float64(d.Share)),
			Mem: exact.Number(d.Mem)})
	}
	if s.Slope.Known {
		l.Slope = new(exact.Number(s.Slope.Norm))
	}
	if !onGrid {
		l.Grid = new(bool)
	}
	return l
}

// EventLine is something that happened.
type EventLine struct {
	Line
	T      exact.Number `json:"t"` // seconds since the loop began
	Event  string       `json:"event"`
	Detail string       `json:"detail"`
	// Devices has the final shares and memory, and Elapsed returns the time in the loop. Only the event "layout" has
	// them, and a file has no Elapsed.
	Devices []Device             `json:"devices,omitempty"`
	Elapsed func() time.Duration `json:"-"`
}

// Event returns an event, t seconds after the loop began.
func Event(t exact.Number, event, detail string) EventLine {
	return EventLine{Line: Line{"event", 1}, T: t, Event: event, Detail: detail}
}

// EndLine is the last line of the trace of a run that ended.
type EndLine struct {
	Line
	T        exact.Number `json:"t"` // seconds since the loop began
	Evals    int64        `json:"evals"`
	Best     exact.Number `json:"best"`
	Stop     string       `json:"stop"` // Stop.Reason of result.json, or "error" if there is no result
	ExitCode int          `json:"exit_code"`
}

// Failure returns the end of a run that has no result, t seconds after the loop began. last is its latest sample; nil
// means that there was none. sign is the factor of its values.
func Failure(t exact.Number, stop string, last *solvers.Sample, sign float64, code int) EndLine {
	l := EndLine{Line: Line{"end", 1}, T: t, Best: exact.Number(math.NaN()), Stop: stop, ExitCode: code}
	if last != nil {
		l.Evals, l.Best = last.Evaluations, exact.Number(sign*last.Best)
	}
	return l
}

// End returns the end of the trace of a run with this result.
func (r *Result) End() EndLine {
	return EndLine{Line{"end", 1}, r.Seconds, r.Evaluations, r.Best.F, r.Stop.Reason, r.ExitCode}
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

// WriteLine writes a value as one line of JSON. It makes a single write, so that a killed run leaves whole lines.
func WriteLine(w io.Writer, line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("trace line: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Seconds returns a time in seconds, rounded to microseconds.
func Seconds(d time.Duration) exact.Number { return exact.Number(math.Round(d.Seconds()*1e6) / 1e6) }
