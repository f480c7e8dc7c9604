package graph

import (
	"fmt"
	"strconv"
)

// Error is a fault in a file or text that a person gave. A zero Line or Col is not
// known or has no meaning; both are 1-based, Col in bytes. An empty File means
// that the text came from no file.
type Error struct {
	File      string
	Line, Col int
	Msg       string // what is wrong, the value seen, what to do
}

// Error returns "FILE:LINE:COL: error: MSG" without the parts that are zero, and
// MSG alone when File is empty.
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return fmt.Sprintf("%s: error: %s", e.File, e.Msg)
	case e.Col == 0:
		return fmt.Sprintf("%s:%d: error: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: error: %s", e.File, e.Line, e.Col, e.Msg)
}

func errorf(file string, line, col int, format string, args ...any) *Error {
	return &Error{file, line, col, fmt.Sprintf(format, args...)}
}

// shown quotes a piece of a file, cut to a length that fits a message.
func shown(word []byte) string {
	const most = 32
	if len(word) > most {
		return strconv.Quote(string(word[:most])) + "…"
	}
	return strconv.Quote(string(word))
}
