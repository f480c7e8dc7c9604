package cl

import (
	"fmt"
	"strings"
	"unsafe"
)

// These are handles. With cgo they are those of the binding's objects, and have the calls that the binding lacks or
// does badly.
type (
	deviceHandle  uintptr
	programHandle uintptr
	kernelHandle  uintptr
)

// What clGetDeviceInfo tells.
const (
	deviceType          = 0x1000
	deviceComputeUnits  = 0x1002
	deviceMaxGroup      = 0x1004
	deviceClock         = 0x100C
	deviceMaxAlloc      = 0x1010
	deviceSingleFP      = 0x101B
	deviceGlobalMem     = 0x101F
	deviceLocalMem      = 0x1023
	deviceName          = 0x102B
	deviceVendor        = 0x102C
	deviceDriver        = 0x102D
	deviceVersion       = 0x102F
	deviceDoubleFP      = 0x1032
	devicePCIBusNV      = 0x4008
	devicePCISlotNV     = 0x4009
	devicePCIDomainNV   = 0x400A
	devicePCIBusInfoKHR = 0x410F

	typeCPU         = 1 << 1
	typeGPU         = 1 << 2
	typeAccelerator = 1 << 3

	fpCorrectDivideSqrt = 1 << 7
)

func (d deviceHandle) id() uintptr { return uintptr(d) }

func (d deviceHandle) info(what uintptr) query {
	return func(size uintptr, value unsafe.Pointer, told *uintptr) error {
		return clGetDeviceInfo.call(uintptr(d), what, size, uintptr(value), uintptr(unsafe.Pointer(told)))
	}
}

func (d deviceHandle) maxAlloc() (int64, error) { return d.info(deviceMaxAlloc).number() }

func (d deviceHandle) describe(ask func(query func() error) error) (i Info, refused string, err error) {
	answered := func(query string, f func() error) {
		e := ask(f)
		if query == "CL_DEVICE_DOUBLE_FP_CONFIG" && e == invalidValue {
			return // OpenCL 1.1 without float64
		}
		if e != nil && err == nil {
			refused, err = query, e
		}
	}
	text := func(query string, what uintptr) (words string) {
		answered(query, func() error {
			v, err := d.info(what).text()
			words = strings.Join(strings.Fields(v), " ")
			return err
		})
		return words
	}
	whole := func(query string, what uintptr) (v int64) {
		answered(query, func() (err error) {
			v, err = d.info(what).number()
			return err
		})
		return v
	}
	i = Info{
		Vendor:       text("CL_DEVICE_VENDOR", deviceVendor),
		Name:         text("CL_DEVICE_NAME", deviceName),
		Version:      text("CL_DEVICE_VERSION", deviceVersion),
		Driver:       text("CL_DRIVER_VERSION", deviceDriver),
		ComputeUnits: int(whole("CL_DEVICE_MAX_COMPUTE_UNITS", deviceComputeUnits)),
		ClockMHz:     int(whole("CL_DEVICE_MAX_CLOCK_FREQUENCY", deviceClock)),
		GlobalMem:    whole("CL_DEVICE_GLOBAL_MEM_SIZE", deviceGlobalMem),
		MaxAlloc:     whole("CL_DEVICE_MAX_MEM_ALLOC_SIZE", deviceMaxAlloc),
		LocalMem:     whole("CL_DEVICE_LOCAL_MEM_SIZE", deviceLocalMem),
		MaxGroup:     int(whole("CL_DEVICE_MAX_WORK_GROUP_SIZE", deviceMaxGroup)),
		FP64:         whole("CL_DEVICE_DOUBLE_FP_CONFIG", deviceDoubleFP) != 0,
		CorrectSqrt:  whole("CL_DEVICE_SINGLE_FP_CONFIG", deviceSingleFP)&fpCorrectDivideSqrt != 0,
		Type:         Other,
		Twin:         -1,
	}
	switch t := whole("CL_DEVICE_TYPE", deviceType); {
	case t&typeGPU != 0:
		i.Type = GPU
	case t&typeCPU != 0:
		i.Type = CPU
	case t&typeAccelerator != 0:
		i.Type = Accelerator
	}
	return i, refused, err
}

func (d deviceHandle) pciAddress(vendor string) string {
	// The standard extension tells domain, bus, device and function.
	if all, err := d.info(devicePCIBusInfoKHR).bytes(); err == nil && len(all) == 16 {
		at := (*[4]uint32)(unsafe.Pointer(&all[0]))
		return fmt.Sprintf("%04x:%02x:%02x", at[0], at[1], at[2])
	}
	// For other vendors the numbers of these queries mean something else.
	if !strings.Contains(strings.ToLower(vendor), "nvidia") {
		return ""
	}
	bus, err := d.info(devicePCIBusNV).number()
	slot, err2 := d.info(devicePCISlotNV).number()
	if err != nil || err2 != nil {
		return ""
	}
	domain, _ := d.info(devicePCIDomainNV).number() // 0 without an answer
	return fmt.Sprintf("%04x:%02x:%02x", domain, bus, slot>>3)
}

// build does not use the call of the binding, which loses the status, and also
// the log if it is over 1 MiB.
func (p programHandle) build(d clDevice, options string) (status Code, log string) {
	device, text := d.id(), append([]byte(options), 0)
	err := clBuildProgram.call(uintptr(p), 1, uintptr(unsafe.Pointer(&device)), uintptr(unsafe.Pointer(&text[0])), 0, 0)
	status, _ = err.(Code)
	const buildLog = 0x1183 // CL_PROGRAM_BUILD_LOG
	log, _ = query(func(size uintptr, value unsafe.Pointer, told *uintptr) error {
		return clGetProgramBuildInfo.call(uintptr(p), device, buildLog, size, uintptr(value),
			uintptr(unsafe.Pointer(told)))
	}).text()
	return status, log
}

// binary returns what the driver has compiled for a program of one device.
func (p programHandle) binary() ([]byte, error) {
	const sizes, binaries = 0x1165, 0x1166 // CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARIES
	info := func(what uintptr) query {
		return func(size uintptr, value unsafe.Pointer, told *uintptr) error {
			return clGetProgramInfo.call(uintptr(p), what, size, uintptr(value), uintptr(unsafe.Pointer(told)))
		}
	}
	size, err := info(sizes).number()
	if err != nil || size == 0 {
		return nil, err
	}
	binary := make([]byte, size)
	at := unsafe.SliceData(binary)
	err = info(binaries)(unsafe.Sizeof(at), unsafe.Pointer(&at), nil)
	return binary, err
}

// withBinary makes a program of what binary has returned.
func withBinary(context, device uintptr, binary []byte) (programHandle, error) {
	var loaded, status int32
	at, size := unsafe.SliceData(binary), uintptr(len(binary))
	program := invoke(clCreateProgramWithBinary.at, context, 1, uintptr(unsafe.Pointer(&device)),
		uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&at)), uintptr(unsafe.Pointer(&loaded)),
		uintptr(unsafe.Pointer(&status)))
	return programHandle(program), codeFrom(status)
}

func (k kernelHandle) argument(i int) (name, typ string, space int, ok bool) {
	info := func(what uintptr) query {
		return func(size uintptr, value unsafe.Pointer, told *uintptr) error {
			return clGetKernelArgInfo.call(uintptr(k), uintptr(i), what, size, uintptr(value),
				uintptr(unsafe.Pointer(told)))
		}
	}
	const spaces, types, names = 0x1196, 0x1198, 0x119A // CL_KERNEL_ARG_ADDRESS_QUALIFIER, …
	s, err := info(spaces).number()
	typ, _ = info(types).text()
	name, _ = info(names).text()
	return name, typ, int(s), err == nil && typ != ""
}
