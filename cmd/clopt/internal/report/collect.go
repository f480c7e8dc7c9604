package report

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// collection is what collect has found.
type collection struct {
	results   []*record.Result // of runs that have ended, also by a failure
	running   int              // runs in whose folders a process works
	cancelled int              // runs that can be resumed, and those that were interrupted
}

// collect reads the results in folders and their subfolders, each once.
func collect(folders []string) (*collection, error) {
	all := &collection{}
	seen := map[string]bool{}
	for _, top := range folders {
		found := false
		top = disk.Resolve(filepath.Clean(top))
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && path != top:
				return nil // a run that goes on has removed it
			case err != nil:
				return input.FileError(path, err)
			case input.HasControl(path):
				return exit.Usagef("%q: the name has control characters", path)
			case d.Name() == "checkpoint":
				return fs.SkipDir
			case d.Name() != "trace.jsonl" && d.Name() != "result.json":
				return nil
			}
			found = true
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil || seen[dir] {
				return err
			}
			seen[dir] = true
			return all.add(filepath.Dir(path))
		})
		if err != nil {
			return nil, exit.Usagef("%w", err)
		}
		if !found {
			return nil, exit.Usagef("%s holds no result.json, and neither does a folder below it", top)
		}
	}
	return all, nil
}

// add adds the run of a folder.
func (c *collection) add(dir string) error {
	r, err := runs.ReadResult(dir)
	switch {
	case runs.Locked(dir):
		c.running++
	case errors.Is(err, fs.ErrNotExist), err == nil && r.Stop.Reason == solvers.Cancelled.String():
		c.cancelled++
	case err != nil:
		return err
	default:
		c.results = append(c.results, r)
	}
	return nil
}

// Look returns how many runs in folders and below have ended, and whether processes work there. The error is about
// folders in which nobody works.
func Look(folders []string) (ended int, going bool, err error) {
	all, err := collect(folders)
	if err == nil {
		ended, going = len(all.results), all.running > 0
	}
	if going = going || slices.ContainsFunc(folders, runs.Locked); going {
		err = nil
	}
	return ended, going, err
}
