package host

import "math"

// The functions of OpenCL C and of the prelude in float64, by the names of clc.Functions. A float32 result is that of
// float64, rounded.
var (
	functions1 = map[string]func(x float64) float64{
		"acos": acos, "acosh": math.Acosh, "acospi": func(x float64) float64 { return acos(x) / math.Pi },
		"asin": math.Asin, "asinh": math.Asinh, "asinpi": func(x float64) float64 { return math.Asin(x) / math.Pi },
		"atan": math.Atan, "atanh": math.Atanh, "atanpi": func(x float64) float64 { return math.Atan(x) / math.Pi },
		"cbrt": math.Cbrt, "ceil": math.Ceil, "cos": math.Cos, "cosh": cosh, "cospi": cospi,
		"degrees": func(x float64) float64 { return x * (180 / math.Pi) }, "erf": math.Erf, "erfc": math.Erfc,
		"exp": exp, "exp10": exp10, "exp2": math.Exp2, "expm1": math.Expm1, "fabs": math.Abs, "floor": math.Floor,
		"lgamma": lgamma, "log": math.Log, "log10": log10, "log1p": math.Log1p, "log2": log2, "logb": logb,
		"radians": func(x float64) float64 { return x * (math.Pi / 180) }, "rint": math.RoundToEven,
		"round": math.Round, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "sign": sign,
		"sin": math.Sin, "sinh": sinh, "sinpi": sinpi, "sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh,
		"tanpi": tanpi, "tgamma": math.Gamma, "trunc": math.Trunc, "modf": modf,
		"sq":      func(x float64) float64 { return x * x },
		"cos_2pi": func(x float64) float64 { return cospi(2 * x) },
		"sin_2pi": func(x float64) float64 { return sinpi(2 * x) }, "root": math.Sqrt,
	}
	functions2 = map[string]func(x, y float64) float64{
		"atan2": math.Atan2, "atan2pi": func(y, x float64) float64 { return math.Atan2(y, x) / math.Pi },
		"copysign": math.Copysign, "fdim": fdim, "fmax": fmax, "fmin": fmin, "fmod": math.Mod, "hypot": math.Hypot,
		"max": greater, "min": less, "maxmag": maxmag, "minmag": minmag, "pow": pow, "powr": powr,
		"remainder": math.Remainder, "step": func(edge, x float64) float64 { return flag(!(x < edge)) },
		"bound_above": boundAbove, "bound_below": boundBelow,
	}
	functions3 = map[string]func(x, y, z float64) float64{
		"clamp": func(x, lo, hi float64) float64 { return fmin(fmax(x, lo), hi) },
		"fma":   math.FMA, "mad": func(x, y, z float64) float64 { return float64(x*y) + z },
		"mix": func(x, y, a float64) float64 { return x + float64((y-x)*a) }, "smoothstep": smoothstep,
	}
	// functionsOne and functionsTwo have another result in float32 than that of float64, rounded.
	functionsOne = map[string][2]func(x float64) float64{
		"fract": {fract, func(x float64) float64 { return min(fract(x), 0x1.fffffep-1) }},
	}
	functionsTwo = map[string][2]func(x, y float64) float64{
		"nextafter": {math.Nextafter,
			func(x, y float64) float64 { return float64(math.Nextafter32(float32(x), float32(y))) }},
	}
	// powers take an integer as the second argument.
	powers = map[string]func(x float64, n int64) float64{
		"pown":  func(x float64, n int64) float64 { return pow(x, float64(n)) },
		"rootn": func(x float64, n int64) float64 { return rootn(x, float64(n)) },
		"ldexp": func(x float64, n int64) float64 { return math.Ldexp(x, int(n)) },
	}
	tests1 = map[string]func(x float64) bool{
		"isfinite": finite, "isinf": func(x float64) bool { return math.IsInf(x, 0) }, "isnan": math.IsNaN,
		"signbit": math.Signbit,
	}
	tests2 = map[string]func(x, y float64) bool{
		"isequal": func(x, y float64) bool { return x == y }, "isgreater": func(x, y float64) bool { return x > y },
		"isgreaterequal": func(x, y float64) bool { return x >= y },
		"isless":         func(x, y float64) bool { return x < y },
		"islessequal":    func(x, y float64) bool { return x <= y },
		"islessgreater":  func(x, y float64) bool { return x < y || x > y },
		"isnotequal":     func(x, y float64) bool { return x != y },
		"isordered":      func(x, y float64) bool { return x == x && y == y },
		"isunordered":    func(x, y float64) bool { return x != x || y != y },
	}
)

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// normal returns the test isnormal of a type whose smallest normal number is least.
func normal(least float64) func(x float64) bool {
	return func(x float64) bool { return finite(x) && math.Abs(x) >= least }
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func sign(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case x == 0:
		return x
	}
	return math.Copysign(1, x)
}

func logb(x float64) float64 {
	if x == 0 || !finite(x) {
		return math.Log(math.Abs(x))
	}
	_, e := math.Frexp(x)
	return float64(e - 1)
}

// modf returns the part of x after the point, with its sign.
func modf(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x)
	}
	return math.Copysign(x-math.Trunc(x), x)
}

func fract(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x)
	}
	return less(x-math.Floor(x), 0x1.fffffffffffffp-1)
}

func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// fmax and fmin return the other argument where one is NaN. The first is taken if they are equal.
func fmax(x, y float64) float64 {
	if y > x || math.IsNaN(x) {
		return y
	}
	return x
}

func fmin(x, y float64) float64 {
	if y < x || math.IsNaN(x) {
		return y
	}
	return x
}

// greater and less are max and min of OpenCL C.
func greater(x, y float64) float64 {
	if x < y {
		return y
	}
	return x
}

func less(x, y float64) float64 {
	if y < x {
		return y
	}
	return x
}

func maxmag(x, y float64) float64 {
	switch a, b := math.Abs(x), math.Abs(y); {
	case a > b:
		return x
	case b > a:
		return y
	}
	return fmax(x, y)
}

func minmag(x, y float64) float64 {
	switch a, b := math.Abs(x), math.Abs(y); {
	case a < b:
		return x
	case b < a:
		return y
	}
	return fmin(x, y)
}

func boundAbove(v, bound float64) float64 {
	if v < bound {
		return v
	}
	return bound
}

func boundBelow(v, bound float64) float64 {
	if v > bound {
		return v
	}
	return bound
}

// powr is pow of a number that is not below 0.
func powr(x, y float64) float64 {
	switch {
	case x < 0 || math.IsNaN(x) || math.IsNaN(y) || x == 0 && y == 0 || math.IsInf(x, 1) && y == 0 ||
		x == 1 && math.IsInf(y, 0):
		return math.NaN()
	case x == 0:
		return pow(0, y) // of -0, too
	}
	return pow(x, y)
}

func smoothstep(from, to, x float64) float64 {
	t := fmin(fmax((x-from)/(to-from), 0), 1)
	return t * t * (3 - 2*t)
}
