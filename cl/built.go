package cl

import "sync/atomic"

var afterBuild atomic.Pointer[func()]

// AfterBuild sets a function that is called after every build of a program; nil sets none. A driver may install signal
// handlers of its own while it compiles.
func AfterBuild(f func()) { afterBuild.Store(&f) }

func callAfterBuild() {
	catchCrashes()
	if f := afterBuild.Load(); f != nil && *f != nil {
		(*f)()
	}
}
