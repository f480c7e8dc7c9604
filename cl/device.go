package cl

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// Device is an opened device with its own in-order queue. All openings of a device
// share a context and the programs in it. A Device belongs to one goroutine at a
// time. The owner closes it.
type Device struct {
	info    Info
	context *context
	closed  bool
	queue   clQueue
	timed   clQueue // measures launches; made when first needed, since it takes time on some drivers
	profile func(kernel string, took time.Duration)

	// inflight holds the objects that queued commands use, until the queue is known
	// to be empty. Otherwise a finalizer could release an object that Go can no
	// longer reach while a kernel works on it.
	inflight map[any]struct{}
	pinned   runtime.Pinner // host memory that is being sent
	held     int64          // bytes of the open buffers

	calls calls
	built builds
	asked atomic.Pointer[func() error] // see BeforeBuild
	lost  atomic.Pointer[DeviceError]  // set when the device is abandoned
	flip  int                          // see Fault
}

// Open opens a device that Discover or Select returned. Each call returns a new
// Device, even for the same chip. OpenCL 1.2 is required. The error is Info.Fault if
// the driver has refused a query.
func Open(info Info) (*Device, error) {
	d := &Device{info: info, inflight: map[any]struct{}{}}
	if info.Fault != nil {
		return nil, info.Fault
	}
	if info.handle == nil {
		return nil, d.fail(clCreateContext, "", InvalidDevice)
	}
	v, found := strings.CutPrefix(info.Version, "OpenCL ")
	if found && (strings.HasPrefix(v, "1.0") || strings.HasPrefix(v, "1.1")) {
		return nil, fmt.Errorf("%s: has %s, and OpenCL 1.2 is needed", d, info.Version)
	}
	if err := d.join(); err != nil {
		return nil, err
	}
	var err error
	if d.queue, err = d.makeQueue(false); err != nil {
		d.context.leave(d)
		return nil, err
	}
	return d, nil
}

// makeQueue makes a queue, which measures launches if timed is set.
func (d *Device) makeQueue(timed bool) (q clQueue, err error) {
	if err = d.call(clCreateCommandQueue, func() (err error) {
		q, err = d.context.queue(d.info.handle, timed)
		return err
	}); err != nil {
		return nil, d.fail(clCreateCommandQueue, "", err)
	}
	return q, nil
}

// Info returns the description of the device that Discover made.
func (d *Device) Info() Info { return d.info }

// String returns the name of the device in errors: "device 1 (NAME)".
func (d *Device) String() string { return d.info.String() }

// Profile times every Launch as LaunchTimed does, and calls report with the kernel
// and the time. A nil report ends this. It is for benchmarks: launches then wait
// for each other and for the host.
func (d *Device) Profile(report func(kernel string, took time.Duration)) { d.profile = report }

// BuildTime returns for how long the driver has compiled so far: programs, and
// kernels at their first launches with a size, where some drivers compile them.
// During such a launch all of its time counts. BuildTime may be called from any
// goroutine.
func (d *Device) BuildTime() time.Duration { return d.built.time() }

// Finish waits until everything queued is done.
func (d *Device) Finish() error {
	d.check()
	if err := d.call(clFinish, d.queue.finish); err != nil {
		return d.fail(clFinish, "", err)
	}
	d.done()
	return nil
}

// Close waits for everything queued and releases the device. Its buffers and
// programs cannot be used afterwards. A second Close does nothing, nor does Close
// of an abandoned device.
func (d *Device) Close() {
	if d.closed || d.Abandoned() {
		return
	}
	d.call(clFinish, d.queue.finish) // a failure no longer matters to anyone
	if d.Abandoned() {
		return
	}
	d.done()
	if d.timed != nil {
		d.timed.release()
	}
	d.queue.release()
	d.queue = nil
	d.timed = nil
	d.closed = true
	d.context.leave(d)
}

func (d *Device) check() {
	if d.closed {
		panic("cl: device is closed")
	}
}

// hold keeps v reachable until the queue is known to be empty.
func (d *Device) hold(v any) { d.inflight[v] = struct{}{} }

// done forgets the objects in flight. It is called when the queue is known to be
// empty.
func (d *Device) done() {
	if d.Abandoned() {
		return // the driver may still use them
	}
	clear(d.inflight)
	d.pinned.Unpin()
	runtime.KeepAlive(d)
}
