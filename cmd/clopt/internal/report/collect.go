package report

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// collection is what collect has found.
type collection struct {
	results   []*runs.Result // of runs that have ended, also by a failure
	running   int            // runs in whose folders a process works
	cancelled int            // runs that can be resumed, and those that were interrupted
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
				return err
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
	case works(dir):
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

// works reports whether a process works in a folder. A process that was killed leaves its lock behind, but free.
func works(dir string) bool {
	if !runs.Exists(filepath.Join(dir, "lock")) {
		return false
	}
	unlock, err := runs.Lock(dir)
	if err == nil {
		unlock()
	}
	return err != nil
}
