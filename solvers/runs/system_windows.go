package runs

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the system's lock on f, which ends with f and with the process.
// errLocked: another process has it. Windows forbids others to read what is
// locked, so it is one byte far beyond the text that names the owner.
func tryLock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

// removeLocked gives the lock back and removes the file. Windows removes no open
// file: not this one before it is closed, and not that of the next owner.
func removeLocked(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// syncFolder does nothing: Windows has no call for it, and its file systems
// keep a journal of names.
func syncFolder(string) error { return nil }
