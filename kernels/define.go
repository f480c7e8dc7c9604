package kernels

import "strconv"

// Define is one "#define Name Value".
type Define struct{ Name, Value string }

// Number returns the define of an unsigned number.
func Number(name string, v int) Define { return Define{name, strconv.Itoa(v) + "u"} }

// Signed returns the define of a signed number.
func Signed(name string, v int) Define { return Define{name, strconv.Itoa(v)} }

// Flag returns a define with the value 1 or 0.
func Flag(name string, on bool) Define {
	if on {
		return Define{name, "1"}
	}
	return Define{name, "0"}
}
