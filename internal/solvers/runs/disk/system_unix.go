//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// tryLock acquires the lock of the operating system on f. It is released when f is closed or the process ends. The
// error is errLocked if another process has it.
func tryLock(f File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// removeLocked calls remove, which removes the file, and then releases its lock. After the release, the file could
// belong to the next owner.
func removeLocked(f File, remove func()) {
	remove()
	f.Close()
}

// syncFolder writes the entries of an open folder to the disk.
func syncFolder(f *os.File) error { return f.Sync() }

// names returns the number of names of a file, which are hard links to it.
func names(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}
