package problems

import "fmt"

// InputError is a fault in a file or text that a person gave: an objective,
// points, instance data, a problem's spec. Msg says what is wrong, the value
// seen and what to do. A zero Line or Col means that it is not known or has no
// meaning there; an empty File means that the text came from no file.
type InputError struct {
	File string
	Line int // 1-based
	Col  int // 1-based, in bytes
	Msg  string
}

// Error returns "FILE:LINE:COL: error: MSG" without the parts that are zero,
// and MSG alone when File is empty.
func (e *InputError) Error() string {
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

// inputErrorf returns an *InputError with a formatted message.
func inputErrorf(file string, line, col int, format string, args ...any) *InputError {
	return &InputError{File: file, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
}
