package runs

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// Result is result.json. It has no top-level "version", "scenarios" or
// "function_id": readers of benchmark data scan whole trees for those.
type Result struct {
	Format        string      `json:"format"`
	FormatVersion int         `json:"format_version"`
	ToolVersion   string      `json:"tool_version"`
	Problem       string      `json:"problem"`
	Dim           int         `json:"dim"`
	Data          string      `json:"data,omitempty"`
	Sense         Sense       `json:"sense"` // which values are better
	Algorithm     Algorithm   `json:"algorithm"`
	Seed          uint32      `json:"seed"`
	Run           uint32      `json:"run"`
	Precision     string      `json:"precision"`
	Determinism   determinism `json:"determinism"`
	Best          Best        `json:"best"`
	Evaluations   int64       `json:"evaluations"`
	Work          Number      `json:"work"`
	Steps         int64       `json:"steps"`
	Seconds       Number      `json:"seconds"`
	Stop          Stop        `json:"stop"`
	Devices       []Device    `json:"devices"`
	Events        Events      `json:"events"`
	Command       string      `json:"command"`
	ExitCode      int         `json:"exit_code"`
	Cell          *Cell       `json:"cell,omitempty"`   // of a campaign
	Folder        string      `json:"folder,omitempty"` // on stdout only: a folder can be moved

	Resumable bool `json:"-"` // there is a checkpoint of its end
}

// Cell says where a run stands in a campaign.
type Cell struct {
	Suite string `json:"suite"`
	Table string `json:"table"`
	Label string `json:"label"` // of the method
	// Devices is how many the campaign wanted; 0: all.
	Devices int `json:"devices,omitempty"`
	// View is how the table is shown; nil: by function and method.
	View *View `json:"view,omitempty"`
}

// determinism says when the bits repeat.
type determinism struct {
	Kinds  []string `json:"kinds"`  // of devices: name, driver, platform
	Repeat bool     `json:"repeat"` // the same bits on any number of devices of this kind
}

// Best is the best point of a run and its value.
type Best struct {
	F         Number `json:"f"`
	FHost     Number `json:"f_host"`
	Confirmed bool   `json:"confirmed"`
	Confirmer string `json:"confirmer"`
	Tolerance Number `json:"tolerance"`
	// Where an optimum is known: how far f is above it (below, of a problem
	// that is maximised), and how far the point is from the nearest one.
	Error    *Number `json:"error,omitempty"`
	Location *Number `json:"location_error,omitempty"`
	XFile    *string `json:"x_file"`
	XSHA256  *string `json:"x_sha256"`
	SolFile  *string `json:"sol_file,omitempty"` // variables of 0 and 1 as text
}

// Stop is why a run ended.
type Stop struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// Events counts what went wrong in a run.
type Events struct {
	Lost      int   `json:"lost"`
	NonFinite int64 `json:"nonfinite"`
	Resumed   int   `json:"resumed,omitempty"` // how often the run was
}

// stopDetail says in words how a run ended.
func stopDetail(res *solvers.Result, b solvers.Budget, sign float64, cause error) string {
	switch res.Status {
	case solvers.Evaluations:
		return fmt.Sprintf("no further step fits into %d evaluations", b.Evaluations)
	case solvers.Finished:
		return "the method came to the end of its schedule"
	case solvers.Time:
		return fmt.Sprintf("the time of %v is over", b.Time)
	case solvers.Target:
		return fmt.Sprintf("the target %g is met", sign**b.Target)
	case solvers.Stall:
		return fmt.Sprintf("no better value for %v", b.Stall)
	case solvers.Failed:
		return firstLine(cause.Error())
	case solvers.Cancelled:
		if cause != nil {
			return cause.Error()
		}
		return "cancelled"
	}
	return ""
}

// measure compares the best point with the optimum, where that is known. The
// value is the confirmed one.
func (b *Best) measure(p problems.Problem, f float64, x []float64) {
	if best, known := p.Info().BestKnown(); known {
		e := Number(f - best)
		b.Error = &e
	}
	if e, known := p.Info().LocationError(x); known {
		l := Number(e)
		b.Location = &l
	}
}

// Write stores a result in the folder dir, as the last file of a run.
func (r *Result) Write(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("result.json: %w", err)
	}
	_, err = WriteWhole(filepath.Join(dir, "result.json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return err
}

// Finished is the result of the run in dir if it ended by one of its rules, nil
// if it did not.
func Finished(dir string) *Result {
	r, err := ReadResult(filepath.Join(dir, "result.json"))
	if err != nil || r.Stop.Reason == solvers.Cancelled.String() || r.Stop.Reason == solvers.Failed.String() {
		return nil
	}
	return r
}

// ReadResult reads a result.json.
func ReadResult(path string) (*Result, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Format != "clopt-result" {
		return nil, fmt.Errorf("%s: format %.40q is not clopt-result", path, r.Format)
	}
	if r.Sense, err = r.Sense.checked(r.Problem); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// Workers counts the devices that had a share.
func (r *Result) Workers() (n int) {
	for _, d := range r.Devices {
		if d.Share > 0 {
			n++
		}
	}
	return n
}

// VariableRate is the variable evaluations a second: work, which counts a change of one variable as its part of a whole
// point, times the variables of a point.
func (r *Result) VariableRate() float64 {
	return float64(r.Work) * float64(r.Dim) / max(float64(r.Seconds), 1e-9)
}

// View is how a campaign shows a table that compares more than final values:
// a line for each problem and method, and a column for each quantity.
type View struct {
	// Show names the quantities, such as "error", "seconds" or "at 10s".
	Show []string `toml:"show" json:"show,omitempty"`
	// Baselines are methods, of the table or of a paper, over which speed-ups
	// are shown.
	Baselines []string `toml:"baselines" json:"baselines,omitempty"`
	// Ratio is what a speed-up is of, "": seconds.
	//
	//	seconds  of whole runs that came to their end or target
	//	rate     evaluations a second
	//	value    seconds until the baseline's final value
	Ratio string `toml:"ratio" json:"ratio,omitempty"`
}
