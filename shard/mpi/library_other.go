//go:build !linux

package mpi

import "runtime"

// library stands for the MPI library of systems on which none is loaded.
type library struct {
	candidate
	version string
}

type request struct{}

func load(_ string, launch Launch) (*library, error) {
	return nil, &LibraryError{Launch: launch, Tried: []string{"MPI is not supported on " + runtime.GOOS}}
}

func (*library) start() (rank, size int, err error)     { return 0, 1, nil }
func (*library) gather([]byte, []int) (*request, error) { return nil, nil }
func (*library) barrier(bool) (*request, error)         { return nil, nil }
func (*library) done(*request) (bool, error)            { return true, nil }
func (*library) send(rank, tag int) error               { return nil }
func (*library) receive(rank, tag int) (bool, error)    { return false, nil }
func (*library) abort(code int)                         {}
func (*library) finish() error                          { return nil }
