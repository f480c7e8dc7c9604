package setup

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// PoCL is the name of its platform.
const PoCL = "Portable Computing Language"

// CacheVariable names the folder in which PoCL stores kernels.
const CacheVariable = "POCL_CACHE_DIR"

// cacheRoom is the room that a cache needs, in bytes. The kernels of a run take less than a megabyte.
const cacheRoom = 4 << 20

// CacheError means that PoCL cannot store the kernels that it compiles. It then has no device, refuses every text, or
// ends the process.
type CacheError struct {
	Dir string
	Err error
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("PoCL cannot store the kernels that it compiles in %s: %v. %s", e.Dir, e.Err, e.cure())
}

func (e *CacheError) Unwrap() error { return e.Err }

// cure says what to do.
func (e *CacheError) cure() string {
	return fmt.Sprintf("Make room for %d MiB there, or run: export %s=/tmp/pocl, or another folder that can be written",
		cacheRoom>>20, CacheVariable)
}

// CacheDir returns the folder in which PoCL stores kernels.
func CacheDir(getenv func(string) string) string {
	if dir := getenv(CacheVariable); dir != "" {
		return dir
	}
	home := ""
	if h := getenv("HOME"); h != "" {
		home = filepath.Join(h, ".cache")
	}
	if base := cmp.Or(getenv("XDG_CACHE_HOME"), home); base != "" {
		return filepath.Join(base, "pocl", "kcache")
	}
	return filepath.Join(os.TempDir(), "pocl", "kcache")
}

// CheckCache makes the folder of a cache if it is not there, writes a file to it and removes it. The error is a
// *CacheError.
func CheckCache(dir string) error {
	fail := func(err error) error {
		if e, ok := errors.AsType[*os.PathError](err); ok {
			err = e.Err // the name of the file says nothing
		}
		return &CacheError{dir, err}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fail(err)
	}
	f, err := os.CreateTemp(dir, "clopt-*")
	if err != nil {
		return fail(err)
	}
	_, err = f.Write(make([]byte, cacheRoom))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return fail(err)
	}
	return nil
}
