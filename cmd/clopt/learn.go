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
	"github.com/clopt/clopt/internal/solvers/structure"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// runLearn executes "clopt structure --learn".
func runLearn(ctx context.Context, t structureTest, asJSON bool, out string, force bool) error {
	p := t.p
	if inferred := p.Info().Inferred; p.Spec().Family != problems.OpenCL || !p.Structure().Whole() && !inferred {
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
	l := &structure.Learnt{Structure: p.Structure()}
	if l.Structure.Whole() {
		if err := t.run(ctx, func(g *shard.Devices) (err error) {
			l, err = structure.Learn(ctx, g, p, t.prec, t.key)
			return err
		}); err != nil {
			return err
		}
	}
	r := &facts.Learnt{Problem: p.Spec().String(), Points: l.Points, Reads: facts.ReadsInWords(l.Structure),
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
		var files newFiles
		files.add(out, content(declaring(text, r.Directive)))
		if !window {
			files.add(lists, func(w io.Writer) error { return writeLists(w, l.Structure) })
		}
		if err := files.write(ctx, t.call, force); err != nil {
			return err
		}
		r.Files = files.names()
	}
	if asJSON {
		return json.NewEncoder(t.call.Stdout).Encode(r)
	}
	r.Print(t.call.Stdout)
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
