package problems

import (
	"fmt"
	"strconv"
)

type Defines []Define

func (d *Defines) Add(name string, value any) { *d = append(*d, Define{name, fmt.Sprint(value)}) }

// Literal is v as the text of a real: R(8e+01).
func Literal(v float64) string { return "R(" + strconv.FormatFloat(v, 'e', -1, 64) + ")" }

func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
