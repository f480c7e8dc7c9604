//go:build cgo || !linux

package cl

// checkC returns nil: any C library will do.
func checkC() error { return nil }
