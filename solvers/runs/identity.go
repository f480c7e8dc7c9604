package runs

import (
	"path/filepath"
	"runtime/debug"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/inputs"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
)

// IdentityOf returns what a task says about the identity of a run. The problem is left out, since a run that is resumed
// may read it from another path.
func IdentityOf(t record.Task) checkpoints.Identity {
	return checkpoints.Identity{Solver: t.Algorithm.Name, Settings: t.Algorithm.Settings, Seed: t.Seed, Run: t.Run,
		Precision: t.Precision}
}

// differs describes how the run of a checkpoint differs from that of a trace. It is "" if they are the same.
func differs(a checkpoints.Identity, start *record.StartLine) string {
	b := IdentityOf(start.Task)
	b.Problem = a.Problem
	b.Source = a.Source
	b.Instance = a.Instance
	return b.Difference(a)
}

// identify returns the identity of run number n.
func (r *Run) identify(n uint32) (checkpoints.Identity, error) {
	if r.hashes == nil && problems.CallOf(r.Problem) != nil {
		r.hashes = &[2]string{} // a function of the host has no text, and may move
	}
	if r.hashes == nil {
		text, err := r.Problem.Text(r.Precision, problems.Tile)
		if err != nil {
			return checkpoints.Identity{}, err
		}
		r.hashes = &[2]string{inputs.SourceHash(text), inputs.TableHash(text, r.Problem.Domain())}
	}
	id := IdentityOf(r.task(n))
	id.Problem = r.ShortSpec()
	id.Source = r.hashes[0]
	id.Instance = r.hashes[1]
	return id, nil
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

// Header returns the header of a file that this program writes.
func Header(format string, version int) record.Header {
	commit, modified := Commit()
	if modified {
		commit += "+"
	}
	return record.Header{Format: format, FormatVersion: version, ToolVersion: ToolVersion, Commit: commit}
}
