package battery_test

import (
	"os"
	"syscall"
)

// peak returns the most memory that a process has had, in KiB.
func peak(p *os.ProcessState) int64 { return p.SysUsage().(*syscall.Rusage).Maxrss }
