package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/cl/setup"
	"github.com/clopt/clopt/internal/problems/command"
	"github.com/clopt/clopt/internal/problems/hostmem"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// The exit codes of all commands. docs/reference/exit-codes.md explains them.
const (
	OK         = 0
	Internal   = 1 // also of a campaign with cells that failed
	Usage      = 2
	NoDevice   = 3
	Objective  = 4
	Memory     = 5
	Lost       = 6
	Checkpoint = 7
	Verify     = 8
	NonFinite  = 9
	Output     = 10
	Target     = 11
	Host       = 12
	Worse      = 13 // than a uniform point
	NoPoint    = 14 // that fulfils all constraints was found
	Infeasible = 15 // no point fulfils all constraints, which is proven
	Hangup     = 128 + int(syscall.SIGHUP)
	Interrupt  = 128 + int(syscall.SIGINT)
	Terminated = 128 + int(syscall.SIGTERM)
	CPUTime    = 128 + int(processorTime)
)

// Error is an error with an exit code.
type Error struct {
	code int
	err  error
}

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// Failf returns an error with an exit code.
func Failf(code int, format string, args ...any) error {
	return &Error{code, fmt.Errorf(format, args...)}
}

// Usagef returns an error of flags, files or other input.
func Usagef(format string, args ...any) error { return Failf(Usage, format, args...) }

// With returns err with a code, or err itself if it has one already.
func With(code int, err error) error {
	if err == nil || Code(err) != Internal {
		return err
	}
	return &Error{code, err}
}

// Reported wraps an error that the user has seen already.
type Reported struct{ Err error }

func (r *Reported) Error() string { return r.Err.Error() }
func (r *Reported) Unwrap() error { return r.Err }

// processorTime is SIGXCPU, which Windows does not have: a job has used its processor time.
const processorTime = syscall.Signal(24)

// Stopped is the cause of a context that a signal cancelled.
type Stopped struct{ Signal syscall.Signal }

func (s *Stopped) Error() string { return "stopped by " + SignalName(s.Signal) }

// SignalName returns the name of a signal, such as SIGINT.
func SignalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	case processorTime:
		return "SIGXCPU"
	}
	return s.String()
}

// is reports whether err holds an error of type T.
func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// Code returns the exit code for err.
func Code(err error) int {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Stopped](err); ok {
		return 128 + int(e.Signal)
	}
	if code, ok := carried(err); ok {
		return code
	}
	if e, ok := errors.AsType[*solvers.SettingError](err); ok && e.Large {
		return Memory
	}
	if e, ok := errors.AsType[*input.Error](err); ok && e.Large {
		return Memory
	}
	if e, ok := errors.AsType[*cl.NoDeviceError](err); ok && e.OutOfMemory() {
		return Memory
	}
	switch {
	case is[*problems.PrecisionError](err), is[*cl.NoDeviceError](err), is[*cl.SelectionError](err),
		is[*cl.QueryError](err), is[*setup.CacheError](err):
		return NoDevice
	case is[*input.Error](err), is[*solvers.SettingError](err), is[*trial.ReadError](err),
		is[*trial.IndexError](err), is[*trial.UnsteadyError](err), is[*trial.SetError](err),
		is[*partial.StructureError](err):
		return Usage
	case is[*cl.DeviceError](err), is[*shard.LostError](err):
		return Lost
	case is[*command.Fault](err), is[*cl.BuildError](err), is[*child.EndlessError](err), is[*child.CrashError](err):
		return Objective
	case is[*cl.MemoryError](err), is[*shard.PlanError](err), is[*hostmem.Error](err), is[*child.KilledError](err):
		return Memory
	case is[*checkpoint.Damage](err):
		return Checkpoint
	case is[*shard.CheckError](err), is[*shard.SumError](err), is[*solvers.RestoreError](err):
		return Verify
	case is[*solvers.NonFiniteError](err):
		return NonFinite
	case is[*ranks.Error](err):
		return Host
	case errors.Is(err, context.Canceled):
		return Interrupt
	}
	return Internal
}

// faults maps the faults of run folders to exit codes.
var faults = map[runs.Kind]int{runs.Input: Usage, runs.Output: Output, runs.Damage: Checkpoint,
	runs.Foreign: Checkpoint, runs.Ranks: Host}

// carried returns the code of the first *Error or *runs.Fault in err.
func carried(err error) (code int, ok bool) {
	switch e := err.(type) {
	case *Error:
		return e.code, true
	case *runs.Fault:
		return faults[e.Kind], true
	case interface{ Unwrap() error }:
		return carried(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if code, ok := carried(one); ok {
				return code, true
			}
		}
	}
	return 0, false
}

// unexpected reports whether err has no code of its own.
func unexpected(err error) bool {
	_, ok := carried(err)
	return !ok && Code(err) == Internal
}

// Print prints err with one line for each of its joined errors. Details, such as build logs, follow on more lines.
func Print(w io.Writer, err error) {
	if e, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range e.Unwrap() {
			Print(w, one)
		}
		return
	}
	text := strings.TrimSpace(err.Error())
	switch {
	case unexpected(err):
		text = "clopt: internal error: " + text + ". Please report it with the command and the version (clopt version)."
	case strings.Contains(FirstLine(text), ": error: "): // FILE:LINE:COL: error: …
	default:
		// The prefixes of packages mean nothing to a user of the command.
		for _, prefix := range []string{"cl: ", "shard: ", "solvers: ", "problems: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		text = "clopt: error: " + text
	}
	fmt.Fprintln(w, text)
}

// FirstLine returns s up to the first line break.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
