package problems

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// MostNormalized is the largest number of variables of Normalized: their intervals are constants in the device text, of
// which a device has room for 64 KiB.
const MostNormalized = 2048

// NormalizedProblem is a problem whose variables y lie in [0, 1], for methods that take one interval for all: variable
// i of the original is lo_i + y_i (hi_i - lo_i).
type NormalizedProblem struct {
	Problem
	of Domain
}

// Normalized returns p with variables in [0, 1], or false unless p is a user's text of at most MostNormalized real
// variables, whose components may read any variable. The result has no host reference.
func Normalized(p Problem) (NormalizedProblem, bool) {
	d := p.Domain()
	t, err := p.Text(FP64, Item)
	ok := err == nil && len(t.Parts) == 0 && p.Tiling().Whole && d.N <= MostNormalized && !d.Binary
	return NormalizedProblem{p, d}, ok
}

// Domain returns the unit cube.
func (p NormalizedProblem) Domain() Domain { return Cube(p.of.N, 0, 1) }

// Text returns the text of the original, which reads its variables as before.
func (p NormalizedProblem) Text(prec Precision, form Form) (Text, error) {
	t, err := p.Problem.Text(prec, form)
	if err != nil {
		return t, err
	}
	var lo, width strings.Builder
	for i := range p.of.N {
		l, w := p.interval(prec, i)
		fmt.Fprintf(&lo, "%s,\n", Literal(l))
		fmt.Fprintf(&width, "%s,\n", Literal(w))
	}
	least, most := p.of.In(prec).Box()
	before := Source{File: "normalized", Text: box(least, most) + fmt.Sprintf(`
constant real normalized_lo[DIM] = { %s };
constant real normalized_width[DIM] = { %s };
static real normalized_at(point x, uint i) { return fma(at(x, i), normalized_width[i], normalized_lo[i]); }
#define at(x, i) normalized_at(x, i)
`, lo.String(), width.String())}
	after := Source{File: "normalized", Text: box(0, 1) + "#undef at\n"}
	t.Sources = slices.Concat([]Source{before}, t.Sources, []Source{after})
	return t, nil
}

// box returns a text that sets the bounds that device text reads.
func box(lo, hi float64) string {
	return fmt.Sprintf("#undef BOX_LO\n#undef BOX_HI\n#define BOX_LO %s\n#define BOX_HI %s\n", Literal(lo), Literal(hi))
}

// interval returns the lower bound of variable i of the original, and the width of its interval, in the numbers of a
// precision. Their sum is not above the upper bound.
func (p NormalizedProblem) interval(prec Precision, i int) (lo, width float64) {
	lo, hi := p.of.In(prec).Interval(i)
	if prec == FP32 {
		w := float32(hi) - float32(lo)
		for float32(lo)+w > float32(hi) {
			w = math.Nextafter32(w, 0)
		}
		return lo, float64(w)
	}
	width = hi - lo
	for lo+width > hi {
		width = math.Nextafter(width, 0)
	}
	return lo, width
}

// Original returns the point of the original in float64, given variables of a point from number first on.
func (p NormalizedProblem) Original(first int, y []float64) []float64 {
	x := make([]float64, len(y))
	for k, v := range y {
		lo, width := p.interval(FP64, first+k)
		x[k] = math.FMA(v, width, lo)
	}
	return x
}

// Normalize returns a whole point of the original as a point of p.
func (p NormalizedProblem) Normalize(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		if lo, width := p.interval(FP64, i); width > 0 {
			y[i] = min(max((v-lo)/width, 0), 1)
		}
	}
	return y
}
