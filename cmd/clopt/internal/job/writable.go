package job

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// CheckWritable returns an error if no folder can be made in dir. It leaves nothing behind: it tries the deepest folder
// of the path that exists.
func CheckWritable(dir string) error {
	at := filepath.Clean(dir)
	for {
		_, err := os.Lstat(at)
		if err == nil {
			break
		}
		up := filepath.Dir(at)
		if !errors.Is(err, fs.ErrNotExist) || up == at {
			return exit.Failf(exit.Output, "the folder %s cannot be written: %w", dir, err)
		}
		at = up
	}
	probe, err := os.MkdirTemp(at, ".clopt-")
	if err != nil {
		return exit.Failf(exit.Output, "the folder %s cannot be written: %w", dir, err)
	}
	if err := os.Remove(probe); err != nil {
		return exit.Failf(exit.Output, "the folder %s: %w", dir, err)
	}
	return nil
}
