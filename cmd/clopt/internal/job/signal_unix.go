//go:build unix

package job

import (
	"syscall"
)

// checkpointSignal asks a run for a checkpoint.
const checkpointSignal = syscall.SIGUSR1
