//go:build unix

// Package cputime measures how long the processors work for a test. Other processes do not change it, as they change
// the time of the clock.
package cputime

import (
	"syscall"
	"time"
)

// Now returns how long processors have worked for this process.
func Now() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
