package runs

import (
	"fmt"
	"strings"
)

// Kind is the kind of a Fault.
type Kind int

const (
	Input   Kind = iota // wrong input: a recipe, a name, a folder that is in use
	Output              // a file or folder cannot be written
	Damage              // no checkpoint can be used
	Foreign             // a checkpoint belongs to another run
)

// Fault is an error with a run folder or one of its files. It has the text of Err.
type Fault struct {
	Kind Kind
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// fault returns a Fault with a formatted error.
func fault(kind Kind, format string, args ...any) error {
	return &Fault{kind, fmt.Errorf(format, args...)}
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
