package host

import "math"

// turn returns the sine and the cosine of π·x. They are exact where x is a multiple of 1/2.
func turn(x float64) (sin, cos float64) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.NaN(), math.NaN()
	}
	r := math.Mod(math.Abs(x), 2) // exact
	quarter := math.Round(2 * r)
	r -= quarter / 2 // exact, |r| <= 1/4
	sin, cos = math.Sincos(math.Pi * r)
	switch int(quarter) & 3 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	if math.Signbit(x) {
		sin = -sin
	}
	return sin, cos + 0
}

func sinpi(x float64) float64 {
	if x == math.Trunc(x) {
		return math.Copysign(0, x)
	}
	sin, _ := turn(x)
	return sin
}

func cospi(x float64) float64 {
	_, cos := turn(x)
	return cos
}

func tanpi(x float64) float64 {
	sin, cos := turn(x)
	return sin / cos
}

// acos returns the angle whose cosine is x. That of package math loses digits near 1.
func acos(x float64) float64 {
	switch {
	case x > 0.5:
		return 2 * math.Asin(math.Sqrt((1-x)/2))
	case x < -0.5:
		return math.Pi - 2*math.Asin(math.Sqrt((1+x)/2))
	}
	return math.Acos(x)
}

// exp returns e to the power x, also where package math overflows too early.
func exp(x float64) float64 {
	if x > 700 && x < 710 {
		return expPair(pair{x, 0}.plus(ln2.times(-64))) * 0x1p64
	}
	return math.Exp(x)
}

// sinh and cosh return the hyperbolic functions, also where exp is too large and they are not.
func sinh(x float64) float64 {
	if size := math.Abs(x); size > 700 && size < 711 {
		return math.Copysign(cosh(x), x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if size := math.Abs(x); size > 700 && size < 711 {
		return expPair(pair{size, 0}.plus(ln2.times(-64))) * 0x1p63
	}
	return math.Cosh(x)
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
