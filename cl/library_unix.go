//go:build darwin || linux

package cl

import "github.com/ebitengine/purego"

// loadLibrary loads a shared library. Its functions are looked up among those of all libraries, as those of one that a
// program is linked with, so that a library of LD_PRELOAD stands before it.
func loadLibrary(name string) (uintptr, error) {
	_, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	return purego.RTLD_DEFAULT, err
}

// symbol returns the address of a function in a library.
func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// loads returns the reason why a shared library does not load, or "" if it does.
func loads(name string) string {
	library, err := purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return err.Error()
	}
	purego.Dlclose(library)
	return ""
}

// invoke calls a function of C whose parameters are whole numbers and pointers. What a pointer in the call points to is
// on the heap, where Go does not move it, and is kept until the function returns.
//
//go:uintptrescapes
func invoke(function uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, args...)
	return result
}
