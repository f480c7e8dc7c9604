package cl

import (
	"sync"
	"sync/atomic"
)

// Call is a call of the driver, as an Injector sees it.
type Call struct {
	Function string  // such as "clFinish"
	Number   int     // of the calls of this function since Inject, from 0
	Device   *Device // without an Info for clGetDeviceInfo, before a device is open
}

// Fault is what an Injector does to a call. The zero value is no fault.
type Fault struct {
	Code Code            // if not 0, the call is not made, and fails with this code
	Flip int             // if above 0, this bit of what a call reads is flipped, the first bit is 1
	Hang <-chan struct{} // if not nil, the call is not made, and returns only when the channel is closed
}

// Injector decides about each call. It may be called from several goroutines.
type Injector func(Call) Fault

// Inject makes calls of drivers fail until end is called, for tests of programs that are to survive it. There is one
// Injector at a time.
func Inject(f Injector) (end func()) {
	in := &injection{decide: f, made: map[*function]int{}}
	injected.Store(in)
	return func() { injected.CompareAndSwap(in, nil) }
}

var injected atomic.Pointer[injection]

// injection counts the calls for an Injector.
type injection struct {
	decide Injector
	mu     sync.Mutex
	made   map[*function]int
}

// call returns the error of an injected fault, or makes the call.
func (in *injection) call(d *Device, of *function, f func() error) error {
	in.mu.Lock()
	number := in.made[of]
	in.made[of]++
	in.mu.Unlock()
	fault := in.decide(Call{of.name, number, d})
	d.flip = fault.Flip
	switch {
	case fault.Hang != nil:
		<-fault.Hang
		return OutOfResources
	case fault.Code != 0:
		return fault.Code
	}
	return f()
}

// asked makes a query about a device that is not open yet.
func asked(query func() error) error {
	if in := injected.Load(); in != nil {
		return in.call(&Device{}, clGetDeviceInfo, query)
	}
	return query()
}

// flipped flips the bit of what was read that an Injector has chosen, if it has.
func (d *Device) flipped(read []byte) {
	if d.flip > 0 {
		bit := (d.flip - 1) % (8 * len(read))
		read[bit/8] ^= 1 << (bit % 8)
		d.flip = 0
	}
}
