//go:build unix

package job

import (
	"os"
	"syscall"
)

// checkpointSignal asks a run for a checkpoint.
const checkpointSignal = syscall.SIGUSR1

// stopSignals end a command. Batch systems send SIGXCPU when a job has used its processor time.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGXCPU}

// repeats reports whether a signal comes again and again, without anybody who asks for more than the first one did. The
// kernel sends SIGXCPU once a second.
func repeats(s syscall.Signal) bool { return s == syscall.SIGXCPU }
