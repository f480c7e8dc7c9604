package cl

import "sync/atomic"

// objects is the number of objects of drivers that are not released.
var objects atomic.Int64

// Objects returns how many contexts, queues, buffers, programs, kernels and events this process has, for tests that
// look for leaks.
func Objects() int64 { return objects.Load() }

// made counts an object if there is no error, and returns the error.
func made(err error) error {
	if err == nil {
		objects.Add(1)
	}
	return err
}
