package runs

import (
	"io"
	"path/filepath"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers"
)

// WriteWhole writes a file under a temporary name and renames it, so that path is never half written. It returns the
// SHA-256 of the file. The error is a Fault.
func WriteWhole(path string, write func(io.Writer) error) (sum string, err error) {
	if sum, err = disk.WriteWhole(path, write); err != nil {
		return "", fault(Output, "%w", err)
	}
	return sum, nil
}

// writePoint writes the best point of a result in the format "npy" or "txt". It returns the name of the file and its
// SHA-256, or "" in another format. A point that is in a file is renamed, or copied and removed.
func writePoint(dir *folder, format string, res *solvers.Result) (name, sum string, err error) {
	each := input.Numbers(res.X)
	defer dir.RemoveIfExists(pointName)
	if res.XFile != "" {
		from := filepath.Base(res.XFile)
		file, size, err := dir.Open(from)
		if err != nil {
			return "", "", err
		}
		defer file.Close()
		if format == "npy" {
			if sum, err = disk.SumOf(file, size); err == nil && from != npyName {
				err = dir.Rename(from, npyName)
			}
			return npyName, sum, err
		}
		head, err := input.ReadNpyHeader(file, size, "f8")
		if err != nil {
			return "", "", err
		}
		each = func(f func(i int, v float64) error) error { return head.Each(file, f) }
	}
	switch format {
	case "npy":
		name = npyName
		sum, err = dir.write(name, func(w io.Writer) error { return input.WriteNpy(w, res.X) })
	case "txt":
		name = "best.txt"
		sum, err = dir.write(name, func(w io.Writer) error { return input.WriteText(w, each) })
	}
	return name, sum, err
}

const npyName = "best.npy"
