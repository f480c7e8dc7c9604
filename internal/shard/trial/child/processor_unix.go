//go:build unix

package child

import (
	"math"
	"syscall"
	"time"
)

// processorTime returns for how long processors have worked for this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.MaxInt64 // not known
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
