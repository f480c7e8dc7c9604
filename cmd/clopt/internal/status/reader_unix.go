//go:build unix

package status

import (
	"errors"
	"syscall"
)

// readerGone reports whether a write failed because the reader closed the other end.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
