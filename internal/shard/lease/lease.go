// Package lease says who has devices, which belong to one caller at a time.
package lease

import (
	"errors"
	"sync"
)

// The errors of Take.
var (
	ErrInUse = errors.New("shard: the devices are in use by another call; open others for what goes on at the same " +
		"time (shard.Open)")
	ErrClosed = errors.New("shard: the devices are closed")
)

// Lease is the right to use something. The zero value is free. It may be used from any goroutine.
type Lease struct {
	mu            sync.Mutex
	taken, closed bool
}

// Take takes the lease. It returns ErrInUse if it is taken, and ErrClosed after Close.
func (l *Lease) Take() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.taken:
		return ErrInUse
	case l.closed:
		return ErrClosed
	}
	l.taken = true
	return nil
}

// Give gives the lease back. now is true if Close was called meanwhile, so that the caller has to close.
func (l *Lease) Give() (now bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken = false
	return l.closed
}

// Close ends the lease. now is true if the caller has to close now: it is the first time, and the lease is free.
func (l *Lease) Close() (now bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = !l.closed && !l.taken
	l.closed = true
	return now
}
