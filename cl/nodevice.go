package cl

import (
	"errors"
	"fmt"
	"strings"
)

// NoDeviceError says why there is no device and which one command cures it.
type NoDeviceError struct{ Cause, Cure string }

func (e *NoDeviceError) Error() string {
	return fmt.Sprintf("cl: no OpenCL device: %s. %s", e.Cause, e.Cure)
}

// causeOf says what OpenCL itself answered: platforms are those that were found,
// all without devices; err is the failure of asking for platforms.
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
