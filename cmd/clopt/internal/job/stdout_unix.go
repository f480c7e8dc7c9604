//go:build unix

package job

import (
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// OwnStdout returns a new file for the standard output of the process, and lets descriptor 1 be standard error. An
// objective that prints does so to descriptor 1 on processors, where it would disturb the results.
func OwnStdout() *os.File {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil || unix.Dup2(2, 1) != nil {
		return os.Stdout
	}
	return os.NewFile(uintptr(fd), "/dev/stdout")
}

// lastLines is how long end waits for lines that were printed.
const lastLines = time.Second

// divert passes each line that objectives and drivers print to descriptors 1 and 2 to say, and returns a new file for
// standard error. A line that is written in parts may come in parts. end lets both descriptors be standard error again.
func divert(say func(line string)) (stderr *os.File, end func(), err error) {
	own, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, err
	}
	stderr = os.NewFile(uintptr(own), "/dev/stderr")
	var readers sync.WaitGroup
	end = func() {
		unix.Dup2(own, 1)
		unix.Dup2(own, 2)
		done := make(chan struct{})
		go func() { readers.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(lastLines): // another process has the descriptors, too
		}
	}
	for _, fd := range []int{1, 2} {
		r, w, err := os.Pipe()
		if err != nil {
			end()
			return nil, nil, err
		}
		readers.Go(func() {
			defer r.Close()
			buf := make([]byte, 64<<10)
			for n, err := r.Read(buf); err == nil; n, err = r.Read(buf) {
				for line := range strings.Lines(string(buf[:n])) {
					say(strings.TrimRight(line, "\r\n"))
				}
			}
		})
		unix.Dup2(int(w.Fd()), fd)
		w.Close()
	}
	// The Go runtime writes to descriptor 2 when the process fails and nobody reads any more. It must not wait.
	unix.SetNonblock(2, true)
	debug.SetCrashOutput(stderr, debug.CrashOptions{})
	return stderr, end, nil
}
