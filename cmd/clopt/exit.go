package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// The exit codes, the same for every command. docs/reference/exit-codes.md says
// what they mean.
const (
	exitOK         = 0
	exitInternal   = 1
	exitUsage      = 2
	exitNoDevice   = 3
	exitObjective  = 4
	exitMemory     = 5
	exitLost       = 6
	exitCheckpoint = 7
	exitVerify     = 8
	exitNonFinite  = 9
	exitOutput     = 10
	exitTarget     = 11
	exitHost       = 12
	exitHangup     = 128 + int(syscall.SIGHUP)
	exitInterrupt  = 128 + int(syscall.SIGINT)
	exitTerminated = 128 + int(syscall.SIGTERM)
)

// codedError is an error whose exit code the command itself knows.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// fail makes an error with an exit code.
func fail(code int, format string, args ...any) error {
	return &codedError{code, fmt.Errorf(format, args...)}
}

// usagef is an error of flags, files or other input.
func usagef(format string, args ...any) error { return fail(exitUsage, format, args...) }

// coded gives err a code unless it carries one already.
func coded(code int, err error) error {
	if err == nil || exitCode(err) != exitInternal {
		return err
	}
	return &codedError{code, err}
}

// stopped is the cause of a context that a signal cancelled.
type stopped struct{ sig syscall.Signal }

func (s *stopped) Error() string { return "stopped by " + signalName(s.sig) }

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return s.String()
}

// is says whether err holds an error of type T.
func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// exitCode is the one place that maps errors to exit codes.
func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if e, ok := errors.AsType[*stopped](err); ok {
		return 128 + int(e.sig)
	}
	if e, ok := errors.AsType[*codedError](err); ok {
		return e.code
	}
	switch {
	case is[*problems.PrecisionError](err), is[*cl.NoDeviceError](err), is[*cl.SelectionError](err):
		return exitNoDevice
	case is[*input.Error](err), is[*solvers.SettingError](err), is[*shard.ReadError](err):
		return exitUsage
	case is[*cl.BuildError](err):
		return exitObjective
	case is[*cl.MemoryError](err), is[*shard.PlanError](err):
		return exitMemory
	case is[*checkpoint.Damage](err):
		return exitCheckpoint
	case is[*shard.CheckError](err), is[*solvers.RestoreError](err):
		return exitVerify
	case is[*solvers.NonFiniteError](err):
		return exitNonFinite
	case errors.Is(err, context.Canceled):
		return exitInterrupt
	}
	return exitInternal
}

// complain prints err: one line for each of its joined errors, with details
// after the first line where there are any (build logs).
func complain(w io.Writer, err error) {
	if e, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range e.Unwrap() {
			complain(w, one)
		}
		return
	}
	text := strings.TrimSpace(err.Error())
	switch {
	case exitCode(err) == exitInternal:
		text = "clopt: internal error: " + text + ". Please report it with the command and the version (clopt version)."
	case strings.Contains(firstLine(text), ": error: "): // FILE:LINE:COL: error: …
	default:
		// The packages prefix their errors once; a person need not see it.
		for _, prefix := range []string{"cl: ", "shard: ", "solvers: ", "problems: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		text = "clopt: error: " + text
	}
	fmt.Fprintln(w, text)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// output remembers the first failure to write, except that the reader went
// away: then there is nobody left to tell.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	if o.err == nil {
		if _, err := o.w.Write(b); err != nil && !readerGone(err) && !errors.Is(err, os.ErrClosed) {
			o.err = err
		}
	}
	return len(b), nil
}
