//go:build !cgo

package cl

import "unsafe"

// Without cgo all functions are called by their addresses, and a value is a handle. Nothing releases one but release.
type (
	handlePlatform uintptr
	handleDevice   struct{ deviceHandle }
	handleContext  uintptr
	handleQueue    struct {
		queue uintptr
		timed bool
	}
	handleEvent   uintptr // 0: of a launch that is not timed
	handleMem     uintptr
	handleProgram struct{ programHandle }
	handleKernel  struct{ kernelHandle }
)

// listed returns the handles that a function lists.
func listed(list func(room uintptr, all *uintptr, found *uint32) error) ([]uintptr, error) {
	var found uint32
	if err := list(0, nil, &found); err != nil || found == 0 {
		return nil, err
	}
	all := make([]uintptr, found)
	return all, list(uintptr(found), &all[0], nil)
}

// platforms lists the drivers that the loader knows.
func platforms() (all []clPlatform, err error) {
	if err := loadOpenCL(); err != nil {
		return nil, err
	}
	var found []uintptr
	shielded(func() {
		found, err = listed(func(room uintptr, all *uintptr, found *uint32) error {
			return clGetPlatformIDs.call(room, uintptr(unsafe.Pointer(all)), uintptr(unsafe.Pointer(found)))
		})
	})
	for _, p := range found {
		all = append(all, handlePlatform(p))
	}
	return all, err
}

func (p handlePlatform) info(what uintptr) string {
	text, _ := query(func(size uintptr, value unsafe.Pointer, told *uintptr) error {
		return clGetPlatformInfo.call(uintptr(p), what, size, uintptr(value), uintptr(unsafe.Pointer(told)))
	}).text()
	return text
}

func (p handlePlatform) name() string { return p.info(0x902) } // CL_PLATFORM_NAME

func (p handlePlatform) version() string { return p.info(0x901) } // CL_PLATFORM_VERSION

func (p handlePlatform) devices() (all []clDevice) {
	const every = 1<<32 - 1 // CL_DEVICE_TYPE_ALL
	var found []uintptr
	shielded(func() {
		found, _ = listed(func(room uintptr, all *uintptr, found *uint32) error {
			return clGetDeviceIDs.call(uintptr(p), every, room, uintptr(unsafe.Pointer(all)),
				uintptr(unsafe.Pointer(found)))
		})
	})
	for _, d := range found {
		all = append(all, handleDevice{deviceHandle(d)})
	}
	return all
}

// created counts an object that a function has made, unless the status says that it has not.
func created(object uintptr, status int32) error {
	if object == 0 && status == 0 {
		return unknown
	}
	return made(codeFrom(status))
}

func (d handleDevice) context() (clContext, error) {
	var status int32
	device := d.id()
	c := invoke(clCreateContext.at, 0, 1, uintptr(unsafe.Pointer(&device)), 0, 0, uintptr(unsafe.Pointer(&status)))
	return handleContext(c), created(c, status)
}

func (c handleContext) queue(d clDevice, timed bool) (clQueue, error) {
	var properties uintptr
	if timed {
		properties = 1 << 1 // CL_QUEUE_PROFILING_ENABLE
	}
	var status int32
	q := invoke(clCreateCommandQueue.at, uintptr(c), d.id(), properties, uintptr(unsafe.Pointer(&status)))
	return handleQueue{q, timed}, created(q, status)
}

func (c handleContext) buffer(size int) (clMem, error) {
	const readWrite = 1 << 0 // CL_MEM_READ_WRITE
	var status int32
	m := invoke(clCreateBuffer.at, uintptr(c), readWrite, uintptr(size), 0, uintptr(unsafe.Pointer(&status)))
	return handleMem(m), created(m, status)
}

func (c handleContext) program(text string) (clProgram, error) {
	var status int32
	at, size := unsafe.StringData(text), uintptr(len(text))
	p := invoke(clCreateProgramWithSource.at, uintptr(c), 1, uintptr(unsafe.Pointer(&at)),
		uintptr(unsafe.Pointer(&size)), uintptr(unsafe.Pointer(&status)))
	return handleProgram{programHandle(p)}, created(p, status)
}

func (c handleContext) binary(d clDevice, binary []byte) (clProgram, error) {
	p, err := withBinary(uintptr(c), d.id(), binary)
	return handleProgram{p}, made(err)
}

// released calls a function that releases an object.
func released(release *function, object uintptr) {
	release.call(object)
	objects.Add(-1)
}

func (c handleContext) release() { released(clReleaseContext, uintptr(c)) }

// toWord returns 1 for true.
func toWord(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}

func (q handleQueue) write(m clMem, wait bool, off, size int, host unsafe.Pointer) error {
	return clEnqueueWriteBuffer.call(q.queue, uintptr(m.(handleMem)), toWord(wait), uintptr(off), uintptr(size),
		uintptr(host), 0, 0, 0)
}

func (q handleQueue) read(m clMem, wait bool, off, size int, host unsafe.Pointer) error {
	return clEnqueueReadBuffer.call(q.queue, uintptr(m.(handleMem)), toWord(wait), uintptr(off), uintptr(size),
		uintptr(host), 0, 0, 0)
}

func (q handleQueue) fill(m clMem, pattern unsafe.Pointer, width, off, size int) error {
	return clEnqueueFillBuffer.call(q.queue, uintptr(m.(handleMem)), uintptr(pattern), uintptr(width), uintptr(off),
		uintptr(size), 0, 0, 0)
}

func (q handleQueue) copy(from, to clMem, fromOff, toOff, size int) error {
	return clEnqueueCopyBuffer.call(q.queue, uintptr(from.(handleMem)), uintptr(to.(handleMem)), uintptr(fromOff),
		uintptr(toOff), uintptr(size), 0, 0, 0)
}

func (q handleQueue) launch(k clKernel, global, local []int) (clEvent, error) {
	var event uintptr
	var to *uintptr // nil: the driver keeps no event
	if q.timed {
		to = &event
	}
	err := clEnqueueNDRangeKernel.call(q.queue, uintptr(k.(handleKernel).kernelHandle), uintptr(len(global)), 0,
		uintptr(unsafe.Pointer(unsafe.SliceData(global))), uintptr(unsafe.Pointer(unsafe.SliceData(local))), 0, 0,
		uintptr(unsafe.Pointer(to)))
	if err == nil && q.timed {
		objects.Add(1)
	}
	return handleEvent(event), err
}

func (q handleQueue) finish() error { return clFinish.call(q.queue) }

func (q handleQueue) release() { released(clReleaseCommandQueue, q.queue) }

func (e handleEvent) times() (start, end int64, err error) {
	info := func(what uintptr) query {
		return func(size uintptr, value unsafe.Pointer, told *uintptr) error {
			return clGetEventProfilingInfo.call(uintptr(e), what, size, uintptr(value), uintptr(unsafe.Pointer(told)))
		}
	}
	if start, err = info(0x1282).number(); err == nil { // CL_PROFILING_COMMAND_START
		end, err = info(0x1283).number() // CL_PROFILING_COMMAND_END
	}
	return start, end, err
}

func (e handleEvent) release() {
	if e != 0 {
		released(clReleaseEvent, uintptr(e))
	}
}

func (m handleMem) release() { released(clReleaseMemObject, uintptr(m)) }

func (p handleProgram) kernel(name string) (clKernel, error) {
	var status int32
	text := append([]byte(name), 0)
	k := invoke(clCreateKernel.at, uintptr(p.programHandle), uintptr(unsafe.Pointer(&text[0])),
		uintptr(unsafe.Pointer(&status)))
	return handleKernel{kernelHandle(k)}, created(k, status)
}

func (p handleProgram) release() { released(clReleaseProgram, uintptr(p.programHandle)) }

func (k handleKernel) arguments() (int, error) {
	const arguments = 0x1191 // CL_KERNEL_NUM_ARGS
	n, err := query(func(size uintptr, value unsafe.Pointer, told *uintptr) error {
		return clGetKernelInfo.call(uintptr(k.kernelHandle), arguments, size, uintptr(value),
			uintptr(unsafe.Pointer(told)))
	}).number()
	return int(n), err
}

func (k handleKernel) maxGroup(d clDevice) (int, error) {
	const groupSize = 0x11B0 // CL_KERNEL_WORK_GROUP_SIZE
	n, err := query(func(size uintptr, value unsafe.Pointer, told *uintptr) error {
		return clGetKernelWorkGroupInfo.call(uintptr(k.kernelHandle), d.id(), groupSize, size, uintptr(value),
			uintptr(unsafe.Pointer(told)))
	}).number()
	return int(n), err
}

func (k handleKernel) set(i, size int, value unsafe.Pointer) error {
	return clSetKernelArg.call(uintptr(k.kernelHandle), uintptr(i), uintptr(size), uintptr(value))
}

func (k handleKernel) setBuffer(i int, m clMem) error {
	mem := uintptr(m.(handleMem))
	return clSetKernelArg.call(uintptr(k.kernelHandle), uintptr(i), unsafe.Sizeof(mem), uintptr(unsafe.Pointer(&mem)))
}

func (k handleKernel) release() { released(clReleaseKernel, uintptr(k.kernelHandle)) }
