package cl

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// function is a function of OpenCL. With cgo, most are called through the binding; those that it lacks, and without cgo
// all, by their addresses.
//
// Their parameters are whole numbers, pointers, and handles, the objects of OpenCL. On macOS for arm64, which packs
// those that have no register, only the ninth one has none, and it is a pointer.
type function struct {
	name string
	at   uintptr // in the library of OpenCL, once that is loaded
}

// functions are all of them.
var functions []*function

// of defines a function.
func of(name string) *function {
	f := &function{name: name}
	functions = append(functions, f)
	return f
}

var (
	clBuildProgram            = of("clBuildProgram")
	clCreateBuffer            = of("clCreateBuffer")
	clCreateCommandQueue      = of("clCreateCommandQueue")
	clCreateContext           = of("clCreateContext")
	clCreateKernel            = of("clCreateKernel")
	clCreateProgramWithBinary = of("clCreateProgramWithBinary")
	clCreateProgramWithSource = of("clCreateProgramWithSource")
	clEnqueueCopyBuffer       = of("clEnqueueCopyBuffer")
	clEnqueueFillBuffer       = of("clEnqueueFillBuffer")
	clEnqueueNDRangeKernel    = of("clEnqueueNDRangeKernel")
	clEnqueueReadBuffer       = of("clEnqueueReadBuffer")
	clEnqueueWriteBuffer      = of("clEnqueueWriteBuffer")
	clFinish                  = of("clFinish")
	clGetDeviceIDs            = of("clGetDeviceIDs")
	clGetDeviceInfo           = of("clGetDeviceInfo")
	clGetEventProfilingInfo   = of("clGetEventProfilingInfo")
	clGetKernelArgInfo        = of("clGetKernelArgInfo")
	clGetKernelInfo           = of("clGetKernelInfo")
	clGetKernelWorkGroupInfo  = of("clGetKernelWorkGroupInfo")
	clGetPlatformIDs          = of("clGetPlatformIDs")
	clGetPlatformInfo         = of("clGetPlatformInfo")
	clGetProgramBuildInfo     = of("clGetProgramBuildInfo")
	clGetProgramInfo          = of("clGetProgramInfo")
	clReleaseCommandQueue     = of("clReleaseCommandQueue")
	clReleaseContext          = of("clReleaseContext")
	clReleaseEvent            = of("clReleaseEvent")
	clReleaseKernel           = of("clReleaseKernel")
	clReleaseMemObject        = of("clReleaseMemObject")
	clReleaseProgram          = of("clReleaseProgram")
	clSetKernelArg            = of("clSetKernelArg")
)

// loadOpenCL loads the library of OpenCL, once. The error is an errLibrary or a *NoDeviceError.
var loadOpenCL = sync.OnceValue(func() error {
	if err := checkC(); err != nil {
		return err
	}
	var failed errLibrary
	for _, name := range libraries {
		library, err := loadLibrary(name)
		if err == nil {
			return lookUp(library)
		}
		failed = append(failed, err)
	}
	return failed
})

// lookUp finds the addresses of all functions.
func lookUp(library uintptr) (err error) {
	for _, f := range functions {
		if f.at, err = symbol(library, f.name); err != nil {
			return errLibrary{fmt.Errorf("OpenCL 1.2 is needed: %w", err)}
		}
	}
	return nil
}

// errLibrary says why there is no library of OpenCL, for each place where one may be.
type errLibrary []error

func (e errLibrary) Error() string {
	if len(e) == 0 {
		return "clopt does not call OpenCL on this system"
	}
	return e[0].Error() // the usual place
}

// call calls a function that returns a status. Pointers in the call are kept as in invoke.
//
//go:uintptrescapes
func (f *function) call(args ...uintptr) error { return codeFrom(invoke(f.at, args...)) }

// codeFrom returns the status that a function has returned, or stored.
func codeFrom[T int32 | uintptr](status T) error {
	if code := Code(int32(status)); code != 0 {
		return code
	}
	return nil
}

// query calls a function that tells something: it stores size bytes at value, if that is not nil, and at told how many
// bytes there are.
type query func(size uintptr, value unsafe.Pointer, told *uintptr) error

// bytes returns what a query tells.
func (q query) bytes() ([]byte, error) {
	var size uintptr
	if err := q(0, nil, &size); err != nil || size == 0 {
		return nil, err
	}
	all := make([]byte, size)
	return all, q(size, unsafe.Pointer(&all[0]), nil)
}

// text returns a text without the NUL at its end, and "" after an error.
func (q query) text() (string, error) {
	all, err := q.bytes()
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(all), "\x00"), nil
}

// number returns a number of 4 or 8 bytes, and 0 after an error.
func (q query) number() (int64, error) {
	var value int64
	var size uintptr
	err := q(unsafe.Sizeof(value), unsafe.Pointer(&value), &size)
	if err != nil {
		return 0, err
	}
	if size == 4 {
		return int64(*(*uint32)(unsafe.Pointer(&value))), nil
	}
	return value, nil
}
