package cl

import "unsafe"

// The part of OpenCL that this package uses, under OpenCL's own names: a clMem is
// a cl_mem. With cgo the binding implements it (driver_cgo.go). Without cgo there
// are no platforms, and therefore no values of the other types (driver_nocgo.go).
// Errors are Codes, except where the binding panics. Sizes and offsets are in
// bytes; host is memory of the caller.
type (
	clPlatform interface {
		name() string
		version() string
		devices() []clDevice // none where the driver fails
	}

	clDevice interface {
		// describe returns all but index and platform. ask makes each query; the first that fails is refused.
		describe(ask func(query func() error) error) (i Info, refused string, err error)
		pciAddress(vendor string) string // bus and slot of the chip, "" if the driver does not report them
		maxAlloc() (int64, error)        // with some drivers it depends on the free memory
		context() (clContext, error)
		id() uintptr // of the driver's object
	}

	clContext interface {
		queue(d clDevice, timed bool) (clQueue, error)
		buffer(size int) (clMem, error)
		program(text string) (clProgram, error)
		binary(d clDevice, binary []byte) (clProgram, error) // of clProgram.binary
		release()
	}

	// clQueue runs its commands in order. finish waits until all are done; write and
	// read wait if wait is set. The others return at once.
	clQueue interface {
		write(m clMem, wait bool, off, size int, host unsafe.Pointer) error
		read(m clMem, wait bool, off, size int, host unsafe.Pointer) error
		fill(m clMem, pattern unsafe.Pointer, width, off, size int) error
		copy(from, to clMem, fromOff, toOff, size int) error
		launch(k clKernel, global, local []int) (clEvent, error) // local nil: the driver chooses the size
		finish() error
		release()
	}

	clEvent interface {
		times() (start, end int64, err error) // in nanoseconds of the device's clock
		release()
	}

	clMem interface {
		release()
	}

	clProgram interface {
		build(d clDevice, options string) (status Code, log string) // status 0: success, with warnings
		binary() ([]byte, error)                                    // what was built; nil if the driver does not say
		kernel(name string) (clKernel, error)
		release()
	}

	clKernel interface {
		arguments() (int, error)
		argument(i int) (name, typ string, space int, ok bool) // the declared parameter; ok: the driver reports it
		maxGroup(d clDevice) (int, error)
		set(i, size int, value unsafe.Pointer) error // value nil: local memory
		setBuffer(i int, m clMem) error
		release()
	}
)
