// Package rescale has problems whose variables are on another scale.
//
// People write ±1e20 for no bounds. Methods have steps, widths, differences and start points that are parts of an
// interval, and end when steps are 1e-15 of it, which is 1e5 there. On a scale that is linear near 0 and logarithmic
// beyond all of them are right as they are. The scale is that of floating-point numbers, straight between powers of
// two. It is exact in binary, so points of a run have the bits that the original has there, linear residuals stay
// linear within a power of two, and numbers below 16 are not changed at all.
package rescale

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/problems"
)

// Problem is a problem whose variables y are those of the original on another scale, see Normalized and
// Logarithmic. It has no host reference.
type Problem struct {
	problems.Problem
	of   problems.Domain // of the original
	on   problems.Domain // that of the variables before they become those of the unit cube
	wide []bool          // by variable, or one for all: whether it is on a logarithmic scale; nil: none is
	unit bool            // the domain is the unit cube
	over bool            // points of the original are on the scale of Logarithmic already
}

// Normalized returns p, whose variables are real, with variables in [0, 1], for methods that take one interval for all:
// variable i of the original is lo_i + y_i (hi_i - lo_i). Intervals that are wide are on the scale of Logarithmic
// before. The result has only the device texts Item and Partial. p may be a result of Logarithmic: a method on that
// scale may call others, which take one interval for all.
func Normalized(p problems.Problem) Problem {
	q, over := p.(Problem)
	if !over {
		q = Logarithmic(p)
	}
	q.unit, q.over = true, over
	return q
}

// Logarithmic returns p, whose variables are real, with those whose intervals are wide on a scale that is linear near 0
// and logarithmic beyond, as floating-point numbers are: below linearTo a variable is itself, and from there on it
// doubles with each further half of linearTo. So steps relative to an interval are steps relative to a variable. The
// result has the device texts Item, Partial and Residuals, and no slopes.
func Logarithmic(p problems.Problem) Problem {
	d := p.Domain()
	q := Problem{Problem: p, of: d, on: d}
	if !Wide(d) {
		return q
	}
	q.on.Lo, q.on.Hi, q.wide = slices.Clone(d.Lo), slices.Clone(d.Hi), make([]bool, len(d.Lo))
	for i, lo := range d.Lo {
		hi := d.Hi[i]
		q.wide[i] = wide(lo, hi)
		if !q.wide[i] {
			continue
		}
		least, most := onScale(lo), onScale(hi)
		for offScale(least) < lo {
			least = math.Nextafter(least, math.Inf(1))
		}
		for offScale(most) > hi {
			most = math.Nextafter(most, math.Inf(-1))
		}
		q.on.Lo[i], q.on.Hi[i] = least, most
	}
	return q
}

// wideFrom is how many times as far from 0 as its nearest number, or 1, a wide interval reaches.
const wideFrom = 1e10

// wide reports whether an interval reaches so far that uniform points and steps of a part of it say nothing about the
// numbers near 0.
func wide(lo, hi float64) bool {
	return max(-lo, hi) > wideFrom*max(1, lo, -hi)
}

// Wide reports whether the interval of a variable reaches so far, as with bounds of ±1e20 for no bounds, that methods
// search on a logarithmic scale.
func Wide(d problems.Domain) bool {
	for i, lo := range d.Lo {
		if wide(lo, d.Hi[i]) {
			return true
		}
	}
	return false
}

// AtEnd reports whether v, the value of variable i, is at the far end of a wide interval, to a millionth.
func AtEnd(d problems.Domain, i int, v float64) bool {
	lo, hi := d.Interval(i)
	return wide(lo, hi) && math.Abs(v) > (1-1e-6)*max(-lo, hi)
}

// Note returns a note about intervals that are wide, or "" if none is.
func Note(d problems.Domain) string {
	if !Wide(d) {
		return ""
	}
	return fmt.Sprintf("bounds reach beyond %.0e. Such variables are searched on a scale that is linear below %d and "+
		"logarithmic beyond it, from the start point or from the point that is nearest to 0. Bounds within which the "+
		"answer surely lies make the search surer.", wideFrom, linearTo)
}

// Nearest returns the point of the domain that is nearest to 0.
func Nearest(d problems.Domain) []float64 {
	x := make([]float64, d.N)
	for i := range x {
		lo, hi := d.Interval(i)
		x[i] = min(max(0, lo), hi)
	}
	return x
}

// linearTo is the size below which a variable on the logarithmic scale is itself, a power of two.
const linearTo = 16

// offScale returns the number at a place of the logarithmic scale. It is exact.
func offScale(u float64) float64 {
	t := math.Abs(u) * (2. / linearTo)
	if t < 2 {
		return u
	}
	whole := math.Floor(t)
	return math.Copysign(math.Ldexp(linearTo/2*(1+(t-whole)), int(whole)-1), u)
}

// onScale returns the place of a number on the logarithmic scale, to the nearest float64.
func onScale(x float64) float64 {
	if math.Abs(x) < linearTo {
		return x
	}
	m, e := math.Frexp(math.Abs(x) * (2. / linearTo))
	return math.Copysign(linearTo/2*(float64(e-1)+2*m), x)
}

// wideAt reports whether variable i is on the logarithmic scale.
func (p Problem) wideAt(i int) bool {
	return len(p.wide) > 0 && p.wide[min(i, len(p.wide)-1)]
}

// Domain returns the unit cube, or the intervals on the logarithmic scale.
func (p Problem) Domain() problems.Domain {
	if p.unit {
		return problems.Cube(p.of.N, 0, 1)
	}
	return problems.Domain{N: p.on.N, Lo: p.on.Lo, Hi: p.on.Hi}
}

// Shape returns that of the original.
func (p Problem) Shape() curvature.Shape { return problems.ShapeOf(p.Problem) }

// Slopes returns those of the problem.
func (p Problem) Slopes(acc []float64) []float64 { return problems.SlopesOf(p.Problem, acc) }

// Class returns that of the original. On a logarithmic scale its degree is smooth.Other.
func (p Problem) Class() (c smooth.Class, known bool) {
	c, known = problems.ClassOf(p.Problem)
	if !p.unit {
		c.Degree = smooth.Other
	}
	return c, known
}

// Lost returns that of the original.
func (p Problem) Lost(acc []float64) string { return problems.LostOf(p.Problem, acc) }

// Call returns the function of the original, of points on this scale.
func (p Problem) Call() problems.Call {
	call := problems.CallOf(p.Problem)
	if call == nil {
		return nil
	}
	return func(ctx context.Context, points [][]float64) ([]float64, error) {
		originals := make([][]float64, len(points))
		for k, y := range points {
			originals[k] = p.Original(0, y)
		}
		return call(ctx, originals)
	}
}

// Structure returns that of the original without slopes, which are derivatives by the original's variables.
func (p Problem) Structure() problems.Structure { return p.Problem.Structure().WithSlopes(false) }

// Text returns the text of the original. Its points read their variables from a point of p, and know the scales.
func (p Problem) Text(prec problems.Precision, form problems.Form) (problems.Text, error) {
	switch {
	case form == problems.Residuals && p.unit:
		return problems.Text{}, problems.ErrNoForm
	case form == problems.Tile:
		form = problems.Item
	}
	t, err := p.Problem.Text(prec, form)
	if err != nil {
		return t, err
	}
	functions := [][2]string{{"component", "real *acc"}}
	switch {
	case form == problems.Residuals:
		functions = append(functions, [2]string{"component_residuals", "global real *r"})
	case p.Structure().Inner() > 0:
		functions = [][2]string{{"component_inner", "real *inner"}}
	}
	s := p.scale(prec)
	var renamed, restored, again strings.Builder
	for _, f := range functions {
		name, sums := f[0], f[1]
		fmt.Fprintf(&renamed, "#define %s rescaled_%s\n", name, name)
		fmt.Fprintf(&restored, "#undef %s\n", name)
		fmt.Fprintf(&again, "static void %s(uint k, point y, data d, %s)\n{\n    const rescaled_point x = { y%s };\n"+
			"    rescaled_%s(k, x, d, %s);\n}\n", name, sums, s.fields, name, sums[strings.LastIndex(sums, "*")+1:])
	}
	own := p.Domain().In(prec)
	least, most := p.of.In(prec).Box()
	before := problems.Source{File: "rescaled", Text: box(least, most) + s.text + fmt.Sprintf(`
typedef struct { point y; %s } rescaled_point;
static real rescaled_at(rescaled_point x, uint i) { return %s; }
#undef point
#undef at
#define point rescaled_point
#define at(x, i) rescaled_at(x, i)
`, s.members, s.value) + renamed.String()}
	least, most = own.Box()
	after := problems.Source{File: "rescaled", Text: box(least, most) + restored.String() + `
#undef at
#undef point
#undef TOGETHER
#undef COMPONENT_EIGHT
#if QUADS // lib/quad.cl has defined them
#define point quad
#define at quad_at
#endif
` + again.String()}
	t.Before, t.Sources = append([]problems.Source{before}, t.Before...), append(slices.Clone(t.Sources), after)
	t.Tables = append(slices.Clone(t.Tables), s.tables...)
	return t, nil
}

// Near returns a point of the original in float64: a uniform point of the scale within reach of the point that is
// nearest to 0. Variables whose intervals are not wide are uniform in them. draw returns the uniform number from 0 to 1
// for a variable.
func (p Problem) Near(reach float64, draw func(i int) float64) []float64 {
	x := Nearest(p.of)
	for i, v := range x {
		lo, hi := p.on.Interval(i)
		if !p.wideAt(i) {
			x[i] = min(max(math.FMA(draw(i), hi-lo, lo), lo), hi)
			continue
		}
		lo, hi = max(lo, onScale(v)-reach), min(hi, onScale(v)+reach)
		x[i] = offScale(min(max(math.FMA(draw(i), hi-lo, lo), lo), hi))
	}
	return x
}

// scale is how device text reads a variable of the original.
type scale struct {
	text    string // functions that value calls
	members string // of the struct of a point, besides y, a point of p
	fields  string // what the members are, from data d
	value   string // of variable i of the original, from x, such a struct
	tables  []problems.Table
}

// scale returns the scale in the numbers of a precision.
func (p Problem) scale(prec problems.Precision) scale {
	s := scale{value: "at(x.y, i)"}
	if p.unit {
		lo, width := make([]float64, p.of.N), make([]float64, p.of.N)
		for i := range lo {
			lo[i], width[i] = p.interval(prec, i)
		}
		s.members, s.fields = "global const real *lo, *width;", ", d.rescaled_lo, d.rescaled_width"
		s.value = "fma(at(x.y, i), x.width[i], x.lo[i])"
		s.tables = []problems.Table{{Name: "rescaled_lo", Real: lo}, {Name: "rescaled_width", Real: width}}
	}
	if p.wide == nil {
		return s
	}
	s.text = fmt.Sprintf(`
static real rescaled_off(real u)
{
    const real t = fabs(u) * %s, whole = floor(t);
    return t < R(2.0) ? u : copysign(ldexp(%s * (1 + (t - whole)), (int)whole - 1), u);
}
`, problems.Literal(2./linearTo), problems.Literal(linearTo/2))
	if !slices.Contains(p.wide, false) {
		s.value = "rescaled_off(" + s.value + ")"
		return s
	}
	flags := make([]uint32, p.of.N)
	for i := range flags {
		flags[i] = uint32(problems.Flag(p.wideAt(i)))
	}
	s.text += "static real rescaled_some(real u, uint wide) { return wide ? rescaled_off(u) : u; }\n"
	s.members, s.fields = s.members+" global const uint *wide;", s.fields+", d.rescaled_wide"
	s.value = "rescaled_some(" + s.value + ", x.wide[i])"
	s.tables = append(s.tables, problems.Table{Name: "rescaled_wide", Uint: flags})
	return s
}

// box returns a text that sets the bounds that device text reads.
func box(lo, hi float64) string {
	return fmt.Sprintf("#undef BOX_LO\n#undef BOX_HI\n#define BOX_LO %s\n#define BOX_HI %s\n", problems.Literal(lo),
		problems.Literal(hi))
}

// interval returns the lower bound of variable i before it becomes one of the unit cube, and the width of its interval,
// in the numbers of a precision. Their sum is not above the upper bound.
func (p Problem) interval(prec problems.Precision, i int) (lo, width float64) {
	lo, hi := p.on.In(prec).Interval(i)
	if prec == problems.FP32 {
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
func (p Problem) Original(first int, y []float64) []float64 {
	x := slices.Clone(y)
	for k := range x {
		if p.unit {
			lo, width := p.interval(problems.FP64, first+k)
			x[k] = math.FMA(x[k], width, lo)
		}
		if !p.over && p.wideAt(first+k) {
			x[k] = offScale(x[k])
		}
	}
	return x
}

// Rescale returns a whole point of the original as a point of p.
func (p Problem) Rescale(x []float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		if !p.over && p.wideAt(i) {
			lo, hi := p.on.Interval(i)
			y[i] = min(max(onScale(y[i]), lo), hi)
		}
		if !p.unit {
			continue
		}
		if lo, width := p.interval(problems.FP64, i); width > 0 {
			y[i] = min(max((y[i]-lo)/width, 0), 1)
		} else {
			y[i] = 0
		}
	}
	return y
}
