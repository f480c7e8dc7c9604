package rng

import (
	"math"
)

// Normal returns the standard normal deviate of variable i from the four words of
// its quad i/4, by the method of Box and Muller (1958,
// doi:10.1214/aoms/1177706645) in float32. Words 0 and 1 give variables 0 and 1 of
// the quad, words 2 and 3 give variables 2 and 3. Only + - * fma and sqrt are used,
// each rounded once, so that host and device agree in every bit. |Normal| < 5.8.
func Normal(w [4]uint32, i uint32) float32 {
	u, v := w[0], w[1]
	if i&2 != 0 {
		u, v = w[2], w[3]
	}
	r := float32(math.Sqrt(float64(-2 * LogUniform(u))))
	s, c := sincosTurn(v)
	if i&1 != 0 {
		return r * s
	}
	return r * c
}

// LogUniform returns ln(U), which is below 0, for the uniform number U of a word.
// The polynomial is that of logf of the Cephes library on [sqrt(1/2), sqrt(2)).
func LogUniform(word uint32) float32 {
	u := (float32(word>>9) + 0.5) * float32(1.0/(1<<23))
	b := math.Float32bits(u)
	e := int32(b>>23) - 127
	m := math.Float32frombits(b&0x7fffff | 0x3f800000)
	if m > 1.41421354 {
		m *= 0.5
		e++
	}
	f, x := m-1, float32(e)
	y := float32(7.0376836292e-2)
	for _, c := range [...]float32{
		-1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
	} {
		y = FMA32(y, f, c)
	}
	z := f * f
	y = f * z * y
	y = FMA32(x, -2.12194440e-4, y)
	y = FMA32(-0.5, z, y)
	return FMA32(x, 0.693359375, f+y)
}

// sincosTurn returns the sine and cosine of 2π times the uniform number of a word.
func sincosTurn(word uint32) (s, c float32) {
	t := (float32(word>>9) + 0.5) * float32(4.0/(1<<23)) // quarter turns, exact
	q := int32(t + 0.5)
	x := (t - float32(q)) * 1.57079637
	z := x * x
	s = FMA32(FMA32(-1.9515295891e-4, z, 8.3321608736e-3), z, -1.6666654611e-1)
	s = FMA32(s*z, x, x)
	c = FMA32(FMA32(2.443315711809948e-5, z, -1.388731625493765e-3), z, 4.166664568298827e-2)
	c = FMA32(c*z, z, FMA32(-0.5, z, 1))
	if q&1 != 0 {
		s, c = c, -s
	}
	if q&2 != 0 {
		s, c = -s, -c
	}
	return s, c
}

// FMA32 returns a·b + c, rounded once to float32. The product is exact in float64,
// and the sum is rounded to odd, so that the second rounding, to float32, is correct
// (Boldo and Melquiond 2008, doi:10.1109/TC.2007.70819).
func FMA32(a, b, c float32) float32 {
	p, d := float64(a)*float64(b), float64(c)
	s := float64(p + d)
	t := float64(s - p)
	e := float64(p-float64(s-t)) + float64(d-t)
	if n := math.Float64bits(s); e != 0 && n&1 == 0 {
		if (e > 0) == (s > 0) {
			n++
		} else {
			n--
		}
		s = math.Float64frombits(n)
	}
	return float32(s)
}
