package cl

import (
	"encoding/binary"
	"errors"
	"runtime"
	"unsafe"
)

// errEndian is the error on big-endian machines. Stored bytes are little-endian,
// so that other machines can read them.
var errEndian = errors.New("cl: this machine is not little-endian; its buffers cannot be stored")

// ReadBytes reads len(dst) bytes of the buffer, little-endian, beginning with
// element off. len(dst) must be a multiple of the size of an element. It waits
// like Read.
func (b *Buffer[T]) ReadBytes(off int, dst []byte) error {
	if !littleEndian() {
		return errEndian
	}
	return asElements(dst, func(e []T) error { return b.Read(off, e) }, true)
}

// WriteBytes writes bytes that ReadBytes returned, beginning with element off. It
// waits like Write.
func (b *Buffer[T]) WriteBytes(off int, src []byte) error {
	if !littleEndian() {
		return errEndian
	}
	return asElements(src, func(e []T) error { return b.Write(off, e) }, false)
}

func littleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// asElements calls f with the bytes of p as elements. If p is not aligned for
// elements, f gets a copy, which is copied back to p if read is set.
func asElements[T Elem](p []byte, f func([]T) error, read bool) error {
	size := int(unsafe.Sizeof(*new(T)))
	if len(p)%size != 0 {
		panic("cl: the bytes are not a whole number of elements")
	}
	if len(p) == 0 {
		return f(nil)
	}
	if uintptr(unsafe.Pointer(&p[0]))%unsafe.Alignof(*new(T)) == 0 {
		err := f(unsafe.Slice((*T)(unsafe.Pointer(&p[0])), len(p)/size))
		runtime.KeepAlive(p)
		return err
	}
	e := make([]T, len(p)/size)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&e[0])), len(p))
	if !read {
		copy(raw, p)
	}
	if err := f(e); err != nil {
		return err
	}
	if read {
		copy(p, raw)
	}
	return nil
}
