package runs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// Exists reports whether there is a file or folder at path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

var unsafe = regexp.MustCompile(`[^\pL\pN._]+`)

// Slug joins texts into the name of a folder, of at most 120 bytes. For example, it turns "rastrigin:n=1e8" into
// "rastrigin-n-1e8".
func Slug(parts ...string) string {
	s := unsafe.ReplaceAllString(strings.ToLower(strings.Join(parts, "-")), "-")
	s = strings.Trim(s, "-.")
	if len(s) > 120 {
		s = strings.Trim(strings.ToValidUTF8(s[:120], ""), "-.")
	}
	if s == "" {
		s = "run"
	}
	return s
}

// CheckName returns s, or an error if s cannot be the name of a run folder.
func CheckName(s string) (string, error) {
	if s == "" || s == "." || s == ".." || strings.ContainsAny(s, "/\\") || input.HasControl(s) || len(s) > 200 {
		return "", fmt.Errorf("%q is not the name of a folder; use letters, digits, dots and dashes", s)
	}
	return s, nil
}

// NewFolder makes a new folder in parent and returns its path. If NAME exists, it makes NAME.2, NAME.3 and so on.
func NewFolder(parent, name string) (string, error) {
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", fault(Output, "run folder: %w", err)
	}
	for i := 1; ; i++ {
		dir := filepath.Join(parent, name)
		if i > 1 {
			dir += "." + strconv.Itoa(i)
		}
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fault(Output, "run folder: %w", err)
		}
	}
}

// folder is an open run folder.
type folder struct{ *disk.Folder }

// openFolder opens a run folder.
func openFolder(path string) (*folder, error) {
	f, err := disk.OpenFolder(path)
	if err != nil {
		return nil, fault(Input, "%w", err)
	}
	return &folder{f}, nil
}

// write is Write with a Fault as its error.
func (f *folder) write(name string, write func(io.Writer) error) (sum string, err error) {
	if sum, err = f.Write(name, write); err != nil {
		return "", fault(Output, "%w", err)
	}
	return sum, nil
}

// writeText is write of a text.
func (f *folder) writeText(name, text string) error {
	_, err := f.write(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return err
}

// writeRows is write of rows of numbers, one a line.
func (f *folder) writeRows(name string, rows int, row func(i int) []float64) error {
	_, err := f.write(name, func(w io.Writer) error {
		for i := range rows {
			if err := input.WriteText(w, input.Numbers(row(i))); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// Lock acquires DIR/lock and returns its release function. The error is a Fault.
func Lock(dir string) (unlock func(), err error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return f.lock()
}

// lock is Lock of an open folder, which it closes with the lock or with an error.
func (f *folder) lock() (unlock func(), err error) {
	if unlock, err = f.Lock(); err != nil {
		return nil, fault(Output, "%w", err)
	}
	return unlock, nil
}

// Locked reports whether a process works in a folder. A process that was killed leaves its lock behind, but free.
func Locked(dir string) bool {
	f, err := openFolder(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Locked()
}

// Claim makes a run folder if it does not exist, and locks it. It returns the function that releases the lock.
func Claim(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fault(Output, "run folder: %w", err)
	}
	return Lock(dir)
}

// Discard removes the folder of a run, unless it holds a sample, a checkpoint or a result.
func Discard(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, TraceName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(text, []byte(`"sample"`)) ||
		Exists(filepath.Join(dir, ResultName)) {
		return
	}
	if stored, err := Checkpoints(dir); err == nil && len(stored) == 0 {
		os.RemoveAll(dir)
	}
}

// Clear removes trace, result and best point of an interrupted run. The caller has locked the folder.
func Clear(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range []string{"trace.jsonl", ResultName, earlierName, "best.npy", "best.txt", "best.sol",
		samplesName} {
		if err := f.RemoveIfExists(name); err != nil {
			return fault(Output, "%w", err)
		}
	}
	return nil
}
