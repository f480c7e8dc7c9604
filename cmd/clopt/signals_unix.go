//go:build unix

package main

import (
	"errors"
	"syscall"
)

// checkpointSignal asks a run for a checkpoint.
const checkpointSignal = syscall.SIGUSR1

// readerGone says whether a write failed because nobody reads any more.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
