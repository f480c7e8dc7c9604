package partial

import (
	"fmt"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// BoxTables returns tables with the interval of each variable for a device of a precision, or none where all variables
// have the same interval, and the define BOXED that says which it is.
func BoxTables(p problems.Problem, prec problems.Precision) ([]problems.Table, kernels.Define) {
	if p.Domain().OneBox() {
		return nil, kernels.Define{Name: "BOXED", Value: "0"}
	}
	d := p.Domain().In(prec)
	lo, hi := make([]float64, d.N), make([]float64, d.N)
	for i := range lo {
		lo[i], hi[i] = d.Interval(i)
	}
	return []problems.Table{{Name: "box_lo", Real: lo}, {Name: "box_hi", Real: hi}}, kernels.Define{Name: "BOXED",
		Value: "1"}
}

// TouchDefines returns the defines of kernels/lib/partial.cl that say which components read a variable.
func TouchDefines(s problems.Structure) []kernels.Define {
	num := func(v int) string { return fmt.Sprintf("%du", v) }
	if class, ok := s.GridClass("i"); ok {
		return []kernels.Define{{Name: "TOUCH_GRID", Value: "1"}, {Name: "TOUCH_CLASS(i)", Value: class}}
	}
	if stride, from, to, ok := s.Window(); ok && s.TouchTables() != nil {
		return []kernels.Define{{Name: "TOUCH_OFFSETS", Value: "1"}, {Name: "TOUCH_STRIDE", Value: num(stride)}}
	} else if ok {
		own := "0"
		if stride == 1 && from == 0 && to == 0 && s.Components() == s.Variables() {
			own = "1"
		}
		return []kernels.Define{
			{Name: "TOUCH_STRIDE", Value: num(stride)}, {Name: "TOUCH_FROM", Value: num(from)}, {Name: "TOUCH_TO",
				Value: num(to)},
			{Name: "TOUCH_OWN", Value: own},
		}
	}
	if s.Whole() {
		return []kernels.Define{{Name: "TOUCH_WHOLE", Value: "1"}}
	}
	if vars, comps, ok := s.Repeats(); ok {
		return []kernels.Define{{Name: "TOUCH_REPEATED", Value: "1"}, {Name: "TOUCH_VARS", Value: num(vars)},
			{Name: "TOUCH_COMPS", Value: num(comps)}}
	}
	return []kernels.Define{{Name: "TOUCH_LISTS", Value: "1"}}
}
