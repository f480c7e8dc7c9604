package runs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// Kind is the kind of a Fault.
type Kind int

const (
	Input   Kind = iota // wrong input: a recipe, a name, a folder that is in use
	Output              // a file or folder cannot be written
	Damage              // no checkpoint can be used
	Foreign             // a checkpoint belongs to another run
	Ranks               // the ranks of a run cannot make it together
)

// Fault is an error with a run folder or one of its files. It has the text of Err.
type Fault struct {
	Kind Kind
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// fault returns a Fault with a formatted error. If that wraps a Fault, it has the kind of that one. A file
// that is refused is a wrong input.
func fault(kind Kind, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if inner, ok := errors.AsType[*Fault](err); ok {
		kind = inner.Kind
	}
	if _, refused := errors.AsType[*disk.Refused](err); refused {
		kind = Input
	}
	return &Fault{kind, err}
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
