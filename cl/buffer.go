package cl

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// Elem is the constraint on the elements of a buffer.
type Elem interface {
	~uint8 | ~uint16 | ~uint32 | ~int32 | ~uint64 | ~int64 | ~float32 | ~float64
}

// Buffer is n elements in the memory of one device. The owner closes it.
type Buffer[T Elem] struct {
	d   *Device
	mem clMem // nil once closed
	n   int
	arg Arg // its type as a parameter of a kernel
}

// MemoryError reports that a device refused a buffer. The caller may split the
// buffer or ask for a smaller one.
type MemoryError struct {
	Device   *Device
	Bytes    int64 // wanted
	MaxAlloc int64 // the largest single buffer that the device promises now
	Global   int64 // all memory of the device
	Held     int64 // bytes already taken through this Device
	Err      error
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s: clCreateBuffer: %s refused (largest buffer %s, memory %s, of which %s held here): %v",
		e.Device, bytes(e.Bytes), bytes(e.MaxAlloc), bytes(e.Global), bytes(e.Held), e.Err)
}

func (e *MemoryError) Unwrap() error { return e.Err }

// chunk bounds a single transfer or fill: some drivers count bytes in 32 bits.
const chunk = 1 << 30

// Alloc makes a buffer of n zeros; n may be 0. It also tries a buffer that is
// larger than the device promises. The buffer is written at once, because drivers
// allocate late and would fail in the middle of a run. If the memory is refused,
// the error is a *MemoryError.
func Alloc[T Elem](d *Device, n int) (*Buffer[T], error) {
	d.check()
	if n < 0 {
		panic("cl: negative buffer length")
	}
	size := int64(unsafe.Sizeof(*new(T)))
	// OpenCL has no empty buffers, and kernels here never get null pointers.
	wanted := size * int64(max(n, 1))
	if wanted/size != int64(max(n, 1)) {
		panic("cl: buffer length overflows")
	}
	refused := func(err error) error { return d.refusal(wanted, err) }
	if d.info.GlobalMem > 0 && wanted > d.info.GlobalMem-d.held {
		// A CPU runtime would accept this, and the system would end the process
		// when it touches the pages.
		return nil, refused(MemObjectAllocationFailure)
	}
	var mem clMem
	if err := d.call(clCreateBuffer, func() (err error) {
		mem, err = d.context.buffer(int(wanted))
		return err
	}); err != nil {
		return nil, refused(err)
	}
	b := &Buffer[T]{d, mem, max(n, 1), Mem[T]()}
	if err := b.touch(); err != nil {
		d.free(mem)
		return nil, refused(err)
	}
	b.n = n
	d.held += wanted
	return b, nil
}

// free releases memory of the device.
func (d *Device) free(m clMem) {
	if d.Abandoned() {
		leak(m)
		return
	}
	m.release()
}

// refusal returns a *MemoryError if err means that memory ran out, and else an
// error that names the call.
func (d *Device) refusal(wanted int64, err error) error {
	for _, c := range []Code{MemObjectAllocationFailure, OutOfResources, OutOfHostMemory, InvalidBufferSize} {
		if errors.Is(err, c) {
			limit, err2 := d.info.handle.maxAlloc()
			if err2 != nil {
				limit = d.info.MaxAlloc
			}
			return &MemoryError{d, wanted, limit, d.info.GlobalMem, d.held, err}
		}
	}
	return d.fail(clCreateBuffer, bytes(wanted), err)
}

// touch writes zeros everywhere and waits. If the buffer is larger than the device
// promises, touch also checks that its first and last element are distinct.
func (b *Buffer[T]) touch() error {
	var zero, mark, first, last [1]T
	mark[0] = 1
	if err := b.Fill(zero[0]); err != nil {
		return err
	}
	if err := b.d.Finish(); err != nil {
		return err
	}
	if b.n == 1 || int64(b.n)*int64(unsafe.Sizeof(mark[0])) <= b.d.info.MaxAlloc {
		return nil
	}
	err := errors.Join(b.Write(b.n-1, mark[:]), b.Read(0, first[:]), b.Read(b.n-1, last[:]), b.Write(b.n-1, zero[:]))
	if err == nil && (first != zero || last != mark) {
		err = InvalidBufferSize
	}
	return err
}

// Len returns the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Device returns the device that has the buffer.
func (b *Buffer[T]) Device() *Device { return b.d }

// Close waits for launches that use the buffer and releases its memory. A second
// Close does nothing, and nil is allowed; any other use afterwards panics.
func (b *Buffer[T]) Close() {
	if b == nil || b.mem == nil {
		return
	}
	if _, busy := b.d.inflight[b.mem]; busy && !b.d.closed {
		b.d.call(clFinish, b.d.queue.finish) // a failure shows again in the next call that reports
		b.d.done()
	}
	b.d.held -= int64(unsafe.Sizeof(*new(T))) * int64(max(b.n, 1))
	b.d.free(b.mem)
	b.mem = nil
}

func (b *Buffer[T]) check() {
	if b.mem == nil {
		panic("cl: buffer is closed")
	}
}

// within panics unless [off, off+n) lies in the buffer.
func (b *Buffer[T]) within(off, n int) {
	b.check()
	b.d.check()
	if off < 0 || n < 0 || off > b.n-n {
		panic("cl: range outside buffer")
	}
}

// Write copies src to elements off, off+1, … and waits for the copy and for
// everything queued before it. An empty src does nothing.
func (b *Buffer[T]) Write(off int, src []T) error {
	b.within(off, len(src))
	return b.transfer(clEnqueueWriteBuffer, b.d.queue.write, off, src)
}

// Send is like Write but does not wait. It copies src first, so that the caller
// may change it at once. It is meant for the few numbers that a step passes to its
// kernels: with Write, the step would wait for the kernels of the step before.
func (b *Buffer[T]) Send(off int, src []T) error {
	b.within(off, len(src))
	if len(src) == 0 {
		return nil
	}
	kept := slices.Clone(src)
	b.d.pinned.Pin(&kept[0])
	b.d.hold(b.mem)
	size := int(unsafe.Sizeof(src[0]))
	if err := b.d.call(clEnqueueWriteBuffer, func() error {
		return b.d.queue.write(b.mem, false, off*size, len(kept)*size, unsafe.Pointer(&kept[0]))
	}); err != nil {
		return b.d.fail(clEnqueueWriteBuffer, fmt.Sprintf("%d elements from %d of %d", len(src), off, b.n), err)
	}
	return nil
}

// Read copies elements off, off+1, … to dst and waits for the copy and for
// everything queued before it. An empty dst does nothing.
func (b *Buffer[T]) Read(off int, dst []T) error {
	b.within(off, len(dst))
	return b.transfer(clEnqueueReadBuffer, b.d.queue.read, off, dst)
}

// enqueue is the write or read method of a queue.
type enqueue func(m clMem, wait bool, off, size int, host unsafe.Pointer) error

func (b *Buffer[T]) transfer(call *function, f enqueue, off int, host []T) error {
	size := int(unsafe.Sizeof(*new(T)))
	for len(host) > 0 {
		n := min(len(host), chunk/size)
		if err := b.d.call(call, func() error {
			return f(b.mem, true, off*size, n*size, unsafe.Pointer(&host[0]))
		}); err != nil {
			return b.d.fail(call, fmt.Sprintf("%d elements from %d of %d", n, off, b.n), err)
		}
		if b.d.flip > 0 {
			b.d.flipped(unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), n*size))
		}
		b.d.done() // the queue runs in order: all commands before this one have ended
		off, host = off+n, host[n:]
	}
	runtime.KeepAlive(b)
	return nil
}

// Fill sets every element to v. It is queued and does not wait.
func (b *Buffer[T]) Fill(v T) error {
	b.within(0, b.n)
	// Some drivers need the same time for a pattern of 8 bytes as for one of 128,
	// the longest pattern that is allowed.
	const long = 128
	size := int(unsafe.Sizeof(v))
	pattern := make([]T, long/size)
	for i := range pattern {
		pattern[i] = v
	}
	b.d.hold(b.mem)
	for off, end := 0, b.n*size; off < end; {
		n, width := min(end-off, chunk)/long*long, long
		if n == 0 {
			n, width = end-off, size
		}
		if err := b.d.call(clEnqueueFillBuffer, func() error {
			return b.d.queue.fill(b.mem, unsafe.Pointer(&pattern[0]), width, off, n)
		}); err != nil {
			return b.d.fail(clEnqueueFillBuffer, fmt.Sprintf("%d elements", b.n), err)
		}
		off += n
	}
	return nil
}

// Copy copies the n elements of src that begin at element from to the elements of
// b that begin at element at. It is queued and does not wait. Both buffers must be
// on one device, and the ranges must not overlap.
func (b *Buffer[T]) Copy(at int, src *Buffer[T], from, n int) error {
	b.within(at, n)
	src.within(from, n)
	if b.d != src.d {
		panic("cl: copy between devices")
	}
	if b == src && at < from+n && from < at+n {
		panic("cl: copy overlaps")
	}
	size := int(unsafe.Sizeof(*new(T)))
	b.d.hold(b.mem)
	b.d.hold(src.mem)
	for n > 0 {
		k := min(n, chunk/size)
		if err := b.d.call(clEnqueueCopyBuffer, func() error {
			return b.d.queue.copy(src.mem, b.mem, from*size, at*size, k*size)
		}); err != nil {
			return b.d.fail(clEnqueueCopyBuffer, fmt.Sprintf("%d elements", k), err)
		}
		at += k
		from += k
		n -= k
	}
	return nil
}

// argument returns the device, the memory and the type of a buffer, for a launch.
func (b *Buffer[T]) argument() (*Device, clMem, Arg) {
	if b == nil {
		panic("cl: nil buffer as a kernel argument")
	}
	b.check()
	return b.d, b.mem, b.arg
}

// scalarNames are the names of Go's kinds in OpenCL C.
var scalarNames = map[reflect.Kind]string{
	reflect.Uint8: "uchar", reflect.Uint16: "ushort", reflect.Uint32: "uint", reflect.Int32: "int",
	reflect.Uint64: "ulong", reflect.Int64: "long", reflect.Float32: "float", reflect.Float64: "double",
}
