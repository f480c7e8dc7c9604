//go:build unix

package status

import (
	"errors"
	"syscall"
)

// readerGone says whether a write failed because nobody reads any more.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
