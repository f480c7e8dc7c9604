//go:build !linux

package mpi

import "runtime"

// library stands for the MPI library of systems on which none is loaded.
type library struct {
	path, version string
}

type request struct{}

func load(_ string, launch Launch) (*library, error) {
	return nil, &LibraryError{Launch: launch, Tried: []string{"MPI is not supported on " + runtime.GOOS}}
}

func (*library) start() (rank, size int, err error)    { return 0, 1, nil }
func (*library) send(int, []byte) (*request, error)    { return nil, nil }
func (*library) receive(int, []byte) (*request, error) { return nil, nil }
func (*library) barrier() (*request, error)            { return nil, nil }
func (*library) done(*request) (bool, error)           { return true, nil }
func (*library) received(*request) (int, error)        { return 0, nil }
func (*library) cancel(*request) (bool, error)         { return true, nil }
func (*library) come(rank int) (int, bool, error)      { return 0, true, nil }
func (*library) tell(rank, tag int) (*request, error)  { return nil, nil }
func (*library) told(rank, tag int) (bool, error)      { return false, nil }
func (*library) abort(code int)                        {}
func (*library) finish() error                         { return nil }
