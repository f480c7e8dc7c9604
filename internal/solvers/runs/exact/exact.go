// Package exact writes numbers so that they can be read back exactly.
package exact

import (
	"fmt"
	"math"
	"strconv"
)

// Number is a float64 in JSON. Values that are not finite are written as null.
type Number float64

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", b)
	}
	*n = Number(f)
	return nil
}

// MarshalJSON writes a number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	if f == 0 {
		return []byte("0"), nil // also for -0
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// Format returns the shortest decimal number that is read back as a value. It has no exponent from 1e-5 up to 1e21.
func Format(f float64) string {
	switch size := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case f == 0:
		return "0" // also for -0
	case math.IsInf(f, 0):
		return fmt.Sprintf("%+v", f) // +Inf or -Inf
	case size >= 1e-5 && size < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
