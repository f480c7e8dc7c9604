package status

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// readerGone says whether a write failed because nobody reads any more.
func readerGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, syscall.EPIPE)
}
