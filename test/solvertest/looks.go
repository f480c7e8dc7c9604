package solvertest

import (
	"context"
	"sync/atomic"
)

// looks is the context that AfterLooks returns.
type looks struct {
	context.Context
	left atomic.Int64
}

// AfterLooks returns a context that is cancelled once its error has been asked for n times. A method asks between its
// launches, so that a test can cancel it in the middle of each step. Done is not closed.
func AfterLooks(n int) context.Context {
	l := &looks{Context: context.Background()}
	l.left.Store(int64(n))
	return l
}

func (l *looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
