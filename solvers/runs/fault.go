package runs

import (
	"fmt"
	"strings"
)

// Kind says what is wrong with a run folder or a file of it.
type Kind int

const (
	Input   Kind = iota // what a person gave or wrote: a recipe, a name, a folder that is in use
	Output              // a file or folder cannot be written
	Damage              // no checkpoint can be used
	Foreign             // a checkpoint is of another run
)

// Fault is an error of a run folder. Its text is that of Err.
type Fault struct {
	Kind Kind
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// fault makes a Fault.
func fault(kind Kind, format string, args ...any) error {
	return &Fault{kind, fmt.Errorf(format, args...)}
}

// firstLine is the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
