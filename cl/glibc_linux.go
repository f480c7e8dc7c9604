//go:build !cgo

package cl

import "github.com/ebitengine/purego"

// glibc is a function that the C library of GNU has, and musl has not.
var glibc = "gnu_get_libc_version"

// checkC returns a *NoDeviceError if the C library is not that of GNU, for which purego makes threads.
func checkC() error {
	if _, err := symbol(purego.RTLD_DEFAULT, glibc); err != nil {
		return &NoDeviceError{
			"without cgo clopt needs glibc, and this C library is another one, such as musl of Alpine",
			"Use a container of Debian, or build clopt with CGO_ENABLED=1"}
	}
	return nil
}
