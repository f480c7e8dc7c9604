package runs

import (
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/solvers"
)

// Collect reads the results in folders and their subfolders, each once, and counts the unfinished runs. Its errors are
// Faults.
func Collect(folders []string) (all []*Result, unfinished int, err error) {
	seen := map[string]bool{}
	for _, top := range folders {
		n := len(all)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			switch d.Name() {
			case "checkpoint":
				return fs.SkipDir
			case "result.json":
				real, err := filepath.EvalSymlinks(path)
				if err != nil || seen[real] {
					return err
				}
				seen[real] = true
				r, err := ReadResult(path)
				if err != nil {
					return &Fault{Input, err}
				}
				if r.Stop.Reason == solvers.Cancelled.String() {
					unfinished++
					return nil
				}
				all = append(all, r)
			case "trace.jsonl":
				if r := filepath.Join(filepath.Dir(path), "result.json"); !Exists(r) {
					unfinished++
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, &Fault{Input, err}
		}
		if len(all) == n && unfinished == 0 {
			return nil, 0, fault(Input, "%s holds no result.json, and neither does a folder below it", top)
		}
	}
	return all, unfinished, nil
}
