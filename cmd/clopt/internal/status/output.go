package status

import (
	"errors"
	"io"
	"os"
)

// Output remembers the first failure to write, except that the reader went
// away: then there is nobody left to tell.
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
