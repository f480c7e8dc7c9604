package cl

import (
	"errors"
	"fmt"
	"strings"
)

// NoDeviceError says why there is no device. Cure is one sentence, if possible
// with the command that helps.
type NoDeviceError struct{ Cause, Cure string }

func (e *NoDeviceError) Error() string {
	if e.OutOfMemory() {
		return fmt.Sprintf("cl: no OpenCL device: %s. There is too little memory for it: give the process more "+
			"(ulimit -v, the control group).", e.Cause)
	}
	return fmt.Sprintf("cl: no OpenCL device: %s. %s", e.Cause, e.Cure)
}

// OutOfMemory reports whether a library could not be loaded for want of memory.
func (e *NoDeviceError) OutOfMemory() bool {
	return strings.Contains(e.Cause, "failed to map segment") || strings.Contains(e.Cause, "annot allocate memory")
}

// causeOf describes the answer of OpenCL itself. platforms are the platforms
// found, which have no devices; err is the error of the query for platforms.
func causeOf(platforms []string, err error) string {
	switch {
	case err != nil && !errors.Is(err, PlatformNotFound):
		return "clGetPlatformIDs: " + err.Error()
	case len(platforms) > 0:
		return "no device in " + plural(len(platforms), "platform") + " " + strings.Join(platforms, ", ")
	}
	return "no platform"
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
