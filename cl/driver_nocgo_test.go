//go:build !cgo

package cl

import (
	"errors"
	"testing"
)

// Without cgo there is no device. The error says why and what to do.
func TestWithoutCgo(t *testing.T) {
	infos, err := Discover()
	var none *NoDeviceError
	if len(infos) > 0 || !errors.As(err, &none) {
		t.Fatalf("%d devices, %v", len(infos), err)
	}
	want := "cl: no OpenCL device: clopt was built without cgo and therefore without OpenCL. " +
		"Build it with CGO_ENABLED=1 and a C compiler"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, err := Open(Info{Name: "none"}); !errors.Is(err, InvalidDevice) {
		t.Errorf("a device that Discover did not return is opened: %v", err)
	}
}
