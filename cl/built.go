package cl

import (
	"sync/atomic"

	"github.com/clopt/clopt/internal/cl/crash"
)

var afterBuild atomic.Pointer[func()]

// AfterBuild sets a function that is called after every build of a program; nil sets none. A driver may install signal
// handlers of its own while it compiles.
func AfterBuild(f func()) { afterBuild.Store(&f) }

func callAfterBuild() {
	crash.Catch()
	if f := afterBuild.Load(); f != nil && *f != nil {
		(*f)()
	}
}
