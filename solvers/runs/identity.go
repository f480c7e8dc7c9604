package runs

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strconv"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/runs/inputs"
)

// identity has the properties in which a resumed run must be equal to the stored one.
type identity struct {
	Problem   string `json:"problem"`
	Source    string `json:"source,omitempty"` // SHA-256 of the text of an objective
	Instance  string `json:"instance"`         // SHA-256 of the tables
	Solver    string `json:"solver"`
	Settings  string `json:"settings"`
	Seed      uint32 `json:"seed"`
	Run       uint32 `json:"run"`
	Precision string `json:"precision"`
}

// difference describes the first difference of two runs. It is "" if they are equal.
func (a identity) difference(b identity) string {
	for _, f := range []struct{ name, a, b string }{
		{"problem", a.Problem, b.Problem},
		{"objective's text (SHA-256)", a.Source, b.Source},
		{"instance data (SHA-256)", a.Instance, b.Instance},
		{"solver", a.Solver, b.Solver},
		{"solver settings", a.Settings, b.Settings},
		{"seed", strconv.FormatUint(uint64(a.Seed), 10), strconv.FormatUint(uint64(b.Seed), 10)},
		{"run", strconv.FormatUint(uint64(a.Run), 10), strconv.FormatUint(uint64(b.Run), 10)},
		{"precision", a.Precision, b.Precision},
	} {
		if f.a != f.b {
			return fmt.Sprintf("the %s is %s, and was %s", f.name, f.b, f.a)
		}
	}
	return ""
}

// differs describes the first difference of a checkpoint and the first line of the trace. It is "" if they agree.
func (a identity) differs(start *StartLine) string {
	b := a
	b.Solver, b.Settings = start.Algorithm.Name, start.Algorithm.Settings
	b.Seed, b.Run, b.Precision = start.Seed, start.Run, start.Precision
	return b.difference(a)
}

// identify returns the identity of run number n.
func (r *Run) identify(n uint32) (identity, error) {
	if r.hashes == nil {
		text, err := r.Problem.Text(r.Precision, problems.Tile)
		if err != nil {
			return identity{}, err
		}
		r.hashes = &[2]string{inputs.SourceHash(text), inputs.TableHash(text, r.Problem.Domain())}
	}
	return identity{
		Problem: r.ShortSpec(), Source: r.hashes[0], Instance: r.hashes[1],
		Solver: r.Solver.Name(), Settings: r.Solver.String(),
		Seed: r.Seed, Run: n, Precision: r.Precision.String(),
	}, nil
}

// ShortSpec returns the spec of the problem. Of the path of an objective file it has the last element only, since the
// file may have moved, and a file of bounds has its name in run folders.
func (r *Run) ShortSpec() string {
	spec := r.Problem.Spec()
	if _, ok := spec.Get("bounds"); ok && !r.Problem.Domain().Binary {
		spec = spec.With("bounds", boundsName)
	}
	if spec.File {
		spec.Name = filepath.Base(spec.Name)
	}
	return spec.String()
}

// ToolVersion is the version of the tool that writes run folders.
const ToolVersion = "0.1.0"

// Commit returns the commit from which the program was built, and whether files were changed since. It is "" if the
// program was not built in a repository.
func Commit() (commit string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return commit, modified
}
