//go:build !darwin && !linux

package cl

// shielded calls f. Where there are no signals of terminals, nothing is blocked.
func shielded(f func()) { f() }
