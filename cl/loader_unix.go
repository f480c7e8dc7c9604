//go:build unix && !darwin && cgo

package cl

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
*/
import "C"

import "unsafe"

// loads returns the reason why a shared library does not load, or "" if it does.
func loads(library string) string {
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	h := C.dlopen(name, C.RTLD_LAZY|C.RTLD_LOCAL)
	if h == nil {
		return C.GoString(C.dlerror())
	}
	C.dlclose(h)
	return ""
}
