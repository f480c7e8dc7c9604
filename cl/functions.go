//go:build darwin || linux || windows

package cl

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions are functions of OpenCL by their addresses in the library that this process has loaded. They are those that
// the binding lacks. Handles are the objects of OpenCL.
type functions struct {
	createProgramWithBinary, getProgramInfo uintptr
}

// openCL returns the functions, which are looked up once.
var openCL = sync.OnceValues(func() (f functions, err error) {
	for name, at := range map[function]*uintptr{
		clCreateProgramWithBinary: &f.createProgramWithBinary,
		clGetProgramInfo:          &f.getProgramInfo,
	} {
		*at, err = symbol(string(name))
		if err != nil {
			return f, err
		}
	}
	return f, nil
})

// codeFrom returns the status that a function has returned, or stored.
func codeFrom[T int32 | uintptr](status T) error {
	if code := Code(int32(status)); code != 0 {
		return code
	}
	return nil
}

// programWithBinary makes a program of what programBinary returned.
func (f functions) programWithBinary(context, device uintptr, binary []byte) (program uintptr, err error) {
	var loaded, status int32
	at, size := unsafe.SliceData(binary), uintptr(len(binary))
	program, _, _ = purego.SyscallN(f.createProgramWithBinary, context, 1, uintptr(unsafe.Pointer(&device)),
		uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(&loaded)),
		uintptr(unsafe.Pointer(&status)))
	runtime.KeepAlive(binary)
	return program, codeFrom(status)
}

// programBinary returns what the driver has compiled for a program of one device, nil if it gives nothing away.
func (f functions) programBinary(program uintptr) ([]byte, error) {
	const sizes, binaries = 0x1165, 0x1166 // CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARIES
	var size uintptr
	status, _, _ := purego.SyscallN(f.getProgramInfo, program, sizes, unsafe.Sizeof(size),
		uintptr(unsafe.Pointer(&size)), 0)
	if err := codeFrom(status); err != nil || size == 0 {
		return nil, err
	}
	binary := make([]byte, size)
	at := unsafe.SliceData(binary)
	status, _, _ = purego.SyscallN(f.getProgramInfo, program, binaries, unsafe.Sizeof(at),
		uintptr(unsafe.Pointer(&at)), 0)
	runtime.KeepAlive(binary)
	return binary, codeFrom(status)
}
