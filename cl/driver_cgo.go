//go:build cgo

package cl

import (
	"fmt"
	"unsafe"

	binding "github.com/jgillich/go-opencl/cl"
)

// These types wrap the objects of the binding. Two values are equal if they have the
// same object.
type (
	boundPlatform struct{ p *binding.Platform }
	boundDevice   struct {
		deviceHandle
		d *binding.Device
	}
	boundContext struct{ c *binding.Context }
	boundQueue   struct{ q *binding.CommandQueue }
	boundEvent   struct{ e *binding.Event }
	boundMem     struct{ m *binding.MemObject }
	boundProgram struct{ p *binding.Program }
	boundKernel  struct{ k *binding.Kernel }
)

// guard calls f and returns a panic of the binding as an error.
func guard[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	v, err = f()
	return v, codeOf(err)
}

// platforms lists the drivers that the loader knows.
func platforms() (all []clPlatform, err error) {
	if err := loadOpenCL(); err != nil {
		return nil, err
	}
	var found []*binding.Platform
	shielded(func() { found, err = guard(binding.GetPlatforms) })
	for _, p := range found {
		all = append(all, boundPlatform{p})
	}
	return all, err
}

func (p boundPlatform) name() string {
	name, _ := guard(func() (string, error) { return p.p.Name(), nil })
	return name
}

func (p boundPlatform) version() string {
	version, _ := guard(func() (string, error) { return p.p.Version(), nil })
	return version
}

// devices returns none if the binding fails. The binding reports a platform
// without devices as an error, and a driver that fails here is of no use either.
func (p boundPlatform) devices() (all []clDevice) {
	var found []*binding.Device
	shielded(func() {
		found, _ = guard(func() ([]*binding.Device, error) { return p.p.GetDevices(binding.DeviceTypeAll) })
	})
	for _, d := range found {
		all = append(all, boundDevice{deviceHandle(handle(d, "id")), d})
	}
	return all
}

func (b boundDevice) context() (clContext, error) {
	c, err := guard(func() (*binding.Context, error) { return binding.CreateContext([]*binding.Device{b.d}) })
	return boundContext{c}, made(err)
}

func (c boundContext) queue(d clDevice, timed bool) (clQueue, error) {
	var properties binding.CommandQueueProperty
	if timed {
		properties = binding.CommandQueueProfilingEnable
	}
	q, err := guard(func() (*binding.CommandQueue, error) {
		return c.c.CreateCommandQueue(d.(boundDevice).d, properties)
	})
	return boundQueue{q}, made(err)
}

func (c boundContext) buffer(size int) (clMem, error) {
	m, err := c.c.CreateEmptyBuffer(binding.MemReadWrite, size)
	return boundMem{m}, made(codeOf(err))
}

func (c boundContext) program(text string) (clProgram, error) {
	p, err := c.c.CreateProgramWithSource([]string{text})
	return boundProgram{p}, made(codeOf(err))
}

func (c boundContext) binary(d clDevice, binary []byte) (clProgram, error) {
	object, err := withBinary(handle(c.c, "clContext"), d.id(), binary)
	if err != nil {
		return nil, err
	}
	p := &binding.Program{}
	setHandle(p, "clProgram", uintptr(object))
	return boundProgram{p}, made(nil)
}

func (c boundContext) release() {
	c.c.Release()
	objects.Add(-1)
}

// queued releases an event that nobody waits for. Otherwise it would hold memory
// in the driver.
func queued(e *binding.Event, err error) error {
	e.Release()
	return codeOf(err)
}

func (q boundQueue) write(m clMem, wait bool, off, size int, host unsafe.Pointer) error {
	return queued(q.q.EnqueueWriteBuffer(m.(boundMem).m, wait, off, size, host, nil))
}

func (q boundQueue) read(m clMem, wait bool, off, size int, host unsafe.Pointer) error {
	return queued(q.q.EnqueueReadBuffer(m.(boundMem).m, wait, off, size, host, nil))
}

func (q boundQueue) fill(m clMem, pattern unsafe.Pointer, width, off, size int) error {
	return queued(q.q.EnqueueFillBuffer(m.(boundMem).m, pattern, width, off, size, nil))
}

func (q boundQueue) copy(from, to clMem, fromOff, toOff, size int) error {
	return queued(q.q.EnqueueCopyBuffer(from.(boundMem).m, to.(boundMem).m, fromOff, toOff, size, nil))
}

func (q boundQueue) launch(k clKernel, global, local []int) (clEvent, error) {
	e, err := q.q.EnqueueNDRangeKernel(k.(boundKernel).k, nil, global, local, nil)
	if err != nil {
		return nil, queued(e, err)
	}
	return boundEvent{e}, made(nil)
}

func (q boundQueue) finish() error { return codeOf(q.q.Finish()) }

func (q boundQueue) release() {
	q.q.Release()
	objects.Add(-1)
}

func (e boundEvent) times() (start, end int64, err error) {
	if start, err = e.e.GetEventProfilingInfo(binding.ProfilingInfoCommandStart); err == nil {
		end, err = e.e.GetEventProfilingInfo(binding.ProfilingInfoCommandEnd)
	}
	return start, end, codeOf(err)
}

func (e boundEvent) release() {
	e.e.Release()
	objects.Add(-1)
}

func (m boundMem) release() {
	m.m.Release()
	objects.Add(-1)
}

func (p boundProgram) kernel(name string) (clKernel, error) {
	k, err := p.p.CreateKernel(name)
	return boundKernel{k}, made(codeOf(err))
}

func (p boundProgram) handle() programHandle { return programHandle(handle(p.p, "clProgram")) }

func (p boundProgram) build(d clDevice, options string) (status Code, log string) {
	return p.handle().build(d, options)
}

func (p boundProgram) binary() ([]byte, error) { return p.handle().binary() }

func (p boundProgram) release() {
	p.p.Release()
	objects.Add(-1)
}

func (k boundKernel) arguments() (int, error) {
	n, err := k.k.NumArgs()
	return n, codeOf(err)
}

func (k boundKernel) argument(i int) (name, typ string, space int, ok bool) {
	return kernelHandle(handle(k.k, "clKernel")).argument(i)
}

func (k boundKernel) maxGroup(d clDevice) (int, error) {
	n, err := k.k.WorkGroupSize(d.(boundDevice).d)
	return n, codeOf(err)
}

func (k boundKernel) set(i, size int, value unsafe.Pointer) error {
	return codeOf(k.k.SetArgUnsafe(i, size, value))
}

func (k boundKernel) setBuffer(i int, m clMem) error {
	return codeOf(k.k.SetArgBuffer(i, m.(boundMem).m))
}

func (k boundKernel) release() {
	k.k.Release()
	objects.Add(-1)
}
