package diff

import (
	"math"

	"github.com/clopt/clopt/internal/clc"
)

// rule has the derivatives of a function. The zero rule is that of a function which is constant between jumps.
type rule struct {
	// by returns the derivative by argument i for arguments a and the value r, all of which are numbers or scalars.
	by func(i int, a []clc.Expr, r clc.Expr) clc.Expr
	// result says that by uses r.
	result bool
	// open says that a derivative may be infinite or NaN where arguments and value are finite, or that the value may be
	// infinite, so that the product with 0 is not 0.
	open bool
}

// first makes a rule for a function of one argument.
func first(by func(a clc.Expr) clc.Expr) rule {
	return rule{by: func(_ int, a []clc.Expr, _ clc.Expr) clc.Expr { return by(a[0]) }}
}

// ofResult makes a rule for a function of one argument from its value.
func ofResult(by func(a, r clc.Expr) clc.Expr) rule {
	return rule{by: func(_ int, a []clc.Expr, r clc.Expr) clc.Expr { return by(a[0], r) }, result: true}
}

func (r rule) opened() rule {
	r.open = true
	return r
}

// over is v/a.
func over(v float64, a clc.Expr) clc.Expr { return binary("/", number(v, a), a) }

// times is v·a.
func times(v float64, a clc.Expr) clc.Expr { return mul(number(v, a), a) }

// plus is v + a.
func plus(v float64, a clc.Expr) clc.Expr { return binary("+", number(v, a), a) }

// minus is v - a.
func minus(v float64, a clc.Expr) clc.Expr { return binary("-", number(v, a), a) }

// one is c ? 1 : 0.
func one(c, like clc.Expr) clc.Expr { return choose(c, number(1, like), number(0, like)) }

// other is c ? 0 : 1.
func other(c, like clc.Expr) clc.Expr { return choose(c, number(0, like), number(1, like)) }

// rules are those of all functions of trees that have derivatives other than 0, but for those of integers.
var rules = map[string]rule{
	"acos":    first(func(a clc.Expr) clc.Expr { return neg(circle(a)) }).opened(),
	"asin":    first(circle).opened(),
	"atan":    first(func(a clc.Expr) clc.Expr { return over(1, plus(1, mul(a, a))) }),
	"acosh":   first(func(a clc.Expr) clc.Expr { return call("rsqrt", mul(plus(-1, a), plus(1, a))) }).opened(),
	"asinh":   first(func(a clc.Expr) clc.Expr { return call("rsqrt", plus(1, mul(a, a))) }),
	"atanh":   first(func(a clc.Expr) clc.Expr { return over(1, mul(minus(1, a), plus(1, a))) }).opened(),
	"acospi":  first(func(a clc.Expr) clc.Expr { return times(-1/math.Pi, circle(a)) }).opened(),
	"asinpi":  first(func(a clc.Expr) clc.Expr { return times(1/math.Pi, circle(a)) }).opened(),
	"atanpi":  first(func(a clc.Expr) clc.Expr { return over(1/math.Pi, plus(1, mul(a, a))) }),
	"cbrt":    ofResult(func(_, r clc.Expr) clc.Expr { return over(1.0/3, mul(r, r)) }).opened(),
	"cos":     first(func(a clc.Expr) clc.Expr { return neg(call("sin", a)) }),
	"cosh":    first(func(a clc.Expr) clc.Expr { return call("sinh", a) }).opened(),
	"cospi":   first(func(a clc.Expr) clc.Expr { return times(-math.Pi, call("sinpi", a)) }),
	"degrees": first(func(a clc.Expr) clc.Expr { return number(180/math.Pi, a) }),
	"erf":     first(func(a clc.Expr) clc.Expr { return times(2/math.SqrtPi, call("exp", neg(mul(a, a)))) }),
	"erfc":    first(func(a clc.Expr) clc.Expr { return times(-2/math.SqrtPi, call("exp", neg(mul(a, a)))) }),
	"exp":     ofResult(func(_, r clc.Expr) clc.Expr { return r }).opened(),
	"exp10":   ofResult(func(_, r clc.Expr) clc.Expr { return times(math.Ln10, r) }).opened(),
	"exp2":    ofResult(func(_, r clc.Expr) clc.Expr { return times(math.Ln2, r) }).opened(),
	"expm1":   first(func(a clc.Expr) clc.Expr { return call("exp", a) }).opened(),
	"fabs":    first(signOf),
	"lgamma":  first(digamma).opened(),
	"log":     first(func(a clc.Expr) clc.Expr { return over(1, a) }).opened(),
	"log10":   first(func(a clc.Expr) clc.Expr { return over(1/math.Ln10, a) }).opened(),
	"log1p":   first(func(a clc.Expr) clc.Expr { return over(1, plus(1, a)) }).opened(),
	"log2":    first(func(a clc.Expr) clc.Expr { return over(1/math.Ln2, a) }).opened(),
	"radians": first(func(a clc.Expr) clc.Expr { return number(math.Pi/180, a) }),
	"rsqrt":   ofResult(func(_, r clc.Expr) clc.Expr { return times(-0.5, mul(r, mul(r, r))) }).opened(),
	"sin":     first(func(a clc.Expr) clc.Expr { return call("cos", a) }),
	"sinh":    first(func(a clc.Expr) clc.Expr { return call("cosh", a) }).opened(),
	"sinpi":   first(func(a clc.Expr) clc.Expr { return times(math.Pi, call("cospi", a)) }),
	"sqrt":    ofResult(func(_, r clc.Expr) clc.Expr { return over(0.5, r) }).opened(),
	"root":    ofResult(func(_, r clc.Expr) clc.Expr { return over(0.5, r) }).opened(),
	"tan":     ofResult(func(_, r clc.Expr) clc.Expr { return plus(1, mul(r, r)) }).opened(),
	"tanh":    ofResult(func(_, r clc.Expr) clc.Expr { return minus(1, mul(r, r)) }),
	"tanpi":   ofResult(func(_, r clc.Expr) clc.Expr { return times(math.Pi, plus(1, mul(r, r))) }).opened(),
	"tgamma":  ofResult(func(a, r clc.Expr) clc.Expr { return mul(r, digamma(a)) }).opened(),
	"fract":   first(func(a clc.Expr) clc.Expr { return number(1, a) }),
	"modf":    first(func(a clc.Expr) clc.Expr { return number(1, a) }),
	"sq":      first(func(a clc.Expr) clc.Expr { return times(2, a) }),
	"cos_2pi": first(func(a clc.Expr) clc.Expr { return times(-2*math.Pi, call("sin_2pi", a)) }),
	"sin_2pi": first(func(a clc.Expr) clc.Expr { return times(2*math.Pi, call("cos_2pi", a)) }),

	"atan2":       {by: angle(1), open: true},
	"atan2pi":     {by: angle(1 / math.Pi), open: true},
	"copysign":    {by: copied},
	"fdim":        {by: positive},
	"fmax":        {by: taken(">=")},
	"max":         {by: taken(">=")},
	"bound_below": {by: taken(">")},
	"fmin":        {by: taken("<=")},
	"min":         {by: taken("<=")},
	"bound_above": {by: taken("<")},
	"maxmag":      {by: magnitude(">", ">=")},
	"minmag":      {by: magnitude("<", "<=")},
	"fmod":        {by: rest("trunc"), open: true},
	"remainder":   {by: rest("rint"), open: true},
	"hypot":       {by: length, result: true, open: true},
	"nextafter":   {by: func(i int, a []clc.Expr, _ clc.Expr) clc.Expr { return number(float64(1-i), a[0]) }},
	"pow":         {by: power("pow"), result: true, open: true},
	"powr":        {by: power("powr"), result: true, open: true},
	"pown":        {by: wholePower, open: true},
	"rootn": {by: func(_ int, a []clc.Expr, r clc.Expr) clc.Expr {
		return binary("/", r, mul(&clc.Cast{To: a[0].Of(), X: a[1]}, a[0]))
	}, result: true, open: true},
	"ldexp": {by: scaled, open: true},

	"kink_abs":   {by: func(_ int, a []clc.Expr, _ clc.Expr) clc.Expr { return slopeOfKink(a[0], a[1:]) }},
	"kink_max":   {by: roundedMax},
	"clamp":      {by: clamped},
	"fma":        {by: fused},
	"mad":        {by: fused},
	"mix":        {by: mixed},
	"smoothstep": {by: smooth, open: true},
	"select": {by: func(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
		isSet := test("!=", a[2], number(0, a[2]))
		if i == 0 {
			return other(isSet, a[0])
		}
		return one(isSet, a[0])
	}},
}

// circle is 1/sqrt(1 - a²).
func circle(a clc.Expr) clc.Expr { return call("rsqrt", mul(minus(1, a), plus(1, a))) }

// length has the derivatives of hypot.
func length(i int, a []clc.Expr, r clc.Expr) clc.Expr { return binary("/", a[i], r) }

// scaled has the derivative of ldexp.
func scaled(_ int, a []clc.Expr, _ clc.Expr) clc.Expr { return call("ldexp", number(1, a[0]), a[1]) }

// signOf is 1, 0 or -1, as its argument is.
func signOf(a clc.Expr) clc.Expr {
	zero := number(0, a)
	return choose(test(">", a, zero), number(1, a), choose(test("<", a, zero), number(-1, a), zero))
}

// angle has the derivatives of scale·atan2(a0, a1).
func angle(scale float64) func(int, []clc.Expr, clc.Expr) clc.Expr {
	return func(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
		square := binary("+", mul(a[0], a[0]), mul(a[1], a[1]))
		if i == 0 {
			return binary("/", times(scale, a[1]), square)
		}
		return binary("/", times(-scale, a[0]), square)
	}
}

func copied(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	if i == 1 {
		return number(0, a[0])
	}
	negative := func(e clc.Expr) clc.Expr {
		return &clc.Call{Function: "signbit", Type: clc.Int, Args: []clc.Expr{e}, Pos: e.At()}
	}
	return choose(test("==", negative(a[0]), negative(a[1])), number(1, a[0]), number(-1, a[0]))
}

func positive(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	return choose(test(">", a[0], a[1]), number(float64(1-2*i), a[0]), number(0, a[0]))
}

// taken has the derivatives of the argument that is taken: the first one if it compares by op with the second one.
func taken(op string) func(int, []clc.Expr, clc.Expr) clc.Expr {
	return func(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
		if i == 0 {
			return one(test(op, a[0], a[1]), a[0])
		}
		return other(test(op, a[0], a[1]), a[0])
	}
}

// magnitude has the derivatives of the argument whose size compares by op or, if both are of one size, that compares by
// equal.
func magnitude(op, equal string) func(int, []clc.Expr, clc.Expr) clc.Expr {
	return func(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
		left, right := call("fabs", a[0]), call("fabs", a[1])
		isFirst := test("||", test(op, left, right),
			test("&&", test("==", left, right), test(equal, a[0], a[1])))
		if i == 0 {
			return one(isFirst, a[0])
		}
		return other(isFirst, a[0])
	}
}

// rest has the derivatives of a0 - a1·whole(a0/a1).
func rest(whole string) func(int, []clc.Expr, clc.Expr) clc.Expr {
	return func(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
		if i == 0 {
			return number(1, a[0])
		}
		return neg(call(whole, binary("/", a[0], a[1])))
	}
}

// power has the derivatives of a0 to the power of a1.
func power(name string) func(int, []clc.Expr, clc.Expr) clc.Expr {
	return func(i int, a []clc.Expr, r clc.Expr) clc.Expr {
		if i == 1 {
			return mul(r, call("log", a[0]))
		}
		n, ok := a[1].(*clc.Number)
		if !ok {
			zero := number(0, a[0])
			return choose(test("==", a[1], zero), zero,
				mul(a[1], call(name, a[0], binary("-", a[1], number(1, a[0])))))
		}
		switch n.Value {
		case 0:
			return number(0, a[0])
		case 1:
			return number(1, a[0])
		case 2:
			return times(2, a[0])
		}
		return times(n.Value, call(name, a[0], number(n.Value-1, a[0])))
	}
}

func wholePower(_ int, a []clc.Expr, _ clc.Expr) clc.Expr {
	return choose(test("==", a[1], number(0, a[1])), number(0, a[0]), mul(&clc.Cast{To: a[0].Of(), X: a[1]},
		&clc.Call{Function: "pown", Type: a[0].Of(), Args: []clc.Expr{a[0], binary("-", a[1], number(1, a[1]))}}))
}

func clamped(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	above, below := test(">=", a[0], a[1]), test("<=", call("fmax", a[0], a[1]), a[2])
	switch i {
	case 0:
		return one(test("&&", above, test("<=", a[0], a[2])), a[0])
	case 1:
		return choose(above, number(0, a[0]), one(below, a[0]))
	}
	return other(below, a[0])
}

func fused(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	if i == 2 {
		return number(1, a[0])
	}
	return a[1-i]
}

// mixed has the derivatives of a0 + (a1 - a0)·a2.
func mixed(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	switch i {
	case 0:
		return minus(1, a[2])
	case 1:
		return a[2]
	}
	return binary("-", a[1], a[0])
}

// smooth has the derivatives of t²(3 - 2t), where t is (a2 - a0)/(a1 - a0) from 0 to 1.
func smooth(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	width := binary("-", a[1], a[0])
	t := call("clamp", binary("/", binary("-", a[2], a[0]), width), number(0, a[0]), number(1, a[0]))
	by := binary("/", times(6, mul(t, minus(1, t))), width)
	switch i {
	case 0:
		return neg(mul(by, minus(1, t)))
	case 1:
		return neg(mul(by, t))
	}
	return by
}

// digamma is the derivative of the logarithm of the gamma function: below 1/2 by reflection, then from eight more by
// recurrence, where the asymptotic series (Abramowitz and Stegun 6.3.18) is exact to rounding.
func digamma(a clc.Expr) clc.Expr {
	low := test("<", a, number(0.5, a))
	y := choose(low, minus(1, a), a)
	z := plus(8, y)
	z2 := mul(z, z)
	series := number(0, a)
	for _, c := range []float64{-1.0 / 12, 691.0 / 32760, -1.0 / 132, 1.0 / 240, -1.0 / 252, 1.0 / 120, -1.0 / 12} {
		series = binary("/", plus(c, series), z2)
	}
	value := binary("+", binary("-", call("log", z), over(0.5, z)), series)
	for i := range 8 {
		value = binary("-", value, over(1, plus(float64(i), y)))
	}
	return binary("-", value, choose(low, binary("/", number(math.Pi, a), call("tanpi", a)), number(0, a)))
}

// slopeOfKink is the derivative of fabs(u) as kink_abs rounds it, at is its slot and site.
func slopeOfKink(u clc.Expr, at []clc.Expr) clc.Expr {
	return &clc.Call{Function: "kink_slope", Type: u.Of(), Args: append([]clc.Expr{u}, at...), Pos: u.At()}
}

// roundedMax has the derivatives of (a0 + a1)/2 + |a0 - a1|/2, rounded.
func roundedMax(i int, a []clc.Expr, _ clc.Expr) clc.Expr {
	half := times(0.5, slopeOfKink(binary("-", a[0], a[1]), a[2:]))
	if i == 0 {
		return plus(0.5, half)
	}
	return minus(0.5, half)
}
