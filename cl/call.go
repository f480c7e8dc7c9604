package cl

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// DeviceError means that a call of the driver failed, or did not return. The device can no longer be relied on.
// Memory that a driver refuses is a *MemoryError instead.
type DeviceError struct {
	Device *Device
	Call   string // and what it was about: "clFinish", "clCreateKernel: kernel eval_tiles"
	Err    error  // a Code, or a *HangError
}

// Error returns "device 1 (NAME): clFinish: CL_…".
func (e *DeviceError) Error() string { return fmt.Sprintf("%s: %s: %v", e.Device, e.Call, e.Err) }

func (e *DeviceError) Unwrap() error { return e.Err }

// HangError means that a call of the driver has not returned after some time.
type HangError struct{ After time.Duration }

func (e *HangError) Error() string {
	return fmt.Sprintf("the driver has not answered for %v", e.After.Round(time.Second))
}

// fail returns an error that names the device, the call and the object.
func (d *Device) fail(call *function, what string, err error) error {
	if e := d.lost.Load(); e != nil {
		return e
	}
	if d.context != nil {
		d.context.fails()
	}
	text := call.name
	if what != "" {
		text += ": " + what
	}
	return &DeviceError{d, text, err}
}

// calls is what is known of the calls of a device's driver. It may be read from any goroutine.
type calls struct {
	since   atomic.Int64 // when the call that is under way began, by now; 0: there is none
	of      atomic.Pointer[function]
	kernel  atomic.Pointer[string] // the kernel that was launched last; nil: none
	longest atomic.Int64           // time of the longest call so far but builds, or expected, in nanoseconds
}

var clock = time.Now()

// now returns nanoseconds, never 0.
func now() int64 { return int64(time.Since(clock)) + 1 }

// call makes a call of the driver, unless the device was abandoned. All calls that may fail or hang are made here.
func (d *Device) call(of *function, f func() error) error {
	if e := d.lost.Load(); e != nil {
		return e
	}
	d.calls.of.Store(of)
	d.calls.since.Store(now())
	var err error
	if in := injected.Load(); in == nil && d.built.underWay() {
		shielded(func() { err = f() })
	} else if in == nil {
		err = f()
	} else {
		err = in.call(d, of, f)
	}
	took := now() - d.calls.since.Swap(0)
	if !d.built.underWay() {
		d.Expect(time.Duration(took))
	}
	if e := d.lost.Load(); e != nil {
		return e // nobody waits for this call any more
	}
	return err
}

// Waiting is a call of a driver that has not returned yet. The zero value is none.
type Waiting struct {
	Call    string // the function, and the kernel that was launched last
	Builds  bool   // it compiles a program, or may compile a kernel at its first launch
	Took    time.Duration
	Longest time.Duration // of the calls before, except builds, or what Expect was given
}

// Waiting returns the call that has not returned yet, if there is one. It may be called from any goroutine.
func (d *Device) Waiting() Waiting {
	since := d.calls.since.Load()
	if since == 0 || d.Abandoned() {
		return Waiting{}
	}
	of := d.calls.of.Load()
	w := Waiting{of.name, d.built.underWay(), time.Duration(now() - since),
		time.Duration(d.calls.longest.Load())}
	if k := d.calls.kernel.Load(); k != nil {
		w.Call += " (the latest kernel is " + *k + ")"
	}
	return w
}

// Expect notes that the device has work for some time, so that a call may take as long. It may be called from any
// goroutine.
func (d *Device) Expect(work time.Duration) {
	for {
		longest := d.calls.longest.Load()
		if int64(work) <= longest || d.calls.longest.CompareAndSwap(longest, int64(work)) {
			return
		}
	}
}

// Excuse leaves a time out of how long the call that is under way takes: one in which this process did not run. It may
// be called from any goroutine.
func (d *Device) Excuse(t time.Duration) {
	if since := d.calls.since.Load(); since > 0 {
		d.calls.since.CompareAndSwap(since, min(since+int64(t), now()))
	}
}

// Abandon gives up a device that nobody waits for any more, although its driver has not returned from a call. All
// further use of it fails with the error that Abandon returns, and nothing of it is released, since a release would
// wait, too. Other openings of the device go on. It may be called from any goroutine.
func (d *Device) Abandon() error {
	w := d.Waiting()
	d.context.abandon(d, &HangError{w.Took}, w.Call)
	return d.lost.Load()
}

// AbandonAll is Abandon for all openings of a device, whose driver is taken to have failed.
func (d *Device) AbandonAll() error {
	w := d.Waiting()
	d.context.abandonAll(&HangError{w.Took}, w.Call)
	return d.lost.Load()
}

// lose makes all further use of the device fail, unless it does already.
func (d *Device) lose(call string, why *HangError) {
	d.lost.CompareAndSwap(nil, &DeviceError{d, call, why})
	leak(d)
}

// Abandoned reports whether the device was given up, perhaps by somebody who has another opening of it. It may be
// called from any goroutine.
func (d *Device) Abandoned() bool { return d.lost.Load() != nil }

var (
	leaks  sync.Mutex
	leaked []any
)

// leak keeps an object of an abandoned device reachable for good. Otherwise its finalizer would release it, and wait
// for the driver.
func leak(v any) {
	leaks.Lock()
	defer leaks.Unlock()
	leaked = append(leaked, v)
}
