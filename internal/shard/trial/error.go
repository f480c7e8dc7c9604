package trial

import (
	"fmt"
	"strings"
)

// ReadError means that the device text of a problem reads a variable that the problem does not declare.
type ReadError struct {
	File      string `json:"file"`      // of the objective
	Variable  uint32 `json:"variable"`  // one that was read
	Component uint32 `json:"component"` // by this component
	Declared  []int  `json:"declared"`  // which may read these; nil: all
	Dim       int    `json:"variables"` // of the problem
	Count     uint32 `json:"reads"`     // that are not declared
	Points    int    `json:"points"`    // that were evaluated
	Grid      bool   `json:"grid"`      // the declared variables are cells of a grid
}

func (e *ReadError) Error() string {
	s := fmt.Sprintf("%s: error: component %d reads variable %d", e.File, e.Component, int32(e.Variable))
	reads, times := "reads", "one evaluation"
	if e.Count == 1 {
		reads = "read"
	}
	if e.Points > 1 {
		times = fmt.Sprintf("%d evaluations", e.Points)
	}
	if int32(e.Variable) < 0 {
		return s + fmt.Sprintf(", outside 0 to %d (%d such %s in %s). Guard the index, as in \"if (k > 0)\".", e.Dim-1,
			e.Count, reads, times)
	}
	if int64(e.Variable) >= int64(e.Dim) {
		from0 := ""
		if int64(e.Variable) == int64(e.Dim) {
			from0 = "The first variable is at(x, 0). "
		}
		return s + fmt.Sprintf(
			", outside 0 to %d (%d such %s in %s). %s"+
				"Guard the index, as in \"if (k + 1 < DIM)\", or declare fewer components, such as "+
				"\"//@ components n-1\".", e.Dim-1, e.Count, reads, times, from0)
	}
	such := "k..k+1"
	switch ahead := int64(e.Variable) - int64(e.Component); {
	case e.Grid:
		such = "self, right, down"
	case e.window() && 0 < ahead && ahead < mostAhead:
		such = fmt.Sprintf("k..k+%d", ahead)
	}
	return s + fmt.Sprintf(
		", outside the declared %s (%d such %s in %s). "+
			"Declare all that it reads, such as \"//@ reads %s\" or \"//@ reads whole\".", e.declared(), e.Count,
		reads, times, such)
}

// mostAhead is the number of variables of the longest window that an error proposes. Lists suit a component that reads
// a few variables of a longer one.
const mostAhead = 64

// window reports whether the declared variables are k..k+W.
func (e *ReadError) window() bool {
	n := len(e.Declared)
	return n > 0 && e.Declared[0] == int(e.Component) && e.Declared[n-1] == e.Declared[0]+n-1
}

// declared returns the declared variables in words, without those after the first ten of a list.
func (e *ReadError) declared() string {
	n := len(e.Declared)
	if n == 0 {
		return "none"
	}
	if lo, hi := e.Declared[0], e.Declared[n-1]; n > 1 && hi-lo == n-1 {
		return fmt.Sprintf("%d to %d", lo, hi)
	}
	text, more := e.Declared, ""
	if n > 10 {
		text, more = text[:10], ", ..."
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(text), "[]"), " ", ", ") + more
}

// IndexError means that the device text of a problem reads or writes outside of an array.
type IndexError struct {
	File      string // of the objective
	Component uint32 // that did it
	Array     string // acc, inner, r, or d.NAME for a table
	Length    int    // of the array
	Index     int    // if Known
	Known     bool   // false: some index outside of the array
	Write     bool   // false: a read
}

func (e *IndexError) Error() string {
	verb := "reads"
	if e.Write {
		verb = "writes"
	}
	element := fmt.Sprintf("%s[%d]", e.Array, e.Index)
	if !e.Known {
		element = "outside of " + e.Array
	}
	s := fmt.Sprintf("%s: error: component %d %s %s, and ", e.File, e.Component, verb, element)
	if table, ok := strings.CutPrefix(e.Array, "d."); ok {
		return s + fmt.Sprintf("the table %s has the elements 0 to %d. Compare the index with d.%s_len, as in "+
			"\"if (i < d.%s_len)\", or declare fewer components.", table, e.Length-1, table, table)
	}
	s += fmt.Sprintf("the number of %s is %d. ", writtenArrays[e.Array].elements, e.Length)
	use := "Use"
	if e.Known && e.Index >= e.Length && e.Index < 16 {
		use = fmt.Sprintf("Write //@ %s %d, or use", writtenArrays[e.Array].directive, e.Index+1)
	}
	return s + fmt.Sprintf("%s %s[0] to %s[%d].", use, e.Array, e.Array, e.Length-1)
}

// writtenArrays are the arrays that components write to: what their elements are, and the directive with their number.
var writtenArrays = map[string]struct{ elements, directive string }{
	"acc": {"sums", "sums"}, "inner": {"inner sums", "inner"}, "r": {"squares", "squares"},
}

// UnsteadyError means that a component has two values at one point.
type UnsteadyError struct {
	File      string // of the objective
	Component uint32
}

func (e *UnsteadyError) Error() string {
	return fmt.Sprintf("%s: error: component %d has two values at one point. It may read a variable that it has not "+
		"set, or far outside of an array.", e.File, e.Component)
}

// SetError means that a component does more with a sum than add to it.
type SetError struct {
	File      string // of the objective
	Component uint32
	Sum       uint32
}

func (e *SetError) Error() string {
	return fmt.Sprintf("%s: error: component %d sets acc[%d], or reads it. Components share the sums, so they may "+
		"only add to them, as in \"acc[%d] += v\".", e.File, e.Component, e.Sum, e.Sum)
}
