//go:build !cgo || !linux || !(amd64 || arm64)

package cl

// OnCrash does nothing on this system.
func OnCrash(text string, file, code int) {}

func catchCrashes() {}
