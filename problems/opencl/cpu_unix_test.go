//go:build unix

package opencl

import (
	"syscall"
	"time"
)

// cpuTime returns how long processors have worked for this process. Other processes do not change it, as they change
// the time of the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
