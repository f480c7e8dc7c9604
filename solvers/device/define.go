package device

import (
	"strconv"

	"github.com/clopt/clopt/kernels"
)

// Flag returns a define with the value 1 or 0.
func Flag(name string, on bool) kernels.Define {
	if on {
		return kernels.Define{Name: name, Value: "1"}
	}
	return kernels.Define{Name: name, Value: "0"}
}

// Define returns a define of a number, which is unsigned.
func Define(name string, v int) kernels.Define {
	return kernels.Define{Name: name, Value: strconv.Itoa(v) + "u"}
}
