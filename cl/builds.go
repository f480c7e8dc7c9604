package cl

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Build is a program that a driver has compiled.
type Build struct {
	Device int           // its index, see Info
	Sum    string        // the first 12 digits of the SHA-256 of its options and its text, in hexadecimal
	Bytes  int           // of the text
	Took   time.Duration // with the kernels that the driver has compiled at launches so far
	For    string        // the file that its last line is from, which says who needs it; "": unknown
}

// newBuild returns the record of a program that is to be compiled.
func (d *Device) newBuild(text, options string, where Line) *Build {
	sum := sha256.Sum256([]byte(options + "\x00" + text))
	b := &Build{Device: d.info.Index, Sum: hex.EncodeToString(sum[:6]), Bytes: len(text)}
	if where != nil {
		b.For, _, _ = where(strings.Count(text, "\n"))
	}
	return b
}

// Builds returns the programs that were compiled since the last call, in order. It may be called from any goroutine.
func (d *Device) Builds() []Build { return d.built.take() }

// builds is the time that a driver has spent on compiling.
type builds struct {
	total atomic.Int64 // nanoseconds
	since atomic.Int64 // when the build that is under way began, by now; 0: there is none

	mu      sync.Mutex
	records []*Build // since the last take
}

// begin begins a build.
func (b *builds) begin() { b.since.Store(now()) }

// end ends a build for a program, in which a kernel also ran for some time. of is nil if there is no record of it.
func (b *builds) end(of *Build, ran time.Duration) {
	took := max(0, now()-b.since.Load()-int64(ran))
	b.total.Add(took)
	b.since.Store(0)
	if of != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		of.Took += time.Duration(took)
	}
}

// add adds a record.
func (b *builds) add(of *Build) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.records = append(b.records, of)
}

// take returns the records since the last call.
func (b *builds) take() (all []Build) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, of := range b.records {
		all = append(all, *of)
	}
	b.records = nil
	return all
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
