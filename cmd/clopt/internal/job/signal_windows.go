package job

import (
	"os"
	"syscall"
)

// checkpointSignal is a number that Windows never sends. Windows has no signal to ask a run for a checkpoint.
const checkpointSignal = syscall.Signal(10)

// stopSignals end a command.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// repeats reports whether a signal comes again and again by itself; none does.
func repeats(syscall.Signal) bool { return false }
