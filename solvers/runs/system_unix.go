//go:build unix

package runs

import (
	"errors"
	"os"
	"syscall"
)

// tryLock acquires the lock of the operating system on f. It is released when f is closed or the process ends. The
// error is errLocked if another process has it.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// removeLocked removes the file and releases its lock, in this order: after the release, the file could belong to the
// next owner.
func removeLocked(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

// syncFolder writes the entries of a folder to the disk.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
