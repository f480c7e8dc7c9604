package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A closed pipe must not end a run whose result can still be stored:
	// writes then fail with EPIPE, which is ignored.
	signal.Ignore(syscall.SIGPIPE)
	// Batch systems send it to ask for a checkpoint; until a run can give one
	// the default action would end it.
	signal.Ignore(checkpointSignal)
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
