package status

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/clopt/clopt/problems/input"
)

// Output remembers the first error of its writer. It ignores that the reader closed the other end. Control characters
// other than line breaks and tabs are written as escapes such as \x1b, because texts from files and names of devices
// may have some, which a terminal would obey.
type Output struct {
	W   io.Writer
	Err error
}

// Clear clears the screen, if the writer is a terminal. It reports whether that is so.
func (o *Output) Clear() bool {
	f, ok := o.W.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	o.raw("\x1b[H\x1b[J")
	return true
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
