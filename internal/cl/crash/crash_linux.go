//go:build amd64 || arm64

// Package crash says what happens when native code crashes, or memory runs out.
package crash

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The functions of this file that are nosplit also run on threads of libraries, which have no goroutine, and before Go
// is set up. They call nothing but the system.

// message is what a process writes at its end.
type message struct {
	text       string
	file, code uintptr
}

var (
	crashed unsafe.Pointer                 // *message of a crash; nil: the process ends by the signal
	memory  = unsafe.Pointer(&beforeStart) // *message where memory runs out; nil: as Go does

	beforeStart = message{"error: memory ran out before the program began. Give the process more (ulimit -v).\n", 2, 5}

	ends int32 // threads that end the process
)

// end writes a message and ends the process.
//
//go:nosplit
//go:norace
func (m *message) end() {
	if atomic.AddInt32(&ends, 1) == 1 {
		syscall.RawSyscall(syscall.SYS_WRITE, m.file, uintptr(unsafe.Pointer(unsafe.StringData(m.text))),
			uintptr(len(m.text)))
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, m.code, 0, 0)
	}
	for { // another thread ends it
		syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// noMemory ends the process if there is a message.
//
//go:nosplit
//go:norace
func noMemory() {
	if m := (*message)(atomic.LoadPointer(&memory)); m != nil {
		m.end()
	}
}

// code returns where the code of Go is in memory.
func code() (begin, end uintptr)

var textBegin, textEnd = code()

// What assembly calls, and functions that have the interface of C.
var (
	handleCall   = handle
	noMemoryCall = noMemory

	//go:linkname handler handler
	handler byte
	//go:linkname mapped mapped
	mapped byte
)

// full reports whether there is no room for a piece of memory as Go and C libraries ask for.
//
//go:nosplit
//go:norace
func full() bool {
	const size, flags = 64 << 20, syscall.MAP_PRIVATE | syscall.MAP_ANON | syscall.MAP_NORESERVE
	at, _, err := syscall.RawSyscall6(syscall.SYS_MMAP, 0, size, syscall.PROT_NONE, flags, ^uintptr(0), 0)
	if err == 0 {
		syscall.RawSyscall(syscall.SYS_MUNMAP, at, size, 0)
	}
	return err != 0
}

// action is what a process does at a signal, as the system knows it.
type action struct{ handler, flags, restorer, mask uintptr }

// become makes a the action of a signal, and returns the one before. A nil action changes nothing.
//
//go:nosplit
//go:norace
func become(signal uintptr, a, before *action) {
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, signal, uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(before)),
		unsafe.Sizeof(before.mask), 0, 0)
}

// signals are those of crashes. PoCL handles SIGFPE itself. Libraries call abort where they find no memory.
var signals = [...]syscall.Signal{syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGSEGV, syscall.SIGABRT}

// before are the actions of signals when Catch has replaced them: those of Go, or of a library.
var before [len(signals)]action

// handle is called by the handler of a signal, with the siginfo_t and the address of the instruction. It returns the
// handler that goes on; 0: the thread continues where it was.
//
//go:nosplit
//go:norace
func handle(signal uintptr, info unsafe.Pointer, at uintptr) (next uintptr) {
	if full() {
		noMemory()
	}
	fault := *(*int32)(unsafe.Add(info, 8)) > 0 // si_code: the kernel has found it, nobody has sent the signal
	if fault && (at < textBegin || at >= textEnd) {
		if m := (*message)(atomic.LoadPointer(&crashed)); m != nil {
			m.end()
		}
		byDefault := action{}
		become(signal, &byDefault, nil) // the fault comes again
		return 0
	}
	for i := range signals {
		if a := &before[i]; uintptr(signals[i]) == signal {
			if a.handler > 1 { // not SIG_DFL or SIG_IGN
				return a.handler
			}
			become(signal, a, nil)
		}
	}
	return 0
}

// On sets what happens when code outside of this program, such as that of a kernel on a processor, reads through
// a wrong pointer or executes a wrong instruction: at most 4096 bytes of text are written to the file with descriptor
// file, and the process ends with the exit code. After On("", 0, 0) it ends by the signal again. On does
// nothing but on Linux, on amd64 and arm64.
func On(text string, file, code int) { set(&crashed, text, file, code) }

// OutOfMemory sets what happens when Go finds no more memory, or a library crashes or aborts where there is none: at
// most 4096 bytes of text are written to the file with descriptor file, and the process ends with the exit code. After
// OutOfMemory("", 0, 0) it ends as usual, with the stacks of all goroutines. It does nothing but where On works.
func OutOfMemory(text string, file, code int) { set(&memory, text, file, code) }

func set(of *unsafe.Pointer, text string, file, code int) {
	var m *message
	if text != "" {
		m = &message{text[:min(len(text), 4096)], uintptr(file), uintptr(code)}
	}
	atomic.StorePointer(of, unsafe.Pointer(m))
	Catch()
}

func init() { atomic.StorePointer(&memory, nil) }

// Catch installs the handlers of signals again after a library has installed its own.
func Catch() {
	if atomic.LoadPointer(&crashed) == nil && atomic.LoadPointer(&memory) == nil {
		return
	}
	own := uintptr(unsafe.Pointer(&handler))
	for i, s := range signals {
		var now action
		become(uintptr(s), nil, &now)
		if now.handler != own {
			const siginfo, onStack, restorer = 0x4, 0x08000000, 0x04000000 // SA_SIGINFO, …
			before[i] = now
			now.handler = own
			now.flags = now.flags&restorer | siginfo | onStack
			become(uintptr(s), &now, nil)
		}
	}
}
