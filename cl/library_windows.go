package cl

import "syscall"

// libraries are where the library of OpenCL may be.
var libraries = []string{"OpenCL.dll"}

// loadLibrary loads a shared library.
func loadLibrary(name string) (uintptr, error) {
	library, err := syscall.LoadLibrary(name)
	return uintptr(library), err
}

// symbol returns the address of a function in a library.
func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

// loads is not used on this system.
func loads(string) string { return "" }

// invoke calls a function of C whose parameters are whole numbers and pointers. What a pointer in the call points to is
// on the heap, where Go does not move it, and is kept until the function returns.
//
//go:uintptrescapes
func invoke(function uintptr, args ...uintptr) uintptr {
	result, _, _ := syscall.SyscallN(function, args...)
	return result
}
