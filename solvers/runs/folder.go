package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// folder is an open run folder.
type folder struct {
	Disk
	path string
}

// openFolder opens a run folder for reading.
func openFolder(path string) (*folder, error) {
	d, err := OpenDisk(path)
	if err != nil {
		return nil, fault(Input, "%w", err)
	}
	return &folder{d, path}, nil
}

// Resolve returns the folder that path names. The files of a run are read through no symbolic link, but a user may give
// a link to a run folder.
func Resolve(path string) string {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
	}
	return path
}

// exists reports whether there is something of a name.
func (f *folder) exists(name string) bool {
	_, err := f.Lstat(name)
	return err == nil
}

// open opens a file for reading and returns its size.
func (f *folder) open(name string) (File, int64, error) {
	file, err := f.OpenFile(name, os.O_RDONLY)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// read returns the content of a file of at most limit bytes.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	file, size, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > limit {
		return nil, fault(Input, "%s has %d bytes; at most %d are read", filepath.Join(f.path, name), size, limit)
	}
	return io.ReadAll(io.LimitReader(file, limit+1))
}

// sum returns the SHA-256 of a file.
func (f *folder) sum(name string) (string, error) {
	file, size, err := f.open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return sumOf(file, size)
}

// sumOf returns the SHA-256 of the next size bytes of a file.
func sumOf(file io.Reader, size int64) (string, error) {
	h := sha256.New()
	_, err := io.CopyN(h, file, size)
	return hex.EncodeToString(h.Sum(nil)), err
}

// write writes a file under a temporary name and renames it, so that it is never half written. It returns the SHA-256
// of the file.
func (f *folder) write(name string, write func(io.Writer) error) (sum string, err error) {
	defer func() {
		if err != nil {
			err = fault(Output, "%s: %w", filepath.Join(f.path, name), err)
		}
	}()
	tmp := path.Join(path.Dir(name), fmt.Sprintf(".%s-%d", path.Base(name), os.Getpid()))
	if err := f.removeIfExists(tmp); err != nil { // of a killed process
		return "", err
	}
	file, err := f.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	err = errors.Join(write(io.MultiWriter(file, hash)), file.Sync(), file.Close())
	if err == nil {
		err = f.Rename(tmp, name)
	}
	if err == nil {
		err = f.SyncFolder(path.Dir(name))
	}
	if err != nil {
		f.removeIfExists(tmp)
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// removeIfExists removes a file, if there is one.
func (f *folder) removeIfExists(name string) error {
	if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeAll removes a file, or a folder with all that is in it, if it exists.
func (f *folder) removeAll(name string) error {
	info, err := f.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := f.ReadDir(name)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := f.removeAll(path.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	return f.Remove(name)
}

// Exists reports whether there is a file or folder at path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

var unsafe = regexp.MustCompile(`[^a-z0-9._]+`)

// Slug joins texts into the name of a folder, of at most 120 bytes. For example, it turns "rastrigin:n=1e8" into
// "rastrigin-n-1e8".
func Slug(parts ...string) string {
	s := unsafe.ReplaceAllString(strings.ToLower(strings.Join(parts, "-")), "-")
	s = strings.Trim(s, "-.")
	if len(s) > 120 {
		s = strings.Trim(s[:120], "-.")
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

// Claim makes a run folder if it does not exist, and locks it. It returns the function that releases the lock.
func Claim(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fault(Output, "run folder: %w", err)
	}
	return Lock(dir)
}

// Clear removes trace, result and best point of an interrupted run. The caller has locked the folder.
func Clear(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range []string{"trace.jsonl", resultName, "best.npy", "best.txt", "best.sol"} {
		if err := f.removeIfExists(name); err != nil {
			return fault(Output, "%w", err)
		}
	}
	return nil
}
