//go:build cgo && (amd64 || arm64)

// Package crash says what happens when native code crashes, or memory runs out.
package crash

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern char __executable_start, etext; // from the linker: the code of this program

// PoCL handles SIGFPE itself. Libraries call abort where they find no memory.
static const int crash_signals[] = {SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGABRT};
static struct sigaction crash_before[sizeof crash_signals / sizeof crash_signals[0]];
static char crash_text[4096];
static int crash_file, crash_code;
static size_t crash_length; // 0: nothing is written, and the process does not end
static int crash_threads;   // that have crashed

static uintptr_t crash_place(void *context)
{
#ifdef __x86_64__
	return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#endif
}

#define MEMORY_START "error: memory ran out before the program began. Give the process more (ulimit -v).\n"
static char memory_text[4096] = MEMORY_START; // until the Go code of the program begins
static int memory_file = 2, memory_code = 5;
static size_t memory_length = sizeof MEMORY_START - 1; // 0: nothing is written, and the process does not end

// memory_ends writes the text and ends the process, if there is a text.
static void memory_ends(void)
{
	if (__atomic_load_n(&memory_length, __ATOMIC_SEQ_CST) == 0)
		return;
	if (__atomic_fetch_add(&crash_threads, 1, __ATOMIC_SEQ_CST) > 0)
		for (;;)
			pause(); // another thread ends the process
	ssize_t written = write(memory_file, memory_text, memory_length);
	(void)written; // an error cannot be shown
	_exit(memory_code);
}

// memory_out reports whether there is no room for a piece of memory as Go and C libraries ask for.
static int memory_out(void)
{
	const size_t size = 64 << 20;
	long p = syscall(SYS_mmap, 0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == -1)
		return 1;
	syscall(SYS_munmap, p, size);
	return 0;
}

// The runtime of Go calls these two functions of the C library. It ends the process with the stacks of all goroutines
// if they fail for want of memory.

__attribute__((visibility("hidden"))) void *mmap(void *at, size_t size, int prot, int flags, int file, off_t offset)
{
	long p = syscall(SYS_mmap, at, size, prot, flags, file, offset);
	if (p == -1 && errno == ENOMEM) {
		memory_ends();
		errno = ENOMEM;
	}
	return (void *)p;
}

__attribute__((visibility("hidden"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
	void *(*start)(void *), void *argument)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	int err = create(thread, attributes, start, argument);
	if ((err == EAGAIN || err == ENOMEM) && memory_out())
		memory_ends();
	return err;
}

static void memory_set(const char *text, size_t length, int file, int code)
{
	__atomic_store_n(&memory_length, 0, __ATOMIC_SEQ_CST);
	if (length > sizeof memory_text)
		length = sizeof memory_text;
	if (length > 0)
		memcpy(memory_text, text, length);
	memory_file = file;
	memory_code = code;
	__atomic_store_n(&memory_length, length, __ATOMIC_SEQ_CST);
}

// crash_handle may call write and _exit, and little else.
static void crash_handle(int signal, siginfo_t *info, void *context)
{
	if (memory_length > 0 && memory_out())
		memory_ends();
	uintptr_t at = crash_place(context);
	int own = at >= (uintptr_t)&__executable_start && at < (uintptr_t)&etext;
	if (crash_length > 0 && !own && info->si_code > 0) {
		if (__atomic_fetch_add(&crash_threads, 1, __ATOMIC_SEQ_CST) > 0)
			for (;;)
				pause(); // another thread ends the process
		ssize_t written = write(crash_file, crash_text, crash_length);
		(void)written; // an error cannot be shown
		_exit(crash_code);
	}
	if (!own && info->si_code > 0) { // without a text the process ends by the signal
		struct sigaction end = {.sa_handler = SIG_DFL};
		sigaction(signal, &end, NULL); // the fault comes again
		return;
	}
	int i = 0;
	while (crash_signals[i] != signal)
		i++;
	if (crash_before[i].sa_flags & SA_SIGINFO) {
		crash_before[i].sa_sigaction(signal, info, context);
	} else if (crash_before[i].sa_handler == SIG_DFL || crash_before[i].sa_handler == SIG_IGN) {
		sigaction(signal, &crash_before[i], NULL); // the fault comes again
	} else {
		crash_before[i].sa_handler(signal);
	}
}

static void crash_catch(void)
{
	for (size_t i = 0; i < sizeof crash_signals / sizeof crash_signals[0]; i++) {
		struct sigaction own = {.sa_sigaction = crash_handle, .sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
		if (sigaction(crash_signals[i], NULL, &now) == 0 && now.sa_sigaction != crash_handle) {
			crash_before[i] = now;
			own.sa_mask = now.sa_mask;
			sigaction(crash_signals[i], &own, NULL);
		}
	}
}

static void crash_set(const char *text, size_t length, int file, int code)
{
	__atomic_store_n(&crash_length, 0, __ATOMIC_SEQ_CST);
	if (length > sizeof crash_text)
		length = sizeof crash_text;
	memcpy(crash_text, text, length);
	crash_file = file;
	crash_code = code;
	__atomic_store_n(&crash_length, length, __ATOMIC_SEQ_CST);
}
*/
import "C"

import (
	"sync/atomic"
	"unsafe"
)

var crashText, memoryText atomic.Bool // there is one

// On sets what happens when code outside of this program, such as that of a kernel on a processor, reads through
// a wrong pointer or executes a wrong instruction: at most 4096 bytes of text are written to the file with descriptor
// file, and the process ends with the exit code. After On("", 0, 0) it ends by the signal again. On does
// nothing but on Linux, on amd64 and arm64.
func On(text string, file, code int) {
	t := []byte(text + "\x00")
	C.crash_set((*C.char)(unsafe.Pointer(&t[0])), C.size_t(len(text)), C.int(file), C.int(code))
	crashText.Store(text != "")
	Catch()
}

func init() { C.memory_set(nil, 0, 0, 0) }

// OutOfMemory sets what happens when Go finds no more memory, or a library crashes or aborts where there is none: at
// most 4096 bytes of text are written to the file with descriptor file, and the process ends with the exit code. After
// OutOfMemory("", 0, 0) it ends as usual, with the stacks of all goroutines. It does nothing but where On works.
func OutOfMemory(text string, file, code int) {
	t := []byte(text + "\x00")
	C.memory_set((*C.char)(unsafe.Pointer(&t[0])), C.size_t(len(text)), C.int(file), C.int(code))
	memoryText.Store(text != "")
	Catch()
}

// Catch installs the handlers of signals again after a library has installed its own.
func Catch() {
	if crashText.Load() || memoryText.Load() {
		C.crash_catch()
	}
}
