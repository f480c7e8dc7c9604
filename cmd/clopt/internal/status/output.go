package status

import (
	"errors"
	"io"
	"os"

	"github.com/clopt/clopt/problems/input"
)

// Output remembers the first error of its writer. It ignores that the reader closed the other end. Control characters
// other than line breaks and tabs are written as escapes such as \x1b, because texts from files and names of devices
// may have some, which a terminal would obey.
type Output struct {
	W   io.Writer
	Err error
}

func (o *Output) Write(b []byte) (int, error) {
	o.raw(input.Printable(string(b), "\n\t"))
	return len(b), nil
}

// raw writes a text with its control characters.
func (o *Output) raw(text string) {
	if o.Err != nil {
		return
	}
	if _, err := io.WriteString(o.W, text); err != nil && !readerGone(err) && !errors.Is(err, os.ErrClosed) {
		o.Err = err
	}
}
