package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/disk"
	"github.com/clopt/clopt/solvers/runs/exact"
)

// Result is result.json. It must not have keys "version", "scenarios" or "function_id", because programs that read
// benchmark data look for these in all files below a folder.
type Result struct {
	Format        string       `json:"format"`
	FormatVersion int          `json:"format_version"`
	ToolVersion   string       `json:"tool_version"`
	Commit        string       `json:"commit,omitempty"` // of the tool, with "+" if files were changed since
	Problem       string       `json:"problem"`
	Name          string       `json:"name,omitempty"` // of the directive name of an objective
	Dim           int          `json:"dim"`
	Data          string       `json:"data,omitempty"`
	Sense         Sense        `json:"sense"` // which values are better
	Algorithm     Algorithm    `json:"algorithm"`
	Seed          uint32       `json:"seed"`
	Run           uint32       `json:"run"`
	Precision     string       `json:"precision"`
	Determinism   determinism  `json:"determinism"`
	Best          Best         `json:"best"`
	Evaluations   int64        `json:"evaluations"`
	Work          exact.Number `json:"work"`
	Steps         int64        `json:"steps"`
	Searches      []Search     `json:"searches,omitempty"`
	Seconds       exact.Number `json:"seconds"`
	StartUp       exact.Number `json:"start_up"` // seconds, not in Seconds; since the latest start
	Limits        Limits       `json:"limits"`
	Stop          Stop         `json:"stop"`
	Devices       []Device     `json:"devices"`
	Events        Events       `json:"events"`
	Command       string       `json:"command"`
	ExitCode      int          `json:"exit_code"`
	Cell          *Cell        `json:"cell,omitempty"`   // nil: the run belongs to no campaign
	TraceSHA256   *string      `json:"trace_sha256"`     // nil: the trace could not be written
	Check         string       `json:"check"`            // SHA-256 of the file in which Check is ""
	Folder        string       `json:"folder,omitempty"` // set by ReadResult; not in the file

	Resumable bool `json:"-"` // the checkpoint of the end is stored, and a larger limit would let the run go on
}

// Cell is the place of a run in a campaign.
type Cell struct {
	Suite string `json:"suite"`
	Table string `json:"table"`
	Label string `json:"label"` // name of the method in the table
	// Devices is the number of devices that the campaign asks for; 0 means all.
	Devices int `json:"devices,omitempty"`
	// View says how to show the table; nil means by function and method.
	View *View `json:"view,omitempty"`
}

// determinism says whether a repeated run has the same bits.
type determinism struct {
	Kinds  []string `json:"kinds"`  // kinds of the devices: name, driver, platform
	Repeat bool     `json:"repeat"` // it has, on any number of devices of this kind
}

// Best is the best point of a run and its value.
type Best struct {
	F         exact.Number `json:"f"`
	FHost     exact.Number `json:"f_host"`
	Confirmed bool         `json:"confirmed"`
	Confirmer string       `json:"confirmer"`
	Tolerance exact.Number `json:"tolerance"`
	// Known is the best known value, Error the difference of the value to it, and Location the distance of the point to
	// the nearest optimal point. They are nil if they are unknown.
	Known    *exact.Number `json:"best_known,omitempty"`
	Error    *exact.Number `json:"error,omitempty"`
	Location *exact.Number `json:"location_error,omitempty"`
	XFile    *string       `json:"x_file"`
	XSHA256  *string       `json:"x_sha256"`
	SolFile  *string       `json:"sol_file,omitempty"` // the point as text, for variables that are 0 or 1
	Sums     []Sum         `json:"sums,omitempty"`     // those with a label
}

// Sum is a sum of an objective at the best point.
type Sum struct {
	Sum   string       `json:"sum"` // s0, s1, …
	Label string       `json:"label"`
	Value exact.Number `json:"value"`
}

// Search is one of several searches of a run, or one of the methods of a relay.
type Search struct {
	Name string       `json:"name"`
	Work exact.Number `json:"work"` // its share of the work of all
	Gain exact.Number `json:"gain"` // its share of what the best value has improved by
}

// searchesOf returns what the searches of a run have done.
func searchesOf(all []solvers.Search) (searches []Search) {
	for _, s := range all {
		searches = append(searches, Search{s.Name, exact.Number(s.Work), exact.Number(s.Gain)})
	}
	return searches
}

// Limits are the stop rules of a run. A zero field is no rule.
type Limits struct {
	Evaluations int64         `json:"evaluations,omitempty"`
	Seconds     exact.Number  `json:"seconds,omitempty"`
	Stall       exact.Number  `json:"stall,omitempty"` // seconds without a better value
	Target      *exact.Number `json:"target,omitempty"`
}

// limitsOf returns the limits of a budget. sign is the factor of shown values.
func limitsOf(b solvers.Budget, sign float64) Limits {
	l := Limits{Evaluations: b.Evaluations, Seconds: Seconds(b.Time), Stall: Seconds(b.Stall)}
	if b.Target != nil {
		l.Target = new(exact.Number(sign * *b.Target))
	}
	return l
}

// String returns the limits in words, without the target: "1000 evaluations or 60 s".
func (l Limits) String() string {
	var parts []string
	if l.Evaluations > 0 {
		parts = append(parts, fmt.Sprintf("%d evaluations", l.Evaluations))
	}
	if l.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%g s", float64(l.Seconds)))
	}
	if l.Stall > 0 {
		parts = append(parts, fmt.Sprintf("%g s without a better value", float64(l.Stall)))
	}
	return strings.Join(parts, " or ")
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

// stopDetail describes how a run ended. cause is the reason for cancelling it, or the error of a failed run.
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

// measure sets Error, and Location if the best point x is in memory. f is its confirmed value.
func (b *Best) measure(p problems.Problem, f float64, x []float64) {
	if best, known := p.Info().BestKnown(); known {
		b.Known, b.Error = new(exact.Number(p.Info().Sign()*best)), new(exact.Number(f-best))
	}
	if x == nil {
		return
	}
	if e, known := p.Info().LocationError(x); known {
		b.Location = new(exact.Number(e))
	}
}

// labelled returns the sums that have a label.
func labelled(p problems.Problem, sums []float64) (all []Sum) {
	for j, label := range p.Info().Sums {
		if label != "" && j < len(sums) {
			all = append(all, Sum{fmt.Sprintf("s%d", j), label, exact.Number(sums[j])})
		}
	}
	return all
}

// ResultName is the file of a run folder with the Result.
const ResultName = "result.json"

const (
	resultFormat  = "clopt-result"
	resultVersion = 2
	maxResult     = 4 << 20 // bytes
)

// Write writes result.json to the folder dir. It is the last file of a run to be written. Write sets Format, its
// version and that of the tool, and Check.
func (r *Result) Write(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.write(f)
}

func (r *Result) write(dir *folder) error {
	r.Format, r.FormatVersion, r.ToolVersion = resultFormat, resultVersion, ToolVersion
	var modified bool
	if r.Commit, modified = Commit(); modified {
		r.Commit += "+"
	}
	own := *r
	own.Folder = ""
	text, err := disk.Sealed(&own, &own.Check)
	if err != nil {
		return fmt.Errorf("result.json: %w", err)
	}
	r.Check = own.Check
	return dir.writeText(ResultName, string(text))
}

// Finished returns the result of the run in dir, or nil if the run has none, was cancelled or has failed. A result that
// cannot be read is an error.
func Finished(dir string) (*Result, error) {
	r, err := ReadResult(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w. Without this file the run goes on from its checkpoint", err)
	case r.Stop.Reason == solvers.Cancelled.String() || r.Stop.Reason == solvers.Failed.String():
		return nil, nil
	}
	return r, nil
}

// ReadResult reads result.json in the folder dir, compares it with its Check, and sets Folder to dir. The error is a
// Fault. If the folder or the file does not exist, it wraps fs.ErrNotExist.
func ReadResult(dir string) (*Result, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := f.Read(ResultName, maxResult)
	if err != nil {
		return nil, fault(Input, "%w", err)
	}
	r, err := parseResult(text)
	if err != nil {
		return nil, fault(Input, "%s: %w", filepath.Join(dir, ResultName), err)
	}
	r.Folder = dir
	return r, nil
}

// parseResult reads the text of a result.json.
func parseResult(text []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if r.Format != resultFormat || r.FormatVersion != resultVersion {
		return nil, fmt.Errorf("format %.40q, version %d, of clopt %.20q; this clopt reads %s, version %d", r.Format,
			r.FormatVersion, r.ToolVersion, resultFormat, resultVersion)
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

// Workers returns the number of devices that had a share.
func (r *Result) Workers() (n int) {
	for _, d := range r.Devices {
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

// View describes a table of a campaign that compares more than final values. The table has a line for each problem and
// method, and a column for each metric.
type View struct {
	// Show names the metrics, such as "error", "seconds" or "at 10s".
	Show []string `toml:"show" json:"show,omitempty"`
	// Baselines are methods of the table, or of a paper, with which speeds are compared.
	Baselines []string `toml:"baselines" json:"baselines,omitempty"`
	// Ratio is the quantity that is compared with a baseline; "" means seconds.
	//
	//	seconds  time of whole runs that came to their end or target
	//	rate     evaluations a second
	//	value    seconds until the final value of the baseline is reached
	Ratio string `toml:"ratio" json:"ratio,omitempty"`
}
