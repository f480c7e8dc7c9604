package cl

import (
	"sync/atomic"
	"time"
)

// builds is the time that a driver has spent on compiling.
type builds struct {
	total atomic.Int64 // nanoseconds
	since atomic.Int64 // when the build that is under way began, by now; 0: there is none
}

// begin begins a build.
func (b *builds) begin() { b.since.Store(now()) }

// end ends a build, in which a kernel also ran for some time.
func (b *builds) end(ran time.Duration) {
	b.total.Add(max(0, now()-b.since.Load()-int64(ran)))
	b.since.Store(0)
}

// underWay reports whether a build is under way.
func (b *builds) underWay() bool { return b.since.Load() > 0 }

// time returns the time of all builds, also of one under way.
func (b *builds) time() time.Duration {
	t := b.total.Load()
	if since := b.since.Load(); since > 0 {
		t += now() - since
	}
	return time.Duration(t)
}

// BeforeBuild sets a function that the device asks before it compiles a program or a kernel: its error ends the call.
// nil lets the device compile always.
func (d *Device) BeforeBuild(f func() error) {
	if f == nil {
		d.asked.Store(nil)
		return
	}
	d.asked.Store(&f)
}

// mayBuild returns the error of the function that BeforeBuild was given.
func (d *Device) mayBuild() error {
	if f := d.asked.Load(); f != nil {
		return (*f)()
	}
	return nil
}
