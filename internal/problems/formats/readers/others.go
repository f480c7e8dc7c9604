package readers

import (
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
)

// others are the names under which edges have numbers that are no weights. They are told where no edge has a weight,
// since one of them may be meant as it.
type others []string

// mostOthers is the largest number of names that are kept.
const mostOthers = 3

// counters are names of numbers that are never weights, and of the ends.
var counters = []string{"id", "key", "index", "label", "source", "target", ""}

// see adds a name if its value is a number.
func (o *others) see(name string, value []byte) {
	if len(*o) == mostOthers || slices.Contains(*o, name) || slices.Contains(counters, name) {
		return
	}
	if _, _, err := input.Exact(value); err == nil {
		*o = append(*o, name)
	}
}
