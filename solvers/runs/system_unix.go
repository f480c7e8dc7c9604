//go:build unix

package runs

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the system's lock on f, which ends with f and with the process.
// errLocked: another process has it.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// removeLocked removes the file and gives its lock back. It removes first, so
// that it is never the file of the next owner.
func removeLocked(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

// syncFolder puts the names in a folder on the disk.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
