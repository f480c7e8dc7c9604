package cl

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Device is an opened device with its own context and its own in-order queue.
// It belongs to one goroutine at a time. The owner closes it.
type Device struct {
	info    Info
	context clContext
	queue   clQueue
	timed   clQueue // measures launches; made when first needed, as it costs time on some drivers
	profile func(kernel string, took time.Duration)

	// inflight holds what queued commands use, until the queue is known to be
	// empty: an object that Go cannot reach any more is released by a finalizer,
	// also while a kernel works on it.
	inflight map[any]struct{}
	pinned   runtime.Pinner // what is being sent
	held     int64          // bytes of its open buffers
	kept     []*built       // programs, the one used last first
}

// Open opens a device that Discover or Select returned. Each call gives another
// Device, also for the same chip. OpenCL 1.2 is required.
func Open(info Info) (*Device, error) {
	d := &Device{info: info, inflight: map[any]struct{}{}}
	if info.handle == nil {
		return nil, d.fail("clCreateContext", "", InvalidDevice)
	}
	if v, found := strings.CutPrefix(info.Version, "OpenCL "); found && (strings.HasPrefix(v, "1.0") || strings.HasPrefix(v, "1.1")) {
		return nil, fmt.Errorf("%s: has %s, and OpenCL 1.2 is needed", d, info.Version)
	}
	var err error
	if d.context, err = info.handle.context(); err != nil {
		return nil, d.fail("clCreateContext", "", err)
	}
	if d.queue, err = d.context.queue(info.handle, false); err != nil {
		d.context.release()
		return nil, d.fail("clCreateCommandQueue", "", err)
	}
	return d, nil
}

// Info returns what Discover said of the device.
func (d *Device) Info() Info { return d.info }

// String is how errors name the device: "device 1 (NAME)".
func (d *Device) String() string { return d.info.String() }

// Profile makes every Launch one that is timed, as LaunchTimed does it, and
// tells report kernel and time; nil ends that. It is for benchmarks: launches
// then wait for each other and for the host.
func (d *Device) Profile(report func(kernel string, took time.Duration)) { d.profile = report }

// Finish waits until everything queued is done.
func (d *Device) Finish() error {
	d.check()
	if err := d.queue.finish(); err != nil {
		return d.fail("clFinish", "", err)
	}
	d.done()
	return nil
}

// Close waits for what is queued and gives the device back. Buffers and programs
// of the device cannot be used afterwards. A second Close does nothing. A device
// that hangs is better left alone than closed.
func (d *Device) Close() {
	if d.context == nil {
		return
	}
	d.queue.finish() // nobody is left to whom a failure matters
	d.done()
	if d.timed != nil {
		d.timed.release()
	}
	d.keep(0)
	d.queue.release()
	d.context.release()
	d.queue, d.timed, d.context = nil, nil, nil
}

func (d *Device) check() {
	if d.context == nil {
		panic("cl: device is closed")
	}
}

// hold keeps v reachable until the queue is known to be empty.
func (d *Device) hold(v any) { d.inflight[v] = struct{}{} }

// done is called when the queue is known to be empty.
func (d *Device) done() {
	clear(d.inflight)
	d.pinned.Unpin()
	runtime.KeepAlive(d)
}

// fail names device, call and object: "device 1 (NAME): clFinish: CL_…".
func (d *Device) fail(call, what string, err error) error {
	if what != "" {
		call += ": " + what
	}
	return fmt.Errorf("%s: %s: %w", d, call, err)
}
