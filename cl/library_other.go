//go:build !darwin && !linux && !windows

package cl

import "errors"

// libraries are none on this system.
var libraries []string

func loadLibrary(string) (uintptr, error) { return 0, errors.ErrUnsupported }

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

func loads(string) string { return "" }

func invoke(uintptr, ...uintptr) uintptr { panic("cl: OpenCL is not called on this system") }
