package cputime

import "time"

var begun = time.Now()

// Now returns the time since the tests began.
func Now() time.Duration { return time.Since(begun) }
