//go:build cgo

package cl

// Calls of OpenCL that the binding does not offer: the status and the whole log of
// a build, types of kernel arguments, and the PCI address.

/*
#cgo linux pkg-config: OpenCL
#cgo darwin LDFLAGS: -framework OpenCL
#cgo windows LDFLAGS: -lOpenCL
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	binding "github.com/jgillich/go-opencl/cl"
)

// These constants are untyped, so that they can be passed as the unexported
// parameter types of the binding.
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

// build does not use the call of the binding, which loses the status, and also
// the log if it is over 1 MiB.
func (p boundProgram) build(d clDevice, options string) (Code, string) {
	program := C.cl_program(handle(p.p, "clProgram"))
	device := C.cl_device_id(handle(d.(boundDevice).d, "id"))
	text := C.CString(options)
	defer C.free(unsafe.Pointer(text))
	status := C.clBuildProgram(program, 1, &device, text, nil, nil)
	var size C.size_t
	if C.clGetProgramBuildInfo(program, device, C.CL_PROGRAM_BUILD_LOG, 0, nil, &size) != C.CL_SUCCESS || size == 0 {
		return Code(status), ""
	}
	log := make([]byte, size)
	read := C.clGetProgramBuildInfo(program, device, C.CL_PROGRAM_BUILD_LOG, size, unsafe.Pointer(&log[0]), nil)
	if read != C.CL_SUCCESS {
		return Code(status), ""
	}
	return Code(status), strings.TrimRight(string(log), "\x00")
}

func (k boundKernel) argument(i int) (name, typ string, space int, ok bool) {
	kernel := C.cl_kernel(handle(k.k, "clKernel"))
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
	if C.clGetKernelArgInfo(kernel, C.cl_uint(i), C.CL_KERNEL_ARG_ADDRESS_QUALIFIER,
		C.size_t(unsafe.Sizeof(s)), unsafe.Pointer(&s), nil) == C.CL_SUCCESS {
		space, ok = int(s), true
	}
	name, typ = text(C.CL_KERNEL_ARG_NAME), text(C.CL_KERNEL_ARG_TYPE_NAME)
	return name, typ, space, ok && typ != ""
}

// pciBusInfo asks the standard extension for domain, bus, device and function.
func pciBusInfo(d *binding.Device) (at [4]uint32, ok bool) {
	var size C.size_t
	status := C.clGetDeviceInfo(C.cl_device_id(handle(d, "id")), devicePCIBusInfoKHR,
		C.size_t(unsafe.Sizeof(at)), unsafe.Pointer(&at), &size)
	return at, status == C.CL_SUCCESS && uintptr(size) == unsafe.Sizeof(at)
}

func (b boundDevice) describe(ask func(query func() error) error) (i Info, refused string, err error) {
	d := b.d
	answered := func(query string, e error) bool {
		e = ask(func() error { return codeOf(e) })
		if query == "CL_DEVICE_DOUBLE_FP_CONFIG" && e == invalidValue {
			return false // OpenCL 1.1 without float64
		}
		if e != nil && err == nil {
			refused, err = query, e
		}
		return e == nil
	}
	text := func(query string) func(string, error) string {
		return func(v string, e error) string {
			if !answered(query, e) {
				return ""
			}
			return strings.Join(strings.Fields(v), " ")
		}
	}
	whole := func(query string) func(int64, error) int64 {
		return func(v int64, e error) int64 {
			if !answered(query, e) {
				return 0
			}
			return v
		}
	}
	small := func(query string) func(uint, error) int {
		return func(v uint, e error) int { return int(whole(query)(int64(v), e)) }
	}
	i = Info{
		Vendor:       text("CL_DEVICE_VENDOR")(d.GetInfoString(deviceVendor)),
		Name:         text("CL_DEVICE_NAME")(d.GetInfoString(deviceName)),
		Version:      text("CL_DEVICE_VERSION")(d.GetInfoString(deviceVersion)),
		Driver:       text("CL_DRIVER_VERSION")(d.GetInfoString(deviceDriver)),
		ComputeUnits: small("CL_DEVICE_MAX_COMPUTE_UNITS")(d.GetInfoUint(deviceComputeUnits)),
		ClockMHz:     small("CL_DEVICE_MAX_CLOCK_FREQUENCY")(d.GetInfoUint(deviceClock)),
		GlobalMem:    whole("CL_DEVICE_GLOBAL_MEM_SIZE")(d.GetInfoUlong(deviceGlobalMem)),
		MaxAlloc:     whole("CL_DEVICE_MAX_MEM_ALLOC_SIZE")(d.GetInfoUlong(deviceMaxAlloc)),
		LocalMem:     whole("CL_DEVICE_LOCAL_MEM_SIZE")(d.GetInfoUlong(deviceLocalMem)),
		FP64:         whole("CL_DEVICE_DOUBLE_FP_CONFIG")(d.GetInfoUlong(deviceDoubleFP)) != 0,
		CorrectSqrt: whole("CL_DEVICE_SINGLE_FP_CONFIG")(d.GetInfoUlong(deviceSingleFP))&
			fpCorrectDivideSqrt != 0,
		Type:   Other,
		Twin:   -1,
		handle: b,
	}
	group, e := d.GetInfoSize(deviceMaxGroup)
	i.MaxGroup = int(whole("CL_DEVICE_MAX_WORK_GROUP_SIZE")(int64(group), e))
	switch t := whole("CL_DEVICE_TYPE")(d.GetInfoUlong(deviceType)); {
	case t&typeGPU != 0:
		i.Type = GPU
	case t&typeCPU != 0:
		i.Type = CPU
	case t&typeAccelerator != 0:
		i.Type = Accelerator
	}
	return i, refused, err
}

func (b boundDevice) pciAddress(vendor string) string {
	d := b.d
	if at, ok := pciBusInfo(d); ok {
		return fmt.Sprintf("%04x:%02x:%02x", at[0], at[1], at[2])
	}
	// For other vendors the numbers of these queries mean something else.
	if !strings.Contains(strings.ToLower(vendor), "nvidia") {
		return ""
	}
	bus, err := d.GetInfoUint(devicePCIBusNV)
	slot, err2 := d.GetInfoUint(devicePCISlotNV)
	if err != nil || err2 != nil {
		return ""
	}
	domain, err := d.GetInfoUint(devicePCIDomainNV)
	if err != nil {
		domain = 0
	}
	return fmt.Sprintf("%04x:%02x:%02x", domain, bus, slot>>3)
}
