package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// resultJSON is result.json. It has no top-level "version", "scenarios" or
// "function_id": readers of benchmark data scan whole trees for those.
type resultJSON struct {
	Format        string       `json:"format"`
	FormatVersion int          `json:"format_version"`
	ToolVersion   string       `json:"tool_version"`
	Problem       string       `json:"problem"`
	Dim           int          `json:"dim"`
	Data          string       `json:"data,omitempty"`
	Algorithm     algorithm    `json:"algorithm"`
	Seed          uint32       `json:"seed"`
	Run           uint32       `json:"run"`
	Precision     string       `json:"precision"`
	Determinism   determinism  `json:"determinism"`
	Best          bestJSON     `json:"best"`
	Evaluations   int64        `json:"evaluations"`
	Work          number       `json:"work"`
	Steps         int64        `json:"steps"`
	Seconds       number       `json:"seconds"`
	Stop          stopJSON     `json:"stop"`
	Devices       []deviceInfo `json:"devices"`
	Events        eventsJSON   `json:"events"`
	Command       string       `json:"command"`
	ExitCode      int          `json:"exit_code"`
	Cell          *cellID      `json:"cell,omitempty"`   // of a campaign
	Folder        string       `json:"folder,omitempty"` // on stdout only: a folder can be moved

	resumable bool // there is a checkpoint of its end
}

// cellID says where a run stands in a campaign.
type cellID struct {
	Suite string `json:"suite"`
	Table string `json:"table"`
	Label string `json:"label"` // of the method
	// Devices is how many the campaign wanted; 0: all.
	Devices int `json:"devices,omitempty"`
	// View is how the table is shown; nil: by function and method.
	View *view `json:"view,omitempty"`
}

// determinism says when the bits repeat.
type determinism struct {
	Kinds  []string `json:"kinds"`  // of devices: name, driver, platform
	Repeat bool     `json:"repeat"` // the same bits on any number of devices of this kind
}

type bestJSON struct {
	F         number `json:"f"`
	FHost     number `json:"f_host"`
	Confirmed bool   `json:"confirmed"`
	Confirmer string `json:"confirmer"`
	Tolerance number `json:"tolerance"`
	// Where an optimum is known: how far f is above it (below, of a problem
	// that is maximised), and how far the point is from the nearest one.
	Error    *number `json:"error,omitempty"`
	Location *number `json:"location_error,omitempty"`
	XFile    *string `json:"x_file"`
	XSHA256  *string `json:"x_sha256"`
	SolFile  *string `json:"sol_file,omitempty"` // variables of 0 and 1 as text
}

type stopJSON struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

type eventsJSON struct {
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
func (b *bestJSON) measure(p problems.Problem, f float64, x []float64) {
	if best, known := p.Info().BestKnown(); known {
		e := number(f - best)
		b.Error = &e
	}
	if e, known := p.Info().LocationError(x); known {
		l := number(e)
		b.Location = &l
	}
}

// write stores a result, as the last file of a run.
func (r *resultJSON) write(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("result.json: %w", err)
	}
	_, err = writeWhole(filepath.Join(dir, "result.json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return err
}

// summary is what a person reads at the end.
func (r *resultJSON) summary(w io.Writer) {
	fmt.Fprintf(w, "%s  %s  seed %d", r.Problem, r.Algorithm.Name, r.Seed)
	if r.Run > 0 {
		fmt.Fprintf(w, "  run %d", r.Run)
	}
	fmt.Fprintf(w, "  %s\n", r.Precision)
	fmt.Fprintf(w, "  stop         %s: %s\n", r.Stop.Reason, r.Stop.Detail)
	fmt.Fprintf(w, "  evaluations  %d (work %.10g, %d steps)\n", r.Evaluations, float64(r.Work), r.Steps)
	fmt.Fprintf(w, "  best f       %s  %s\n", formatValue(float64(r.Best.F)), r.confirmation())
	speed := float64(r.Evaluations) / max(float64(r.Seconds), 1e-9)
	fmt.Fprintf(w, "  speed        %.4g evaluations/s, %.4g variable evaluations/s, %.4g s\n", speed, speed*float64(r.Dim), float64(r.Seconds))
	if r.Events.NonFinite > 0 {
		fmt.Fprintf(w, "  nonfinite    %d values\n", r.Events.NonFinite)
	}
	files := []string{"result.json", "trace.jsonl", "run.toml", "log.txt"}
	if r.Best.SolFile != nil {
		files = append([]string{*r.Best.SolFile}, files...)
	}
	if r.Best.XFile != nil {
		files = append([]string{*r.Best.XFile}, files...)
	}
	if r.Events.Resumed > 0 {
		fmt.Fprintf(w, "  resumed      %d times; evaluations and seconds are those of the whole run\n", r.Events.Resumed)
	}
	fmt.Fprintf(w, "  files        %s: %s\n", r.Folder, strings.Join(files, " "))
	if r.resumable {
		fmt.Fprintf(w, "  go on        clopt resume %s\n", shellQuote(r.Folder))
	}
	fmt.Fprintf(w, "  again        clopt run %s\n", shellQuote(filepath.Join(r.Folder, "run.toml")))
}

func (r *resultJSON) confirmation() string {
	yes := "confirmed"
	if !r.Best.Confirmed {
		yes = "NOT confirmed"
	}
	if r.Best.Confirmer == "host" {
		return fmt.Sprintf("%s by the host: %s (tolerance %.2g)", yes, formatValue(float64(r.Best.FHost)), float64(r.Best.Tolerance))
	}
	return fmt.Sprintf("%s by a second evaluation on the %s (tolerance %.2g; there is no host reference)", yes, r.Best.Confirmer, float64(r.Best.Tolerance))
}

// shellQuote quotes a word for a POSIX shell where it must be.
func shellQuote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,%+@"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
