package runs

import (
	"path/filepath"
	"runtime/debug"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/runs/checkpoints"
	"github.com/clopt/clopt/solvers/runs/inputs"
	"github.com/clopt/clopt/solvers/runs/record"
)

// differs describes the first difference of a checkpoint and the first line of the trace. It is "" if they agree.
func differs(a checkpoints.Identity, start *record.StartLine) string {
	b := a
	b.Solver, b.Settings = start.Algorithm.Name, start.Algorithm.Settings
	b.Seed, b.Run, b.Precision = start.Seed, start.Run, start.Precision
	return b.Difference(a)
}

// identify returns the identity of run number n.
func (r *Run) identify(n uint32) (checkpoints.Identity, error) {
	if r.hashes == nil {
		text, err := r.Problem.Text(r.Precision, problems.Tile)
		if err != nil {
			return checkpoints.Identity{}, err
		}
		r.hashes = &[2]string{inputs.SourceHash(text), inputs.TableHash(text, r.Problem.Domain())}
	}
	return checkpoints.Identity{
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
