package host

import "math"

// pair is the number high + low, where low is at most half a unit of the last digit of high.
type pair struct{ high, low float64 }

// ln2 and ln10 are the logarithms of 2 and 10.
var (
	ln2  = pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln10 = pair{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}
)

// times returns p times v.
func (p pair) times(v float64) pair {
	high := p.high * v
	low := math.FMA(p.high, v, -high) + p.low*v
	return quickPair(high, low)
}

// plus returns p + q.
func (p pair) plus(q pair) pair {
	high := p.high + q.high
	t := high - p.high
	low := (p.high - (high - t)) + (q.high - t)
	return quickPair(high, low+p.low+q.low)
}

// over returns p / q.
func (p pair) over(q pair) pair {
	high := p.high / q.high
	rest := math.FMA(-high, q.high, p.high) + p.low - high*q.low
	return quickPair(high, rest/q.high)
}

// quickPair returns a + b, where a is larger.
func quickPair(a, b float64) pair {
	high := a + b
	return pair{high, b - (high - a)}
}

// logPair returns the logarithm of a finite number above 0 to about 100 bits: with x = 2^e·m and s = (m-1)/(m+1) it is
// e·log 2 + 2·(s + s³/3 + s⁵/5 + …).
func logPair(x float64) pair {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := pair{m - 1, 0}.over(pair{1, 0}.plus(pair{m, 0}))
	square := s.times(s.high).plus(pair{s.high * s.low, 0})
	tail := 0.0
	for n := 41; n >= 7; n -= 2 {
		tail = tail*square.high + 1/float64(n)
	}
	// s³·(1/3 + s²·(1/5 + s²·tail))
	inner := pair{1, 0}.over(pair{5, 0}).plus(pair{square.high * tail, 0})
	inner = pair{1, 0}.over(pair{3, 0}).plus(product(square, inner))
	sum := s.plus(product(product(square, s), inner))
	return ln2.times(float64(e)).plus(pair{2 * sum.high, 2 * sum.low})
}

// product returns p·q.
func product(p, q pair) pair { return p.times(q.high).plus(pair{p.high * q.low, 0}) }

// expPair returns e to the power p.
func expPair(p pair) float64 {
	v := math.Exp(p.high)
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	return v + v*p.low
}

// pow returns x to the power y to about one unit of the last digit. The function of package math multiplies, and loses
// as many units as y is large.
func pow(x, y float64) float64 {
	size := math.Abs(x)
	switch whole := y == math.Trunc(y); {
	case y == 0 || x == 1 || size == 0 || size == 1 || math.IsNaN(x+y) || math.IsInf(x, 0) || math.IsInf(y, 0) ||
		x < 0 && !whole || y == 1 || y == 2 || y == 0.5 || y == -0.5:
		return math.Pow(x, y)
	case x < 0 && math.Mod(y, 2) != 0:
		return -expPair(powLog(size, y))
	}
	return expPair(powLog(size, y))
}

// powLog returns y·log x. It is infinite where that cannot be told from x to the power y.
func powLog(x, y float64) pair {
	l := logPair(x)
	if v := l.high * y; math.Abs(v) > 800 {
		return pair{math.Copysign(math.Inf(1), v), 0}
	}
	return l.times(y)
}

// rootn returns the root of order n of x.
func rootn(x, n float64) float64 {
	odd := math.Mod(n, 2) != 0
	size := math.Abs(x)
	switch {
	case n == 0 || x < 0 && !odd || math.IsNaN(x):
		return math.NaN()
	case size == 0 && n < 0:
		if odd {
			return math.Copysign(math.Inf(1), x)
		}
		return math.Inf(1)
	case size == 0 && !odd:
		return 0
	case size == 0:
		return x
	case math.IsInf(size, 0) && n < 0:
		return math.Copysign(0, x)
	case math.IsInf(size, 0):
		return x
	}
	l := logPair(size).over(pair{n, 0})
	return math.Copysign(expPair(l), x)
}

// exp10 returns 10 to the power x.
func exp10(x float64) float64 {
	switch {
	case x == math.Trunc(x) && math.Abs(x) <= 22:
		return math.Pow10(int(x))
	case !(math.Abs(x) < 400):
		return math.Exp(x * math.Ln10)
	}
	return expPair(ln10.times(x))
}

// exp2 returns 2 to the power x.
func exp2(x float64) float64 { return math.Exp2(x) }

// log2 and log10 return logarithms, also near 1, where those of package math lose digits.
func log2(x float64) float64  { return logOver(x, ln2) }
func log10(x float64) float64 { return logOver(x, ln10) }

func logOver(x float64, base pair) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return math.Log(x)
	}
	return logPair(x).over(base).high
}
