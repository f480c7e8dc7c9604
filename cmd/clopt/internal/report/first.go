package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// FirstValue says how soon a command has a value below the best of some uniform points of its problem.
type FirstValue struct {
	Problem string       `json:"problem"`
	Device  string       `json:"device"`
	Dim     int          `json:"dim,omitempty"` // 0: no run has ended
	Method  string       `json:"method,omitempty"`
	Uniform exact.Number `json:"uniform"` // the best of the uniform points; null: none has a finite value
	Empty   FirstRun     `json:"empty"`   // without kernels that were stored before, or with those of another n
	Stored  FirstRun     `json:"stored"`  // the same command again
	Known   bool         `json:"known"`   // Empty had the kernels of the same text for another n
	Failure string       `json:"failure,omitempty"`
}

// FirstRun is a command that has ended with such a value.
type FirstRun struct {
	Seconds   exact.Number            `json:"seconds"` // from its start to the value; null: it has found none
	Goal      exact.Number            `json:"goal"`
	Processor exact.Number            `json:"processor"`        // seconds of processors, of the whole command
	Stages    map[string]exact.Number `json:"stages,omitempty"` // seconds before the first step, by stage
	Programs  int                     `json:"programs"`
	Compiling exact.Number            `json:"compiling"` // seconds in which drivers compiled, also after the value
}

// Late reports whether the run has missed its goal.
func (r FirstRun) Late() bool { return !(r.Seconds <= r.Goal) }

// SetGoals sets the goals for a device of a type.
func (f *FirstValue) SetGoals(t cl.Type) {
	empty, stored := 2.0, 0.4
	if t == cl.CPU {
		empty, stored = 4, 1
	}
	if f.Known {
		empty = stored
	}
	if f.Dim > mostSmall {
		empty, stored = empty+forLarge, stored+forLarge
	}
	f.Empty.Goal, f.Stored.Goal = exact.Number(empty), exact.Number(stored)
}

// Problems of more than mostSmall variables have some seconds more.
const (
	mostSmall = 1e5
	forLarge  = 2.0
)

// WriteFirst writes a table of first values, and how many are within their goals.
func WriteFirst(w io.Writer, all []FirstValue) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "problem\tn\tmethod\tempty cache\tgoal\tcores\tagain\tgoal\tcores\tprograms\tlongest stage again")
	within, again, failures := 0, 0, ""
	for _, f := range all {
		if f.Failure != "" {
			failures += fmt.Sprintf("! %s: %s\n", f.Problem, f.Failure)
			continue
		}
		mark := ""
		if f.Known {
			mark = " (n is new)"
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s%s\t%g\t%.2f\t%s\t%g\t%.2f\t%d\t%s\n", f.Problem, f.Dim, f.Method,
			f.Empty.shown(), mark, float64(f.Empty.Goal), float64(f.Empty.Processor), f.Stored.shown(),
			float64(f.Stored.Goal), float64(f.Stored.Processor), f.Empty.Programs, f.Stored.longest())
		if !f.Empty.Late() {
			within++
		}
		if !f.Stored.Late() {
			again++
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	n := len(all) - strings.Count(failures, "\n")
	_, err := fmt.Fprintf(w, "%s%d of %d within the goal with an empty cache, %d of %d again; ! is late\n", failures,
		within, n, again, n)
	return err
}

// shown returns the seconds, with a mark if they are too many.
func (r FirstRun) shown() string {
	text := fmt.Sprintf("%.2f s", float64(r.Seconds))
	if math.IsNaN(float64(r.Seconds)) {
		text = "no value"
	}
	if r.Late() {
		text += " !"
	}
	return text
}

// longest returns the longest stage, with its seconds.
func (r FirstRun) longest() string {
	longest, most := "", exact.Number(-1)
	for stage, s := range r.Stages {
		if s > most || s == most && stage < longest {
			longest, most = stage, s
		}
	}
	if longest == "" {
		return ""
	}
	return fmt.Sprintf("%s %.2f s", longest, float64(most))
}
