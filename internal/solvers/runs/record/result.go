package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/solvers"
)

// Result is result.json. It must not have keys "version", "scenarios" or "function_id", because programs that read
// benchmark data look for these in all files below a folder.
type Result struct {
	Header
	Task
	Name string `json:"name,omitempty"` // of the directive name of an objective
	Dim  int    `json:"dim"`
	Best Best   `json:"best"`
	// Notes are what a user should know about the problem. They are said before the run.
	Notes []string `json:"notes,omitempty"`
	Effort
	Start *StartTimes `json:"start,omitempty"` // nil: it was not measured
	Ending
	Place
	Command     string  `json:"command"`
	Cell        *Cell   `json:"cell,omitempty"`   // nil: the run belongs to no campaign
	TraceSHA256 *string `json:"trace_sha256"`     // nil: the trace could not be written
	Check       string  `json:"check"`            // SHA-256 of the file in which Check is ""
	Folder      string  `json:"folder,omitempty"` // set by whoever reads the file; not in it

	// Resumable says that the checkpoint of the end is stored, and that a larger limit would let the run go on.
	Resumable bool `json:"-"`
	// Closing is the time after Seconds and StartUp, in which the best point is read, confirmed and stored.
	Closing time.Duration `json:"-"`
}

// Header says what the file is, and which tool wrote it.
type Header struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	ToolVersion   string `json:"tool_version"`
	Commit        string `json:"commit,omitempty"` // of the tool, with "+" if files were changed since
}

// Effort is what a run took, since its first start.
type Effort struct {
	Evaluations int64        `json:"evaluations"` // the work, rounded down
	Work        exact.Number `json:"work"`
	Moves       int64        `json:"moves,omitempty"` // 0: the method counts none, or an older version wrote the file
	Steps       int64        `json:"steps"`
	Searches    []Search     `json:"searches,omitempty"`
	Seconds     exact.Number `json:"seconds"`
	StartUp     exact.Number `json:"start_up"` // seconds, not in Seconds; since the latest start
}

// EffortOf returns what a run took.
func EffortOf(res *solvers.Result) Effort {
	e := Effort{
		Evaluations: res.Evaluations, Work: exact.Number(res.Work), Moves: res.Moves, Steps: res.Steps,
		Seconds: Seconds(res.Elapsed), StartUp: Seconds(res.StartUp),
	}
	for _, s := range res.Searches {
		e.Searches = append(e.Searches, Search{s.Name, exact.Number(s.Work), exact.Number(s.Gain)})
	}
	return e
}

// Search is one of several searches of a run, or one of the methods of a relay.
type Search struct {
	Name string       `json:"name"`
	Work exact.Number `json:"work"` // its share of the work of all
	Gain exact.Number `json:"gain"` // its share of what the best value has improved by
}

// Ending says how a run ended.
type Ending struct {
	Limits   Limits `json:"limits"`
	Stop     Stop   `json:"stop"`
	Events   Events `json:"events"`
	ExitCode int    `json:"exit_code"`
}

// Stop says why a run ended.
type Stop struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// Events counts what went wrong in a run.
type Events struct {
	Lost      int   `json:"lost"` // devices that have failed
	NonFinite int64 `json:"nonfinite"`
	Resumed   int   `json:"resumed,omitempty"` // how often the run was resumed
}

// Place says where a run was made.
type Place struct {
	Devices     []Device    `json:"devices"`
	Determinism Determinism `json:"determinism"`
}

// Determinism says whether a repeated run has the same bits.
type Determinism struct {
	Kinds  []string `json:"kinds"`  // kinds of the devices: name, driver, platform
	Repeat bool     `json:"repeat"` // it has, on any number of devices of this kind
}

// Workers returns the number of devices that had a share.
func (p Place) Workers() (n int) {
	for _, d := range p.Devices {
		if d.Share > 0 {
			n++
		}
	}
	return n
}

// VariableRate returns the variable evaluations a second, which are the work times the number of variables. A change of
// one variable counts as its fraction of a whole point.
func (r *Result) VariableRate() float64 {
	return float64(r.Work) * float64(r.Dim) / max(float64(r.Seconds), 1e-9)
}

// The format of result.json.
const (
	Format  = "clopt-result"
	Version = 2
)

// Seal returns the text of result.json, and sets Check.
func (r *Result) Seal() ([]byte, error) {
	own := *r
	own.Folder = ""
	text, err := disk.Sealed(&own, &own.Check)
	r.Check = own.Check
	return text, err
}

// ParseResult reads the text of a result.json, and compares it with its Check.
func ParseResult(text []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if r.Format != Format || r.FormatVersion != Version {
		return nil, fmt.Errorf("format %.40q, version %d, of clopt %.20q; this clopt reads %s, version %d", r.Format,
			r.FormatVersion, r.ToolVersion, Format, Version)
	}
	if err := disk.CheckSeal(text, r.Check); err != nil {
		return nil, err
	}
	if r.Sense != Minimize && r.Sense != Maximize {
		return nil, fmt.Errorf("sense %.40q is neither %s nor %s", r.Sense, Minimize, Maximize)
	}
	var all any
	if err := json.Unmarshal(text, &all); err != nil || hasControl(all) {
		return nil, errors.New("a text with control characters")
	}
	return &r, nil
}

// hasControl reports whether a text in a decoded JSON value has control characters.
func hasControl(v any) bool {
	switch v := v.(type) {
	case string:
		return input.HasControl(v)
	case []any:
		return slices.ContainsFunc(v, hasControl)
	case map[string]any:
		for _, e := range v {
			if hasControl(e) {
				return true
			}
		}
	}
	return false
}
