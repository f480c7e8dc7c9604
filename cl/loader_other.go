//go:build cgo && (darwin || windows)

package cl

// loads is not used on this system.
func loads(string) string { return "" }
