package cl

import "unsafe"

// What this package asks of OpenCL, under OpenCL's own names: a clMem is a
// cl_mem. With cgo the binding answers (driver_cgo.go). Without cgo there are no
// platforms, and so no value of the other types (driver_nocgo.go). Errors are
// Codes, except where the binding panics. Sizes and offsets are bytes; host is
// memory of the caller.
type (
	clPlatform interface {
		name() string
		version() string
		devices() []clDevice // none where the driver fails
	}

	clDevice interface {
		describe() Info                  // without index and platform
		pciAddress(vendor string) string // bus and slot of the chip, "" where the driver gives none
		maxAlloc() (int64, error)        // with some drivers it changes with what is free
		context() (clContext, error)
	}

	clContext interface {
		queue(d clDevice, timed bool) (clQueue, error)
		buffer(size int) (clMem, error)
		program(text string) (clProgram, error)
		release()
	}

	// clQueue runs in order what it is given. finish waits until all is done, and
	// write and read where wait is set; the others return at once.
	clQueue interface {
		write(m clMem, wait bool, off, size int, host unsafe.Pointer) error
		read(m clMem, wait bool, off, size int, host unsafe.Pointer) error
		fill(m clMem, pattern unsafe.Pointer, width, off, size int) error
		copy(from, to clMem, fromOff, toOff, size int) error
		launch(k clKernel, global, local []int) (clEvent, error) // local nil: the driver chooses
		finish() error
		release()
	}

	clEvent interface {
		times() (start, end int64, err error) // nanoseconds of the device's clock
		release()
	}

	clMem interface {
		release()
	}

	clProgram interface {
		build(d clDevice, options string) (status Code, log string) // status 0: it is built
		kernel(name string) (clKernel, error)
		release()
	}

	clKernel interface {
		arguments() (int, error)
		argument(i int) (name, typ string, space int, ok bool) // as the device text declares it; not ok: not kept
		maxGroup(d clDevice) (int, error)
		set(i, size int, value unsafe.Pointer) error // value nil: local memory
		setBuffer(i int, m clMem) error
		release()
	}
)
