//go:build !cgo && linux && (amd64 || arm64)

package crash

import _ "unsafe" // for go:linkname

// runtimeMmap is what Go calls for memory, from the beginning.
//
//go:linkname runtimeMmap _cgo_mmap
var runtimeMmap = &mapped
