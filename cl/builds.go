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
	Loaded bool          // from its binary on disk
}

// record is what is known of a program that was compiled. All openings of its device add to its time.
type record struct {
	Build              // without Took
	took  atomic.Int64 // nanoseconds
}

// newRecord returns the record of a program that is to be compiled.
func (d *Device) newRecord(s source, where Line) *record {
	sum := sha256.Sum256([]byte(s.options + "\x00" + s.text))
	of := &record{Build: Build{Device: d.info.Index, Sum: hex.EncodeToString(sum[:6]), Bytes: len(s.text)}}
	if where != nil {
		of.For, _, _ = where(strings.Count(s.text, "\n"))
	}
	return of
}

// Builds returns the programs that were compiled since the last call, in order. It may be called from any goroutine.
func (d *Device) Builds() []Build { return d.built.take() }

// builds is the time that a driver has spent on compiling.
type builds struct {
	total atomic.Int64 // nanoseconds
	since atomic.Int64 // when the build that is under way began, by now; 0: there is none

	mu      sync.Mutex
	records []*record // since the last take
}

// begin begins a build.
func (b *builds) begin() { b.since.Store(now()) }

// end ends a build for a program, in which a kernel also ran for some time. of is nil if there is no record of it.
func (b *builds) end(of *record, ran time.Duration) {
	took := max(0, now()-b.since.Load()-int64(ran))
	b.total.Add(took)
	b.since.Store(0)
	if of != nil {
		of.took.Add(took)
	}
}

// add adds a record.
func (b *builds) add(of *record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.records = append(b.records, of)
}

// take returns the records since the last call.
func (b *builds) take() (all []Build) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, of := range b.records {
		one := of.Build
		one.Took = time.Duration(of.took.Load())
		all = append(all, one)
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
