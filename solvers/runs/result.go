package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// ResultName is the file of a run folder with the record.Result.
const ResultName = "result.json"

// maxResult is the largest size of that file in bytes.
const maxResult = 4 << 20

// Result is what result.json says of a run.
type Result = record.Result

// WriteResult writes result.json to the folder dir. It is the last file of a run to be written. WriteResult sets the
// Header and Check of the result.
func WriteResult(dir string, r *record.Result) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.writeResult(r)
}

func (f *folder) writeResult(r *record.Result) error {
	r.Header = Header(record.Format, record.Version)
	text, err := r.Seal()
	if err != nil {
		return fmt.Errorf("%s: %w", ResultName, err)
	}
	return f.writeText(ResultName, string(text))
}

// ReadResult reads result.json in the folder dir, compares it with its Check, and sets Folder to dir. The error is a
// Fault. If the folder or the file does not exist, it wraps fs.ErrNotExist.
func ReadResult(dir string) (*record.Result, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.readResult(ResultName)
}

// readResult is ReadResult of a file of an open folder.
func (f *folder) readResult(name string) (*record.Result, error) {
	text, err := f.Read(name, maxResult)
	if err != nil {
		return nil, fault(Input, "%w", err)
	}
	r, err := record.ParseResult(text)
	if err != nil {
		return nil, fault(Input, "%s: %w", filepath.Join(f.Path, name), err)
	}
	r.Folder = f.Path
	return r, nil
}

// Finished returns the result of the run in dir, or nil if the run has none, was cancelled or has failed. A result that
// cannot be read is an error.
func Finished(dir string) (*record.Result, error) {
	r, err := ReadResult(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w. Without this file the run goes on from its checkpoint", err)
	case r.Stop.Reason == solvers.Cancelled.String() || r.Stop.Reason == solvers.Failed.String():
		return nil, nil
	}
	return r, nil
}
