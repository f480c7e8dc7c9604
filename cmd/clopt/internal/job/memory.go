package job

import (
	"math"
	"runtime/debug"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/cl/crash"
	"github.com/clopt/clopt/internal/problems/hostmem"
)

// LimitMemory lets the process end with a sentence when it finds no more memory, and collects garbage the more often
// the less memory is left.
func LimitMemory() {
	crash.OutOfMemory("clopt: error: memory ran out. Choose fewer variables or smaller tables, or give the process "+
		"more (ulimit -v, the control group, another machine).\n", 2, exit.Memory)
	if left := hostmem.Left(); left.Bytes < math.MaxInt64 {
		debug.SetMemoryLimit(left.Bytes - left.Bytes/4)
	}
}
