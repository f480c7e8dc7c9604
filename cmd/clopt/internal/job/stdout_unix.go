//go:build unix

package job

import (
	"os"

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
