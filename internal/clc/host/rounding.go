package host

import (
	"math"

	"github.com/clopt/clopt/internal/clc"
)

// inexactOperator is an operator of float64. lost is what is left of its exact result beside the result, or a number of
// the same sign; it is 0 if the result is exact.
type inexactOperator struct {
	of   func(x, y float64) float64
	lost func(x, y, result float64) float64
}

var inexact = map[string]inexactOperator{
	"+": {func(x, y float64) float64 { return x + y }, lostBySum},
	"-": {func(x, y float64) float64 { return x - y }, func(x, y, d float64) float64 { return lostBySum(x, -y, d) }},
	"*": {func(x, y float64) float64 { return x * y }, func(x, y, p float64) float64 { return math.FMA(x, y, -p) }},
	"/": {func(x, y float64) float64 { return x / y }, func(x, y, q float64) float64 {
		return math.FMA(-q, y, x) * math.Copysign(1, y)
	}},
}

// lostBySum is the error of a sum (Knuth 1969, The Art of Computer Programming, volume 2, 4.2.2).
func lostBySum(x, y, sum float64) float64 {
	back := sum - x
	return (x - (sum - back)) + (y - back)
}

// eitherWay compiles an operator whose result, if it is not exact, is the next number above or below it, as drawn.
func (c *compiler) eitherWay(op string, x, y real) real {
	o := inexact[op]
	return func(r *Frame) float64 {
		a, b := x(r), y(r)
		v := o.of(a, b)
		if lost := o.lost(a, b, v); lost != 0 && r.drawn()>>63 == 1 {
			return math.Nextafter(v, math.Copysign(math.Inf(1), lost))
		}
		return v
	}
}

// drawn returns the next of the numbers that a frame draws (Knuth, MMIX).
func (r *Frame) drawn() uint64 {
	r.draw = r.draw*6364136223846793005 + 1442695040888963407
	return r.draw
}

// roundedOnce are those of the exact functions whose results are rounded.
var roundedOnce = map[string]bool{"root": true, "fma": true, "fdim": true}

// eitherWayCall compiles a function for eitherWay, where it is not as always.
func (c *compiler) eitherWayCall(e *clc.Call, call real) real {
	switch {
	case e.Function == "sq":
		x := c.real(e.Args[0])
		return c.eitherWay("*", x, x)
	case roundedOnce[e.Function]:
		return c.blurred(e.Type, call)
	}
	return call
}
