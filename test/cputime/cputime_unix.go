//go:build unix

// Package cputime measures the work of a test.
package cputime

import (
	"syscall"
	"time"
)

// Used returns for how long processors have worked for this process. Other processes do not change it, as they change
// the time of the clock.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
