//go:build darwin || linux

package cl

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// signalSet is longer than any sigset_t.
type signalSet [16]uint64

// terminal has the signals that a terminal or a batch system sends to all processes of a command.
var terminal = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}

// signalMask changes the signals that a thread blocks.
type signalMask struct {
	change         uintptr // pthread_sigmask
	block, restore uintptr // SIG_BLOCK, SIG_SETMASK
	signals        signalSet
}

var mask = sync.OnceValue(func() *signalMask {
	m := &signalMask{block: 0, restore: 2}
	if runtime.GOOS == "darwin" {
		m.block, m.restore = 1, 3
	}
	found := func(name string) (f uintptr) {
		f, _ = symbol(purego.RTLD_DEFAULT, name) // every C library has it
		return f
	}
	m.change = found("pthread_sigmask")
	invoke(found("sigemptyset"), uintptr(unsafe.Pointer(&m.signals)))
	for _, s := range terminal {
		invoke(found("sigaddset"), uintptr(unsafe.Pointer(&m.signals)), uintptr(s))
	}
	return m
})

// shielded calls f, which calls a driver that may start threads or processes: they inherit that signals are blocked.
// PoCL runs a linker for each kernel, and ends the whole process when a Ctrl-C of the terminal ends the linker. The
// other threads of this process still get the signals.
func shielded(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m, before := mask(), new(signalSet)
	invoke(m.change, m.block, uintptr(unsafe.Pointer(&m.signals)), uintptr(unsafe.Pointer(before)))
	defer func() { invoke(m.change, m.restore, uintptr(unsafe.Pointer(before)), 0) }()
	f()
}
