package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const lockName = "lock"

// maxTries is how often Lock tries to acquire a lock that other processes remove meanwhile.
const maxTries = 1000

// errLocked means that another process has the lock.
var errLocked = errors.New("locked by another process")

// Lock acquires the file lock of the folder and returns its release function. The file names the process that has the
// lock. The lock itself is that of the operating system, which releases it when the process ends in any way. The
// release function closes the folder, and so does Lock with an error. That is a *Refused if another process has the
// lock.
func (d *Folder) Lock() (unlock func(), err error) {
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	for range maxTries {
		f, err := d.OpenFile(lockName, os.O_RDWR|os.O_CREATE)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
			continue // the former owner removed the file, or the next one made it
		}
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		err = tryLock(f)
		for range 3 { // Locked has the lock for a moment
			if !errors.Is(err, errLocked) {
				break
			}
			time.Sleep(10 * time.Millisecond)
			err = tryLock(f)
		}
		if err != nil {
			owner, _ := io.ReadAll(io.LimitReader(f, 200))
			f.Close()
			if errors.Is(err, errLocked) {
				// An owner that has just acquired the lock has not written its name yet.
				name := cmp.Or(strings.Join(strings.Fields(string(owner)), " "), "another process")
				return nil, refuse("%s is in use by %s. Wait for that process, or end it.", d.Path, name)
			}
			return nil, fmt.Errorf("lock: %s: %w", filepath.Join(d.Path, lockName), err)
		}
		// The former owner may have removed the file between the two calls.
		mine, err := f.Stat()
		there, err2 := d.Lstat(lockName)
		if err != nil || err2 != nil || !os.SameFile(mine, there) {
			f.Close()
			continue
		}
		host, _ := os.Hostname()
		text := fmt.Sprintf("pid %d\nhost %s\n", os.Getpid(), host)
		if err := errors.Join(f.Truncate(0), second(f.WriteAt([]byte(text), 0))); err != nil {
			f.Close()
			return nil, fmt.Errorf("lock: %w", err)
		}
		return func() {
			removeLocked(f, func() { d.Remove(lockName) })
			d.Close()
		}, nil
	}
	return nil, fmt.Errorf("lock: %s comes and goes", filepath.Join(d.Path, lockName))
}

// Locked reports whether a process has the lock of the folder. It changes nothing.
func (d *Folder) Locked() bool {
	f, err := d.OpenFile(lockName, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(tryLock(f), errLocked)
}

func second(_ int, err error) error { return err }
