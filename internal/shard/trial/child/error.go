package child

import (
	"fmt"
	"time"
)

// StartError means that there was no trial, because no child process could make it.
type StartError struct {
	Program string
	Err     error
}

func (e *StartError) Error() string { return fmt.Sprintf("a trial by %s: %v", e.Program, e.Err) }

func (e *StartError) Unwrap() error { return e.Err }

// EndlessError means that a trial has not ended.
type EndlessError struct {
	Source, Device string
	Limit          time.Duration
	Compiles       bool // it was still being compiled
	Busy           bool // other programs may have slowed it down
}

// Error ends with what to do, without a full stop.
func (e *EndlessError) Error() string {
	what := "the first evaluation on"
	do := "Look for a loop without an end"
	busy := ""
	if e.Compiles {
		what, do = "the compiler of", "Make the text simpler"
	}
	if e.Busy {
		busy = ", perhaps because the machine is busy"
	}
	return fmt.Sprintf("%s: error: %s %s has not ended after %v%s. %s", e.Source, what, e.Device, e.Limit, busy, do)
}

// CrashError means that the child process has crashed in a trial.
type CrashError struct {
	Source, Device string
	Err            error // how it ended
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("%s: error: the first evaluation crashed on %s: %v. Look for wrong pointers and for indices "+
		"outside of tables and arrays.", e.Source, e.Device, e.Err)
}

func (e *CrashError) Unwrap() error { return e.Err }

// KilledError means that the child process of a trial was killed.
type KilledError struct{ Source, Device string }

func (e *KilledError) Error() string {
	return fmt.Sprintf("%s: error: the process of the first evaluation on %s was killed, perhaps because memory ran "+
		"out. Choose fewer variables, or a machine with more memory.", e.Source, e.Device)
}
