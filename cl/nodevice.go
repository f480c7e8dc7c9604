package cl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/cl/setup"
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

// diagnose examines this machine and says why Discover found nothing. platforms
// are those found, which have no devices; err is the error of the query for them.
func diagnose(platforms []string, err error) *NoDeviceError {
	if e, ok := errors.AsType[*NoDeviceError](err); ok {
		return e
	}
	f := setup.Finding{Platforms: platforms}
	if e, ok := errors.AsType[errLibrary](err); ok {
		f.Library = e.Error()
	} else if err != nil && !errors.Is(err, PlatformNotFound) {
		f.Failure = err.Error()
	}
	cause, cure := f.Diagnose(loads)
	return &NoDeviceError{cause, cure}
}
