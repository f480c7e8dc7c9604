package opencl

import "math"

// slopes adds the derivatives of an expression by its variables v, each times by, to sum. At a kink they are
// the mean of those of its sides.
type slopes func(v []float64, by float64, sum []float64)

// slope2 returns the derivatives of a function by its two arguments.
type slope2 func(a, b float64) (byA, byB float64)

// through is the chain rule of a function of one operand.
func through(slope func(a float64) float64, a expr) slopes {
	return func(v []float64, by float64, sum []float64) { a.slopes(v, times(by, slope(a.value(v))), sum) }
}

// through2 is the chain rule of a function of two operands.
func through2(slope slope2, a, b expr) slopes {
	return func(v []float64, by float64, sum []float64) {
		byA, byB := slope(a.value(v), b.value(v))
		a.slopes(v, times(by, byA), sum)
		b.slopes(v, times(by, byB), sum)
	}
}

// times is a·b, and 0 where a is, whatever b is.
func times(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * b
}

// slopes1 has the derivatives of exprFuncs1.
var slopes1 = map[string]func(a float64) float64{
	"abs": func(a float64) float64 {
		switch {
		case a > 0:
			return 1
		case a < 0:
			return -1
		}
		return 0
	},
	"acos":  func(a float64) float64 { return -1 / math.Sqrt((1-a)*(1+a)) },
	"asin":  func(a float64) float64 { return 1 / math.Sqrt((1-a)*(1+a)) },
	"atan":  func(a float64) float64 { return 1 / (1 + a*a) },
	"cbrt":  func(a float64) float64 { r := math.Cbrt(a); return 1 / (3 * r * r) },
	"ceil":  func(float64) float64 { return 0 },
	"cos":   func(a float64) float64 { return -math.Sin(a) },
	"cosh":  math.Sinh,
	"exp":   math.Exp,
	"expm1": math.Exp,
	"floor": func(float64) float64 { return 0 },
	"log":   func(a float64) float64 { return 1 / a },
	"log10": func(a float64) float64 { return 1 / (a * math.Ln10) },
	"log1p": func(a float64) float64 { return 1 / (1 + a) },
	"log2":  func(a float64) float64 { return 1 / (a * math.Ln2) },
	"round": func(float64) float64 { return 0 },
	"sin":   math.Cos,
	"sinh":  math.Cosh,
	"sqrt":  func(a float64) float64 { return 0.5 / math.Sqrt(a) },
	"tan":   func(a float64) float64 { t := math.Tan(a); return 1 + t*t },
	"tanh":  func(a float64) float64 { c := math.Cosh(a); return 1 / c / c },
}

// slopes2 has the derivatives of exprFuncs2.
var slopes2 = map[string]slope2{
	"atan2": func(a, b float64) (byA, byB float64) {
		r := math.Hypot(a, b)
		return b / r / r, -a / r / r
	},
	"hypot": func(a, b float64) (byA, byB float64) {
		r := math.Hypot(a, b)
		return a / r, b / r
	},
	"max": func(a, b float64) (byA, byB float64) { return larger(a, b) },
	"min": func(a, b float64) (byA, byB float64) { return larger(-a, -b) },
	"pow": func(a, b float64) (byA, byB float64) {
		return times(b, math.Pow(a, b-1)), times(math.Pow(a, b), math.Log(a))
	},
}

// larger returns the derivatives of the larger one of a and b.
func larger(a, b float64) (byA, byB float64) {
	switch {
	case a > b:
		return 1, 0
	case a < b:
		return 0, 1
	}
	return 0.5, 0.5
}

// Slopes returns the derivatives of f by the sums, from its text. They may be infinite or NaN.
func (o *Objective) Slopes(acc []float64) []float64 {
	sum := make([]float64, len(acc))
	o.f.slopes(acc, 1, sum)
	return sum
}
