//go:build !linux || !(amd64 || arm64)

// Package crash says what happens when native code crashes, or memory runs out.
package crash

// On does nothing on this system.
func On(text string, file, code int) {}

// OutOfMemory does nothing on this system.
func OutOfMemory(text string, file, code int) {}

// Catch does nothing on this system.
func Catch() {}
