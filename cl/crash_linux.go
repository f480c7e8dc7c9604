//go:build cgo && (amd64 || arm64)

package cl

/*
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

extern char __executable_start, etext; // from the linker: the code of this program

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGBUS, SIGSEGV}; // PoCL handles SIGFPE itself
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

// crash_handle may call write and _exit, and little else.
static void crash_handle(int signal, siginfo_t *info, void *context)
{
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

var crashText atomic.Bool // there is one

// OnCrash sets what happens when code outside of this program, such as that of a kernel on a processor, reads through
// a wrong pointer or executes a wrong instruction: at most 4096 bytes of text are written to the file with descriptor
// file, and the process ends with the exit code. After OnCrash("", 0, 0) it ends by the signal again. OnCrash does
// nothing but on Linux, on amd64 and arm64.
func OnCrash(text string, file, code int) {
	t := []byte(text + "\x00")
	C.crash_set((*C.char)(unsafe.Pointer(&t[0])), C.size_t(len(text)), C.int(file), C.int(code))
	crashText.Store(text != "")
	catchCrashes()
}

// catchCrashes installs the handlers of signals again after a library has installed its own.
func catchCrashes() {
	if crashText.Load() {
		C.crash_catch()
	}
}
