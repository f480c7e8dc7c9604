package job

import "syscall"

// checkpointSignal is a number that Windows never sends. Windows has no signal to ask a run for a checkpoint.
const checkpointSignal = syscall.Signal(10)
