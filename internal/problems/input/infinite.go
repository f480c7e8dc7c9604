package input

import (
	"math"
	"strconv"
	"strings"
)

// Instead returns what to write instead of a bound that is infinite, such as "-inf", "Infinity" or "1e999", as a
// sentence with a full stop before it. It returns "" for any other text.
func Instead(bound string) string {
	v, _ := strconv.ParseFloat(strings.TrimSpace(bound), 64)
	if !math.IsInf(v, 0) {
		return ""
	}
	return ". A bound is a finite number: write one that the answer surely lies within, such as 1e6, or 1e20 if " +
		"nothing is known"
}

// OfBounds adds to a fault in a table of bounds what to write instead, if the fault is the infinite number that its
// message shows. It returns other faults, and nil, as they are.
func OfBounds(fault *Error) *Error {
	if fault == nil {
		return nil
	}
	_, rest, _ := strings.Cut(fault.Msg, `"`)
	word, _, _ := strings.Cut(rest, `"`)
	with := *fault
	with.Msg = strings.TrimSuffix(with.Msg, ".") + Instead(word)
	return &with
}
