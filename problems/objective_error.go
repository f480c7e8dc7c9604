package problems

import (
	"fmt"

	"github.com/clopt/clopt/problems/graph"
)

// InputError is a fault in a file or text that a person gave: an objective,
// points, instance data, a graph, a problem's spec.
type InputError = graph.Error

// inputErrorf returns an *InputError with a formatted message.
func inputErrorf(file string, line, col int, format string, args ...any) *InputError {
	return &InputError{File: file, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
}
