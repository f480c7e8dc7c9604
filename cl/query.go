package cl

// What the binding does not offer, asked of OpenCL directly: build status and
// whole log, types of kernel arguments, PCI address, why a library does not load.

/*
#cgo linux pkg-config: OpenCL
#cgo linux LDFLAGS: -ldl
#cgo darwin LDFLAGS: -framework OpenCL
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <dlfcn.h>
#include <stdlib.h>
*/
import "C"

import (
	"reflect"
	"strings"
	"unsafe"

	binding "github.com/jgillich/go-opencl/cl"
)

// Untyped, so that they pass as the binding's own unexported parameter types.
const (
	deviceType          = C.CL_DEVICE_TYPE
	deviceName          = C.CL_DEVICE_NAME
	deviceVendor        = C.CL_DEVICE_VENDOR
	deviceVersion       = C.CL_DEVICE_VERSION
	deviceDriver        = C.CL_DRIVER_VERSION
	deviceComputeUnits  = C.CL_DEVICE_MAX_COMPUTE_UNITS
	deviceClock         = C.CL_DEVICE_MAX_CLOCK_FREQUENCY
	deviceGlobalMem     = C.CL_DEVICE_GLOBAL_MEM_SIZE
	deviceMaxAlloc      = C.CL_DEVICE_MAX_MEM_ALLOC_SIZE
	deviceLocalMem      = C.CL_DEVICE_LOCAL_MEM_SIZE
	deviceMaxGroup      = C.CL_DEVICE_MAX_WORK_GROUP_SIZE
	deviceSingleFP      = C.CL_DEVICE_SINGLE_FP_CONFIG
	deviceDoubleFP      = 0x1032 // CL_DEVICE_DOUBLE_FP_CONFIG, an extension in old headers
	devicePCIBusNV      = 0x4008
	devicePCISlotNV     = 0x4009
	devicePCIDomainNV   = 0x400A
	devicePCIBusInfoKHR = 0x410F

	typeCPU         = C.CL_DEVICE_TYPE_CPU
	typeGPU         = C.CL_DEVICE_TYPE_GPU
	typeAccelerator = C.CL_DEVICE_TYPE_ACCELERATOR

	fpCorrectDivideSqrt = C.CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
)

// handle returns the OpenCL object behind a value of the binding, whose field
// is unexported. The binding's version is pinned; a test looks at every field used.
func handle(v any, field string) unsafe.Pointer {
	f := reflect.ValueOf(v).Elem().FieldByName(field)
	if f.Kind() != reflect.Pointer {
		panic("cl: the binding's layout has changed")
	}
	return f.UnsafePointer()
}

// build compiles for one device and returns the status with the whole log. The
// binding's own call loses the status, and the log where it is over 1 MiB.
func build(p *binding.Program, d *binding.Device, options string) (Code, string) {
	program := C.cl_program(handle(p, "clProgram"))
	device := C.cl_device_id(handle(d, "id"))
	text := C.CString(options)
	defer C.free(unsafe.Pointer(text))
	status := C.clBuildProgram(program, 1, &device, text, nil, nil)
	if status == C.CL_SUCCESS {
		return 0, ""
	}
	var size C.size_t
	if C.clGetProgramBuildInfo(program, device, C.CL_PROGRAM_BUILD_LOG, 0, nil, &size) != C.CL_SUCCESS || size == 0 {
		return Code(status), ""
	}
	log := make([]byte, size)
	if C.clGetProgramBuildInfo(program, device, C.CL_PROGRAM_BUILD_LOG, size, unsafe.Pointer(&log[0]), nil) != C.CL_SUCCESS {
		return Code(status), ""
	}
	return Code(status), strings.TrimRight(string(log), "\x00")
}

// Address spaces of kernel arguments.
const (
	spaceGlobal   = C.CL_KERNEL_ARG_ADDRESS_GLOBAL
	spaceLocal    = C.CL_KERNEL_ARG_ADDRESS_LOCAL
	spaceConstant = C.CL_KERNEL_ARG_ADDRESS_CONSTANT
	spacePrivate  = C.CL_KERNEL_ARG_ADDRESS_PRIVATE
)

// argument tells how argument i of a kernel is declared in the device text; ok
// is false where the driver did not keep it.
func argument(k *binding.Kernel, i int) (name, typ string, space int, ok bool) {
	kernel := C.cl_kernel(handle(k, "clKernel"))
	text := func(what C.cl_kernel_arg_info) string {
		var size C.size_t
		if C.clGetKernelArgInfo(kernel, C.cl_uint(i), what, 0, nil, &size) != C.CL_SUCCESS || size == 0 {
			return ""
		}
		b := make([]byte, size)
		if C.clGetKernelArgInfo(kernel, C.cl_uint(i), what, size, unsafe.Pointer(&b[0]), nil) != C.CL_SUCCESS {
			return ""
		}
		return strings.TrimRight(string(b), "\x00")
	}
	var s C.cl_kernel_arg_address_qualifier
	if C.clGetKernelArgInfo(kernel, C.cl_uint(i), C.CL_KERNEL_ARG_ADDRESS_QUALIFIER, C.size_t(unsafe.Sizeof(s)), unsafe.Pointer(&s), nil) == C.CL_SUCCESS {
		space, ok = int(s), true
	}
	name, typ = text(C.CL_KERNEL_ARG_NAME), text(C.CL_KERNEL_ARG_TYPE_NAME)
	return name, typ, space, ok && typ != ""
}

// pciBusInfo is the standard extension's answer: domain, bus, device, function.
func pciBusInfo(d *binding.Device) (at [4]uint32, ok bool) {
	var size C.size_t
	status := C.clGetDeviceInfo(C.cl_device_id(handle(d, "id")), devicePCIBusInfoKHR,
		C.size_t(unsafe.Sizeof(at)), unsafe.Pointer(&at), &size)
	return at, status == C.CL_SUCCESS && uintptr(size) == unsafe.Sizeof(at)
}

// loads says why a shared library does not load; "" means that it does.
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
