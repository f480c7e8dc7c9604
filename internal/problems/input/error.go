// Package input reads text that people write: points, numbers and keys of problem
// specs. Its Error names the place of a fault.
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// Error is a fault in a file or text from a person. Line and Col are 1-based, Col in
// bytes; zero means not known or without meaning. File is empty if the text is not
// from a file.
type Error struct {
	File      string
	Line, Col int
	Msg       string // the fault, the value seen, and what to do
	Large     bool   // there is too little memory for the file, which has no fault in itself
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

// tooLarge returns e as an error of a file for which there is too little memory.
func (e *Error) tooLarge() *Error {
	e.Large = true
	e.Msg += " Use a smaller table, or give the process more memory."
	return e
}

// Errorf returns an *Error with a formatted message.
func Errorf(file string, line, col int, format string, args ...any) *Error {
	return &Error{File: file, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
}

// FileError returns the *Error of a file that cannot be opened or read. Where the file is missing, it names one that
// is spelled nearly so.
func FileError(path string, err error) *Error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	advice := "Check the path."
	if near := NearFile(path); near != "" && errors.Is(err, fs.ErrNotExist) {
		advice = fmt.Sprintf("Did you mean %s?", near)
	}
	return Errorf(path, 0, 0, "cannot be read: %v. %s", err, advice)
}

// AsError returns err as an *Error, for errors in text from a person.
func AsError(err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return Errorf("", 0, 0, "%v", err)
}

// Shown quotes a piece of a file, shortened to fit into a message.
func Shown(word []byte) string {
	const most = 32
	if len(word) > most {
		return strconv.Quote(string(word[:most])) + "…"
	}
	return strconv.Quote(string(word))
}

// Place returns the line and the column of an offset in a text, both from 1.
func Place(text []byte, offset int) (line, col int) {
	before := text[:min(max(offset, 0), len(text))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
