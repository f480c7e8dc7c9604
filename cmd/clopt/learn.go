package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/structure"
)

// learntReport is what "clopt structure --learn" shows. The field names are those of --json.
type learntReport struct {
	Problem   string   `json:"problem"`
	Points    int      `json:"points"`           // at which reads were noted
	Reads     string   `json:"reads"`            // of a component
	Directive string   `json:"directive"`        // the line that declares it; "": nothing to declare
	Groups    [][]int  `json:"groups,omitempty"` // of variables that interact, if components read everything
	Files     []string `json:"files,omitempty"`  // that were written
}

// runLearn executes "clopt structure --learn".
func runLearn(ctx context.Context, call *job.Call, p problems.Problem, prec problems.Precision, devices string,
	key rng.Key, asJSON bool, out string, force bool) error {
	if p.Spec().Family != problems.OpenCL || !p.Structure().Whole() {
		return exit.Usagef("--learn: %s declares what its components read; use --verify to test it", p.Spec())
	}
	source := p.Info().Files[0]
	text, err := os.ReadFile(source)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if gridLine.Match(text) {
		return exit.Usagef("--learn: %s has the directive grid; declare neighbours, as in //@ reads self, right, down",
			source)
	}
	var l *structure.Learnt
	if err := onFirst(ctx, call, p, prec, devices, func(g *shard.Devices) (err error) {
		l, err = structure.Learn(ctx, g, p, prec, key)
		return err
	}); err != nil {
		return err
	}
	r := &learntReport{Problem: p.Spec().String(), Points: l.Points, Reads: facts.ReadsInWords(l.Structure),
		Groups: l.Groups}
	_, _, _, window := l.Structure.Window()
	lists := strings.TrimSuffix(out, filepath.Ext(out)) + ".reads.txt"
	switch {
	case l.Structure.Whole():
	case window:
		r.Directive = "//@ reads " + r.Reads
	default:
		r.Directive = "//@ reads lists " + filepath.Base(lists)
	}
	if out != "" && r.Directive != "" {
		r.Files = []string{out}
		if !window {
			r.Files = append(r.Files, lists)
		}
		for _, name := range r.Files {
			if _, err := os.Lstat(name); err == nil && !force {
				return exit.Usagef("%s exists. Choose another name, or use --force.", name)
			}
		}
		for i, write := range []func(io.Writer) error{
			func(w io.Writer) error { _, err := w.Write(declaring(text, r.Directive)); return err },
			func(w io.Writer) error { return writeLists(w, l.Structure) },
		}[:len(r.Files)] {
			if _, err := runs.WriteWhole(r.Files[i], write); err != nil {
				return err
			}
		}
	}
	if asJSON {
		return json.NewEncoder(call.Stdout).Encode(r)
	}
	r.print(call.Stdout)
	return nil
}

// wholeLine is the directive that declares nothing.
var wholeLine = regexp.MustCompile(`(?m)^[ \t]*//@[ \t]*reads[ \t].*$`)

// gridLine is a directive with which reads has no windows and no lists.
var gridLine = regexp.MustCompile(`(?m)^[ \t]*//@[ \t]*grid[ \t]`)

// declaring returns the text of an objective with the directive in place of its directive reads, or before its first
// line if it has none.
func declaring(text []byte, directive string) []byte {
	if at := wholeLine.FindIndex(text); at != nil {
		return bytes.Join([][]byte{text[:at[0]], text[at[1]:]}, []byte(directive))
	}
	return append([]byte(directive+"\n"), text...)
}

// writeLists writes a line with the variables of each component.
func writeLists(w io.Writer, s problems.Structure) error {
	b := bufio.NewWriter(w)
	var reads []int
	for k := range s.Components() {
		reads = s.Reads(k, reads[:0])
		fmt.Fprintln(b, strings.Trim(fmt.Sprint(reads), "[]"))
	}
	return b.Flush()
}

// print writes the report for a person.
func (r *learntReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s\n  reads       %s, at %d points\n", r.Problem, r.Reads, r.Points)
	switch {
	case r.Directive == "":
		fmt.Fprintf(w, "  declare     nothing: a component reads all variables\n")
	case len(r.Files) > 0:
		fmt.Fprintf(w, "  declare     %s\n  written to  %s\n", r.Directive, strings.Join(r.Files, ", "))
	case strings.HasPrefix(r.Directive, "//@ reads lists"):
		fmt.Fprintf(w, "  declare     lists in a file: write them with -o FILE.cl\n")
	default:
		fmt.Fprintf(w, "  declare     %s\n", r.Directive)
	}
	if r.Groups == nil {
		return
	}
	const shown = 20
	alone, several := 0, [][]int(nil)
	for _, group := range r.Groups {
		if len(group) == 1 {
			alone++
		} else {
			several = append(several, group)
		}
	}
	fmt.Fprintf(w, "  groups      %d of variables that interact, and %d variables alone\n", len(several), alone)
	for i, group := range several {
		if i == shown {
			fmt.Fprintf(w, "              and %d more (--json shows all)\n", len(several)-shown)
			break
		}
		text, more := group, ""
		if len(group) > shown {
			text, more = group[:shown], fmt.Sprintf(" and %d more", len(group)-shown)
		}
		fmt.Fprintf(w, "              %s%s\n", strings.Trim(fmt.Sprint(text), "[]"), more)
	}
	if len(r.Groups) > 1 {
		fmt.Fprintf(w, "              Write one component for each group, and declare what it reads.\n")
	}
}
