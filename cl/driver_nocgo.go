//go:build !cgo

package cl

// platforms finds none: OpenCL is called through cgo.
func platforms() ([]clPlatform, error) {
	return nil, &NoDeviceError{"clopt was built without cgo, and so without OpenCL",
		"Build it with CGO_ENABLED=1 and a C compiler"}
}

// loads says why a shared library does not load.
func loads(string) string { return "clopt was built without cgo" }
