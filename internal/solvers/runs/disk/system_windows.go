package disk

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock acquires the lock of the operating system on f. It is released when f is closed or the process ends. The
// error is errLocked if another process has it. Other processes cannot read the locked bytes on Windows, so tryLock
// locks one byte far beyond the text that names the owner.
func tryLock(f File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

// removeLocked releases the lock and calls remove, which removes the file. Windows does not remove open files, so it
// cannot remove the file of the next owner.
func removeLocked(f File, remove func()) {
	f.Close()
	remove()
}

// syncFolder does nothing. Windows has no call for it, and its file systems keep a journal of entries.
func syncFolder(*os.File) error { return nil }

// names returns 1. Windows knows the number of names of open files only.
func names(fs.FileInfo) int { return 1 }
