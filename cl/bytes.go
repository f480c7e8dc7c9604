package cl

import (
	"encoding/binary"
	"errors"
	"runtime"
	"unsafe"
)

// errEndian: bytes are read by other machines too, and those we know are all alike.
var errEndian = errors.New("cl: this machine is not little-endian; its buffers cannot be stored")

// ReadBytes is Read of len(dst) bytes as they lie in the buffer, little-endian.
// The length is a multiple of an element's.
func (b *Buffer[T]) ReadBytes(off int, dst []byte) error {
	if !littleEndian() {
		return errEndian
	}
	return asElements(dst, func(e []T) error { return b.Read(off, e) }, true)
}

// WriteBytes is Write of bytes that ReadBytes gave.
func (b *Buffer[T]) WriteBytes(off int, src []byte) error {
	if !littleEndian() {
		return errEndian
	}
	return asElements(src, func(e []T) error { return b.Write(off, e) }, false)
}

func littleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// asElements lends the bytes of p to f as elements; a copy where p does not
// lie as elements must.
func asElements[T Elem](p []byte, f func([]T) error, read bool) error {
	size := int(unsafe.Sizeof(*new(T)))
	if len(p)%size != 0 {
		panic("cl: bytes that are no whole elements")
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
