//go:build !cgo

package cl

// platforms returns an error, since OpenCL is called through cgo.
func platforms() ([]clPlatform, error) {
	return nil, &NoDeviceError{"clopt was built without cgo and therefore without OpenCL",
		"Build it with CGO_ENABLED=1 and a C compiler"}
}

// loads returns the reason why a shared library does not load.
func loads(string) string { return "clopt was built without cgo" }
