//go:build !darwin && !linux && !windows

package cl

import "errors"

// functions are none on this system.
type functions struct{}

func openCL() (functions, error) { return functions{}, errors.ErrUnsupported }

func (functions) programWithBinary(_, _ uintptr, _ []byte) (uintptr, error) {
	return 0, errors.ErrUnsupported
}

func (functions) programBinary(uintptr) ([]byte, error) { return nil, errors.ErrUnsupported }
