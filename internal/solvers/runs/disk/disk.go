package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxEntries is the largest number of entries of a folder below a run folder.
const maxEntries = 100000

// Disk does the file operations below one folder. Names are relative to the folder, with forward slashes. That of
// Open is the file system; a test can put its own before it, to make operations fail or to record them.
type Disk interface {
	// OpenFile opens a regular file with the flags of os.OpenFile. It follows no symbolic link.
	OpenFile(name string, flag int) (File, error)
	// Lstat describes a file or folder. It follows no symbolic link.
	Lstat(name string) (fs.FileInfo, error)
	// ReadDir returns the entries of a folder, sorted by name. The name of the folder itself is ".".
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string) error
	Rename(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(name string) error
	// SyncFolder writes the entries of a folder to the disk.
	SyncFolder(name string) error
	Close() error
}

// File is an open file of a Disk.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Fd() uintptr
}

// Open opens an existing folder. A symbolic link to a folder is refused.
func Open(path string) (Disk, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, unsuitable(path, "is not a folder", before)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	if now, err := root.Stat("."); err != nil || !os.SameFile(before, now) {
		root.Close()
		return nil, refuse("%s was replaced while it was opened", path)
	}
	return rootDisk{root}, nil
}

// unsuitable returns the error of a file that is of the wrong type.
func unsuitable(path, what string, info fs.FileInfo) error {
	kind := "a special file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		kind = "a file"
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeSymlink != 0:
		kind = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	}
	return refuse("%s %s; it is %s", path, what, kind)
}

// rootDisk is the Disk of the file system. An os.Root never leaves its folder; rootDisk refuses symbolic links inside
// the folder as well.
type rootDisk struct{ root *os.Root }

func (d rootDisk) Close() error { return d.root.Close() }

func (d rootDisk) path(name string) string { return filepath.Join(d.root.Name(), name) }

func (d rootDisk) Lstat(name string) (fs.FileInfo, error) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if info, err := d.root.Lstat(name[:i]); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, unsuitable(d.path(name[:i]), "is not a folder", info)
		}
	}
	return d.root.Lstat(name)
}

func (d rootDisk) OpenFile(name string, flag int) (File, error) {
	before, err := d.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
		flag |= os.O_EXCL // does not follow a link that has appeared meanwhile
	case err != nil:
		return nil, err
	case !before.Mode().IsRegular():
		return nil, unsuitable(d.path(name), "is not a regular file", before)
	case flag&(os.O_WRONLY|os.O_RDWR) != 0 && names(before) > 1:
		return nil, refuse("%s has another name, a hard link, and what it names would change, too; copy the folder",
			d.path(name))
	}
	f, err := d.root.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	if before == nil {
		return f, nil
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		f.Close()
		return nil, refuse("%s was replaced while it was opened", d.path(name))
	}
	return f, nil
}

// openFolder opens a folder inside the Disk.
func (d rootDisk) openFolder(name string) (*os.File, error) {
	info, err := d.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, unsuitable(d.path(name), "is not a folder", info)
	}
	return d.root.Open(name)
}

func (d rootDisk) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.openFolder(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.ReadDir(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(all) > maxEntries {
		return nil, refuse("%s has more than %d entries", d.path(name), maxEntries)
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

func (d rootDisk) Mkdir(name string) error {
	if _, err := d.Lstat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.root.Mkdir(name, 0o777)
}

func (d rootDisk) Rename(from, to string) error {
	for _, name := range []string{from, to} {
		if _, err := d.Lstat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return d.root.Rename(from, to)
}

func (d rootDisk) Remove(name string) error {
	if _, err := d.Lstat(name); err != nil {
		return err
	}
	return d.root.Remove(name)
}

func (d rootDisk) SyncFolder(name string) error {
	f, err := d.openFolder(name)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(f), f.Close())
}
