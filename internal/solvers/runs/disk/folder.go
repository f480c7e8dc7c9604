package disk

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
)

// Folder is an open folder. Its methods take names as those of Disk do.
type Folder struct {
	Disk
	Path string
}

// OpenFolder opens a folder of the file system.
func OpenFolder(path string) (*Folder, error) {
	d, err := Open(path)
	if err != nil {
		return nil, err
	}
	return &Folder{d, path}, nil
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

// Exists reports whether there is something of a name.
func (f *Folder) Exists(name string) bool {
	_, err := f.Lstat(name)
	return err == nil
}

// Open opens a file for reading and returns its size.
func (f *Folder) Open(name string) (File, int64, error) {
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

// Read returns the content of a file of at most limit bytes.
func (f *Folder) Read(name string, limit int64) ([]byte, error) {
	file, size, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > limit {
		return nil, refuse("%s has %d bytes; at most %d are read", filepath.Join(f.Path, name), size, limit)
	}
	return io.ReadAll(io.LimitReader(file, limit+1))
}

// Sum returns the SHA-256 of a file.
func (f *Folder) Sum(name string) (string, error) {
	file, size, err := f.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return SumOf(file, size)
}

// SumOf returns the SHA-256 of the next size bytes of a file.
func SumOf(file io.Reader, size int64) (string, error) {
	h := sha256.New()
	_, err := io.CopyN(h, file, size)
	return hex.EncodeToString(h.Sum(nil)), err
}

// longestPart is how many bytes of the name of a file are in its temporary name.
const longestPart = 100

// Write writes a file under a temporary name and renames it, so that it is never half written. It returns the SHA-256
// of the file.
func (f *Folder) Write(name string, write func(io.Writer) error) (sum string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", filepath.Join(f.Path, name), err)
		}
	}()
	base := path.Base(name)
	base = base[:min(len(base), longestPart)] // the name with the rest may be too long
	tmp := path.Join(path.Dir(name), fmt.Sprintf(".%s-%d", base, os.Getpid()))
	if err := f.RemoveIfExists(tmp); err != nil { // of a killed process
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
		f.RemoveIfExists(tmp)
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// RemoveIfExists removes a file, if there is one.
func (f *Folder) RemoveIfExists(name string) error {
	if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveAll removes a file, or a folder with all that is in it, if it exists.
func (f *Folder) RemoveAll(name string) error {
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
			if err := f.RemoveAll(path.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	return f.Remove(name)
}

// MkdirAll makes a folder and those above it, if they do not exist.
func (f *Folder) MkdirAll(name string) error {
	if name == "." {
		return nil
	}
	if err := f.MkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := f.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// WriteWhole writes a file anywhere, as Folder.Write does.
func WriteWhole(path string, write func(io.Writer) error) (sum string, err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer root.Close()
	return (&Folder{rootDisk{root}, filepath.Dir(path)}).Write(filepath.Base(path), write)
}
