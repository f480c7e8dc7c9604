// Package inspect reads the folders of runs: it checks their files, and returns the course of a run.
package inspect

import (
	"errors"
	"fmt"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers/runs"
)

// openFolder opens a run folder. The error is a runs.Fault.
func openFolder(path string) (*disk.Folder, error) {
	f, err := disk.OpenFolder(path)
	if err != nil {
		return nil, wrong("%w", err)
	}
	return f, nil
}

// wrong returns a runs.Fault with a formatted error. If that wraps a Fault, it has the kind of that one, and
// otherwise runs.Input.
func wrong(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	kind := runs.Input
	if inner, ok := errors.AsType[*runs.Fault](err); ok {
		kind = inner.Kind
	}
	return &runs.Fault{Kind: kind, Err: err}
}
