package partial

import (
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// BoxTables returns tables with the interval of each variable for a device of a precision, or none where all variables
// have the same interval, and the define BOXED that says which it is.
func BoxTables(p problems.Problem, prec problems.Precision) ([]problems.Table, kernels.Define) {
	if p.Domain().OneBox() {
		return nil, kernels.Flag("BOXED", false)
	}
	d := p.Domain().In(prec)
	lo, hi := make([]float64, d.N), make([]float64, d.N)
	for i := range lo {
		lo[i], hi[i] = d.Interval(i)
	}
	return []problems.Table{{Name: "box_lo", Real: lo}, {Name: "box_hi", Real: hi}}, kernels.Flag("BOXED", true)
}

// TouchDefines returns the defines of kernels/lib/touch.cl that say which components read a variable.
func TouchDefines(s problems.Structure) []kernels.Define {
	if class, ok := s.GridClass("i"); ok {
		return []kernels.Define{kernels.Flag("TOUCH_GRID", true), {Name: "TOUCH_CLASS(i)", Value: class}}
	}
	if stride, from, to, ok := s.Window(); ok && s.TouchTables() != nil {
		return []kernels.Define{kernels.Flag("TOUCH_OFFSETS", true), kernels.Number("TOUCH_STRIDE", stride)}
	} else if ok {
		own := stride == 1 && from == 0 && to == 0 && s.Components() == s.Variables()
		return []kernels.Define{
			kernels.Number("TOUCH_STRIDE", stride), kernels.Number("TOUCH_FROM", from), kernels.Number("TOUCH_TO", to),
			kernels.Flag("TOUCH_OWN", own),
		}
	}
	if s.Whole() {
		return []kernels.Define{kernels.Flag("TOUCH_WHOLE", true)}
	}
	if vars, comps, ok := s.Repeats(); ok {
		return []kernels.Define{kernels.Flag("TOUCH_REPEATED", true), kernels.Number("TOUCH_VARS", vars),
			kernels.Number("TOUCH_COMPS", comps)}
	}
	return []kernels.Define{kernels.Flag("TOUCH_LISTS", true)}
}
