package runs

import (
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// Collect reads the results in folders and their subfolders, each once, and counts the unfinished runs. Its errors are
// Faults.
func Collect(folders []string) (all []*Result, unfinished int, err error) {
	seen := map[string]bool{}
	for _, top := range folders {
		n := len(all)
		top = disk.Resolve(filepath.Clean(top))
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if input.HasControl(path) {
				return fault(Input, "%q: the name has control characters", path)
			}
			switch d.Name() {
			case storeName:
				return fs.SkipDir
			case resultName:
				real, err := filepath.EvalSymlinks(path)
				if err != nil || seen[real] {
					return err
				}
				seen[real] = true
				r, err := ReadResult(filepath.Dir(path))
				if err != nil {
					return err
				}
				if r.Stop.Reason == solvers.Cancelled.String() {
					unfinished++
					return nil
				}
				all = append(all, r)
			case traceName:
				if r := filepath.Join(filepath.Dir(path), resultName); !Exists(r) {
					unfinished++
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, fault(Input, "%w", err)
		}
		if len(all) == n && unfinished == 0 {
			return nil, 0, fault(Input, "%s holds no result.json, and neither does a folder below it", top)
		}
	}
	return all, unfinished, nil
}
