package main

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// checkpointSignal is a number that Windows never sends: there is no signal to
// ask a run for a checkpoint.
const checkpointSignal = syscall.Signal(10)

// readerGone says whether a write failed because nobody reads any more.
func readerGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, syscall.EPIPE)
}
