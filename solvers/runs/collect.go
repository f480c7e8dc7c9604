package runs

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// Collection is what Collect has found.
type Collection struct {
	Results   []*Result // of runs that have ended, also by a failure
	Running   int       // runs in whose folders a process works
	Cancelled int       // runs that can be resumed, and those that were interrupted
}

// Collect reads the results in folders and their subfolders, each once. Its errors are Faults.
func Collect(folders []string) (*Collection, error) {
	all := &Collection{}
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
				return fault(Input, "%q: the name has control characters", path)
			case d.Name() == storeName:
				return fs.SkipDir
			case d.Name() != traceName && d.Name() != resultName:
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
			return nil, fault(Input, "%w", err)
		}
		if !found {
			return nil, fault(Input, "%s holds no result.json, and neither does a folder below it", top)
		}
	}
	return all, nil
}

// add adds the run of a folder.
func (c *Collection) add(dir string) error {
	r, err := ReadResult(dir)
	switch {
	case works(dir):
		c.Running++
	case errors.Is(err, fs.ErrNotExist), err == nil && r.Stop.Reason == solvers.Cancelled.String():
		c.Cancelled++
	case err != nil:
		return err
	default:
		c.Results = append(c.Results, r)
	}
	return nil
}

// works reports whether a process works in a folder. A process that was killed leaves its lock behind, but free.
func works(dir string) bool {
	if !Exists(filepath.Join(dir, "lock")) {
		return false
	}
	unlock, err := Lock(dir)
	if err == nil {
		unlock()
	}
	return err != nil
}
