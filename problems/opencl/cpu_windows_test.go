package opencl

import "time"

var begun = time.Now()

// cpuTime returns the time since the tests began.
func cpuTime() time.Duration { return time.Since(begun) }
