package status

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// readerGone reports whether a write failed because the reader closed the other end.
func readerGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, syscall.EPIPE)
}
