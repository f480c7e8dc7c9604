package report

import (
	"fmt"
	"math"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// The numbers of digits of values in a table.
const (
	fewestDigits = 3
	mostDigits   = 7
	wholeDigits  = 9 // the largest number of digits of whole values, such as cuts, that are written in full
)

// Short writes a value for a table, with three digits.
func Short(n exact.Number) string { return WithDigits(n, fewestDigits) }

// WithDigits writes a value for a table.
func WithDigits(n exact.Number, digits int) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	return fmt.Sprintf("%.*g", digits, float64(n))
}

// Digits returns with how many digits values of a problem are written, of which methods has those of each method. If
// all are whole numbers, they are written in full, and quantities between them with two digits after the point.
// Otherwise it is three digits, or as many more, up to seven, as tell the medians apart.
func Digits(methods [][]float64) int {
	whole, largest := true, 0.0
	medians := map[float64]bool{}
	for _, values := range methods {
		medians[stats.Summarise(values).Median] = true
		for _, v := range values {
			largest = max(largest, math.Abs(v))
			whole = whole && v == math.Trunc(v) && math.Abs(v) < math.Pow(10, wholeDigits)
		}
	}
	if whole {
		return len(fmt.Sprintf("%.0f", largest)) + 2
	}
	for digits := fewestDigits; digits < mostDigits; digits++ {
		texts := map[string]bool{}
		for m := range medians {
			texts[WithDigits(exact.Number(m), digits)] = true
		}
		if len(texts) == len(medians) {
			return digits
		}
	}
	return mostDigits
}
