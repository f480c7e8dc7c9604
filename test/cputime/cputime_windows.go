// Package cputime measures the work of a test.
package cputime

import "time"

var begun = time.Now()

// Used returns the time since the tests began.
func Used() time.Duration { return time.Since(begun) }
