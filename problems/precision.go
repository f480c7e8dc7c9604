package problems

import "fmt"

// Precision is the format of variables and of component arithmetic on a
// device. Sums over components are float64 (or pairs of float32) in both.
type Precision int

const (
	FP64 Precision = iota // float64 variables and arithmetic, the default
	FP32                  // float32 variables and arithmetic
)

// String returns "fp64" or "fp32", the spelling of flags and files.
func (p Precision) String() string {
	switch p {
	case FP64:
		return "fp64"
	case FP32:
		return "fp32"
	}
	return fmt.Sprintf("Precision(%d)", int(p))
}

// Validate returns an error unless p is FP64 or FP32. A number of bits is no Precision.
func (p Precision) Validate() error {
	if p != FP64 && p != FP32 {
		return fmt.Errorf("precision is %d; use FP64 or FP32", int(p))
	}
	return nil
}

// ParsePrecision reads "fp64" or "fp32".
func ParsePrecision(s string) (Precision, error) {
	switch s {
	case "fp64":
		return FP64, nil
	case "fp32":
		return FP32, nil
	}
	return FP64, fmt.Errorf("unknown precision %q; use fp64 or fp32", s)
}

// Bits is the size of one variable: 64 or 32.
func (p Precision) Bits() int {
	if p == FP32 {
		return 32
	}
	return 64
}

// PrecisionError means that a problem cannot be evaluated in a precision.
type PrecisionError struct {
	Spec      Spec
	Precision Precision
	Reason    string // "" means that it overflows
}

// Error names the problem, the reason, and the precision to use.
func (e *PrecisionError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s in %v: %s; use fp64", e.Spec, e.Precision, e.Reason)
	}
	return fmt.Sprintf("%s overflows in %v; use fp64", e.Spec, e.Precision)
}
