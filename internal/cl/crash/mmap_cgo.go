//go:build cgo && linux && (amd64 || arm64)

package crash

import "unsafe"

// runtimeMmap is what Go calls for memory. Package runtime/cgo has set it before.
//
//go:linkname runtimeMmap _cgo_mmap
var runtimeMmap unsafe.Pointer

func init() { runtimeMmap = unsafe.Pointer(&mapped) }
