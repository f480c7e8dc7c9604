package runs

// StartLine is the first line of trace.jsonl. Type is "start" and V is 1.
type StartLine struct {
	Type      string    `json:"type"`
	V         int       `json:"v"`
	Time      string    `json:"time"` // of the start, as in RFC 3339
	Problem   string    `json:"problem"`
	Sense     Sense     `json:"sense"` // which values are better; older traces have none
	Algorithm Algorithm `json:"algorithm"`
	Seed      uint32    `json:"seed"`
	Run       uint32    `json:"run"`
	Precision string    `json:"precision"`
	Data      string    `json:"data,omitempty"`
	Devices   []Device  `json:"devices"` // with their shares as planned
}

// SampleLine is a sample of a run. Type is "sample" and V is 1.
type SampleLine struct {
	Type      string         `json:"type"`
	V         int            `json:"v"`
	T         Number         `json:"t"` // seconds in the loop
	Evals     int64          `json:"evals"`
	Work      Number         `json:"work"`
	Step      int64          `json:"step"`
	F         Number         `json:"f"`    // best value of the step
	Best      Number         `json:"best"` // best value of the run
	NonFinite int64          `json:"nonfinite"`
	Devices   []deviceSample `json:"devices"`
	Grid      *bool          `json:"grid,omitempty"` // false: outside the grid, by the clock
}

// EventLine is something that happened. Type is "event" and V is 1.
type EventLine struct {
	Type   string `json:"type"`
	V      int    `json:"v"`
	T      Number `json:"t"` // seconds in the loop
	Event  string `json:"event"`
	Detail string `json:"detail"`
	// Of the event "layout": shares and memory as the run has them.
	Devices []Device `json:"devices,omitempty"`
}

// EndLine is the last line of the trace of a run that ended. Type is "end" and V is 1.
type EndLine struct {
	Type     string `json:"type"`
	V        int    `json:"v"`
	T        Number `json:"t"` // seconds in the loop
	Evals    int64  `json:"evals"`
	Best     Number `json:"best"`
	Stop     string `json:"stop"` // reason, as in result.json
	ExitCode int    `json:"exit_code"`
}

// deviceSample is a device in a sample.
type deviceSample struct {
	ID    int    `json:"id"`
	Evals Number `json:"evals_s"` // its share of the evaluations a second
	Mem   Number `json:"mem"`     // bytes planned
}

// Device is a device of a run.
type Device struct {
	ID       int    `json:"id"` // as in the samples
	Index    int    `json:"index"`
	Name     string `json:"name"`
	Vendor   string `json:"vendor"`
	Platform string `json:"platform"`
	Driver   string `json:"driver"`
	Type     string `json:"type"`
	Share    Number `json:"share"` // of the problem, from 0 to 1
	Mem      int64  `json:"mem"`   // bytes planned
}

// Algorithm is a method and its settings, as its String has them.
type Algorithm struct {
	Name     string `json:"name"`
	Settings string `json:"settings"`
}
