package problems

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems/curvature"
)

// NormalizedProblem is a problem whose variables y lie in [0, 1], for methods that take one interval for all: variable
// i of the original is lo_i + y_i (hi_i - lo_i).
type NormalizedProblem struct {
	Problem
	of Domain
}

// Normalized returns p, whose variables are real, with variables in [0, 1]. The result has no host reference, and only
// the device texts Item and Partial.
func Normalized(p Problem) NormalizedProblem { return NormalizedProblem{p, p.Domain()} }

// Domain returns the unit cube.
func (p NormalizedProblem) Domain() Domain { return Cube(p.of.N, 0, 1) }

// Shape returns that of the original.
func (p NormalizedProblem) Shape() curvature.Shape { return ShapeOf(p.Problem) }

// Text returns the text of the original. Its points read their variables from a point of p, and know the intervals.
func (p NormalizedProblem) Text(prec Precision, form Form) (Text, error) {
	switch form {
	case Residuals:
		return Text{}, ErrNoForm
	case Tile:
		form = Item
	}
	t, err := p.Problem.Text(prec, form)
	if err != nil {
		return t, err
	}
	lo, width := make([]float64, p.of.N), make([]float64, p.of.N)
	for i := range lo {
		lo[i], width[i] = p.interval(prec, i)
	}
	name, sums := "component", "acc"
	if p.Structure().Inner() > 0 {
		name, sums = "component_inner", "inner"
	}
	least, most := p.of.In(prec).Box()
	before := Source{File: "normalized", Text: box(least, most) + fmt.Sprintf(`
typedef struct { point y; global const real *lo, *width; } normalized_point;
static real normalized_at(normalized_point x, uint i) { return fma(at(x.y, i), x.width[i], x.lo[i]); }
#undef point
#undef at
#define point normalized_point
#define at(x, i) normalized_at(x, i)
#define %s normalized_component
`, name)}
	after := Source{File: "normalized", Text: box(0, 1) + strings.NewReplacer("NAME", name, "SUMS", sums).Replace(`
#undef NAME
#undef at
#undef point
#undef TOGETHER
#undef COMPONENT_EIGHT
#if QUADS // lib/quad.cl has defined them
#define point quad
#define at quad_at
#endif
static void NAME(uint k, point y, data d, real *SUMS)
{
    const normalized_point x = { y, d.normalized_lo, d.normalized_width };
    normalized_component(k, x, d, SUMS);
}
`)}
	t.Before, t.Sources = append([]Source{before}, t.Before...), append(slices.Clone(t.Sources), after)
	t.Tables = append(slices.Clone(t.Tables), Table{Name: "normalized_lo", Real: lo},
		Table{Name: "normalized_width", Real: width})
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
