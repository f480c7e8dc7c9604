package curvature

import "math"

var (
	infinity = math.Inf(1)

	// alike are functions that bend the same way wherever they have a value.
	alike = map[string]outer{
		"exp":   {lo: -infinity, hi: infinity, convex: true, smooth: true, value: math.Exp},
		"expm1": {lo: -infinity, hi: infinity, convex: true, smooth: true, value: math.Expm1},
		"log":   {lo: 0, hi: infinity, concave: true, smooth: true, value: math.Log},
		"log2":  {lo: 0, hi: infinity, concave: true, smooth: true, value: math.Log2},
		"log10": {lo: 0, hi: infinity, concave: true, smooth: true, value: math.Log10},
		"log1p": {lo: -1, hi: infinity, concave: true, smooth: true, value: math.Log1p},
		"sqrt":  {lo: 0, hi: infinity, concave: true, smooth: true, value: math.Sqrt},
		"floor": {lo: -infinity, hi: infinity, value: math.Floor},
		"ceil":  {lo: -infinity, hi: infinity, value: math.Ceil},
		"round": {lo: -infinity, hi: infinity, value: math.Round},
	}

	// odd are functions with o(-v) = -o(v), apart from a constant. They bend one way below 0 and the other way above,
	// as given here.
	odd = map[string]outer{
		"atan": {lo: -infinity, hi: infinity, concave: true, smooth: true, value: math.Atan},
		"tanh": {lo: -infinity, hi: infinity, concave: true, smooth: true, value: math.Tanh},
		"cbrt": {lo: -infinity, hi: infinity, concave: true, smooth: true, value: math.Cbrt},
		"sinh": {lo: -infinity, hi: infinity, convex: true, smooth: true, value: math.Sinh},
		"asin": {lo: -1, hi: 1, convex: true, smooth: true, value: math.Asin},
		"acos": {lo: -1, hi: 1, falls: true, concave: true, smooth: true, value: math.Acos},
	}
)

// Function returns the function of one argument with a name of package math, in lower case, at f.
func Function(name string, f Form) Form {
	if o, ok := alike[name]; ok {
		return f.through(o)
	}
	if o, ok := odd[name]; ok {
		return f.throughOdd(o)
	}
	switch name {
	case "abs":
		return f.throughEven(math.Abs, false)
	case "cosh":
		return f.throughEven(math.Cosh, true)
	case "sin", "cos":
		return unknown(f.courses, f.shape).bounded(-1, 1)
	}
	return unknown(f.courses, Shape{})
}

// throughOdd returns the function o of f, where o bends as it says above 0 and the other way below.
func (f Form) throughOdd(o outer) Form {
	switch {
	case f.lo >= 0:
	case f.hi <= 0:
		o.convex, o.concave = o.concave, o.convex
	default:
		o.convex, o.concave = false, false
	}
	return f.through(o)
}

// throughEven returns a convex function of f that has equal values at v and at -v.
func (f Form) throughEven(value func(float64) float64, smooth bool) Form {
	switch {
	case f.lo >= 0:
		return f.through(outer{lo: 0, hi: infinity, convex: true, smooth: true, value: value})
	case f.hi <= 0:
		return Negative(f).throughEven(value, smooth)
	}
	s := f.shape
	s.Smooth = s.Smooth && smooth
	r := unknown(f.courses, s)
	r.shape.Convex = f.affine()
	return r.bounded(value(0), value(max(-f.lo, f.hi)))
}

// Power returns f to the power of g.
func Power(f, g Form) Form {
	if c, ok := g.number(); ok {
		return f.toThe(c)
	}
	if c, ok := f.number(); ok && c > 0 {
		return Function("exp", g.scaled(math.Log(c)))
	}
	return unknown(joined(f, g), Shape{})
}

// toThe returns f to the power of a number.
func (f Form) toThe(c float64) Form {
	power := func(v float64) float64 { return math.Pow(v, c) }
	whole := c == math.Trunc(c) && math.Abs(c) < 1<<53
	even := whole && math.Mod(c, 2) == 0
	switch {
	case c == 0:
		return Constant(1, len(f.courses))
	case c == 1:
		return f
	case c < 0:
		return reciprocal(f.toThe(-c))
	case even:
		return f.throughEven(power, true)
	case whole:
		return f.throughOdd(outer{lo: -infinity, hi: infinity, convex: true, smooth: true, value: power})
	}
	return f.through(outer{lo: 0, hi: infinity, convex: c >= 1, concave: c <= 1, smooth: true, value: power})
}

// Function2 returns the function of two arguments with a name of package math, in lower case, at f and g.
func Function2(name string, f, g Form) Form {
	switch name {
	case "max":
		return Larger(f, g)
	case "min":
		return Smaller(f, g)
	case "pow":
		return Power(f, g)
	case "hypot":
		r := unknown(joined(f, g), Shape{Everywhere: f.shape.both(g.shape).Everywhere})
		r.shape.Convex = f.affine() && g.affine()
		return r.bounded(0, infinity)
	}
	return unknown(joined(f, g), Shape{Everywhere: f.shape.both(g.shape).Everywhere})
}
