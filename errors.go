package clopt

import (
	"context"
	"io"

	"github.com/clopt/clopt/internal/cl/setup"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/shard/trial/child"
)

// Errors of Minimize that a program may look for with errors.As, beside *solvers.SettingError, *solvers.ConfirmError,
// *cl.DeviceError, *cl.NoDeviceError, *cl.SelectionError and *cl.QueryError.
type (
	InputError   = input.Error        // a text, a table or a graph is wrong, at a place
	CacheError   = setup.CacheError   // PoCL cannot store kernels
	CrashError   = child.CrashError   // a text crashed in the process of Options.TryWith
	EndlessError = child.EndlessError // it has not ended there
	KilledError  = child.KilledError  // that process was killed
)

// Try makes this program one that Options.TryWith can name. Call it first in main with os.Args, os.Stdin, os.Stdout
// and os.Exit, and end when it returns true: then the program was started by Minimize, and has evaluated a text once.
func Try(args []string, stdin io.Reader, stdout io.Writer, exit func(code int)) (done bool) {
	if len(args) != 2+child.Arguments || args[1] != child.Command {
		return false
	}
	child.Once(context.Background(), stdin, stdout, exit, [child.Arguments]string(args[2:]))
	return true
}
