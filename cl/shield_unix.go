//go:build cgo && unix

package cl

/*
#include <pthread.h>
#include <signal.h>

// shield_begin blocks the signals that a terminal or a batch system sends to all processes of a command.
static void shield_begin(sigset_t *before)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, before);
}

static void shield_end(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }
*/
import "C"

import "runtime"

// shielded calls f, which calls a driver that may start threads or processes: they inherit that signals are blocked.
// PoCL runs a linker for each kernel, and ends the whole process when a Ctrl-C of the terminal ends the linker. The
// other threads of this process still get the signals.
func shielded(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before C.sigset_t
	C.shield_begin(&before)
	defer C.shield_end(&before)
	f()
}
