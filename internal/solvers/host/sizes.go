package host

import (
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
)

// Sizes returns a function that knows the values of the symbols in the text of p, such as DIM or d.NAME_len.
func Sizes(p problems.Problem, prec problems.Precision) func(symbol string) (value uint64, known bool) {
	all := map[string]uint64{"DIM": uint64(p.Domain().N), "COMPS": uint64(p.Structure().Components())}
	if text, err := p.Text(prec, problems.Item); err == nil {
		for _, n := range text.Numbers {
			all["d."+n.Name] = uint64(n.Value)
		}
		for _, d := range text.Defines {
			if v, err := strconv.ParseUint(strings.TrimSuffix(d.Value, "u"), 10, 32); err == nil {
				all[d.Name] = v
			}
		}
	}
	return func(symbol string) (uint64, bool) {
		v, ok := all[symbol]
		return v, ok
	}
}
