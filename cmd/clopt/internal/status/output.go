package status

import (
	"errors"
	"io"
	"os"
)

// Output remembers the first error of its writer. It ignores that the reader closed the other end.
type Output struct {
	W   io.Writer
	Err error
}

func (o *Output) Write(b []byte) (int, error) {
	if o.Err == nil {
		if _, err := o.W.Write(b); err != nil && !readerGone(err) && !errors.Is(err, os.ErrClosed) {
			o.Err = err
		}
	}
	return len(b), nil
}
