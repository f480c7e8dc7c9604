package cl

import "syscall"

// symbol returns the address of a function in OpenCL.dll, with which the binding is linked.
func symbol(name string) (uintptr, error) {
	library, err := syscall.LoadLibrary("OpenCL.dll")
	if err != nil {
		return 0, err
	}
	return syscall.GetProcAddress(library, name)
}
