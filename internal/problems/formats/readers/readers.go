// Package readers reads texts of graphs and of quadratic problems that are in memory as a whole, and tells a Sink what
// they hold. A fault is a *Fault, or an *input.Error without a file, with its place in the text.
//
//	text ──► Reader ──► Sink: the size, then terms ──► Facts
package readers

import (
	"fmt"
	"math/big"

	"github.com/clopt/clopt/internal/problems/formats/rows"
	"github.com/clopt/clopt/internal/problems/input"
)

// Sink takes what a reader finds. Vertices and variables count from 0, and at is the offset in the text of what a call
// is about. Errors of its methods end the reading and are returned as they are.
type Sink interface {
	// Size says how many vertices or variables there are, from which number the text counts them, and their names,
	// which are nil if they have none. It is called once, before the terms.
	Size(n, base int, names []string, at int) error
	// Term adds the weight c·10^-digits to the pair of u and v, or to the linear term of u if both are the same.
	Term(u, v int, c int64, digits, at int) error
}

// Reader reads a text.
type Reader func(text []byte, to Sink) (Facts, error)

// Facts are what a text says beside its terms.
type Facts struct {
	Maximize bool
	Offset   *big.Rat // nil: 0
	Repeats  Repeats
	Bare     bool       // no term has a weight
	Others   []string   // names of numbers that edges have instead of weights
	Rows     []rows.Row // linear constraints
}

// Repeats says what several terms of the same pair mean.
type Repeats int

// The meanings. Two edges are equal if they have the same ends, in any order, and the same weight.
const (
	Faults Repeats = iota // they are a fault
	Equal                 // equal ones are one edge; others are a fault
	Summed                // they are added
)

// Fault is what is wrong with a text, and where.
type Fault struct {
	At  int // offset in the text
	Msg string
}

func (f *Fault) Error() string { return f.Msg }

func fault(at int, format string, args ...any) error { return &Fault{at, fmt.Sprintf(format, args...)} }

// number reads a decimal number at an offset.
func number(word []byte, at int) (c int64, digits int, err error) {
	if len(word) == 0 {
		return 0, 0, fault(at, "no weight. Write a number like 3, -1 or 0.25.")
	}
	c, digits, err = input.Exact(word)
	switch {
	case err == nil:
	case err.Error() == "is not a decimal number":
		err = fault(at, "%s is not a decimal number. Write weights like 3, -1 or 0.25.", input.Shown(word))
	default:
		err = fault(at, "%s %v.", input.Shown(word), err)
	}
	return c, digits, err
}

// half returns the half of c·10^-digits.
func half(c int64, digits, at int) (int64, int, error) {
	switch {
	case c%2 == 0:
		return c / 2, digits, nil
	case c > input.MaxExact/5 || c < -input.MaxExact/5:
		return 0, 0, fault(at, "this coefficient counts half, which has too many digits to be summed exactly. Scale "+
			"it down.")
	}
	return 5 * c, digits + 1, nil
}
