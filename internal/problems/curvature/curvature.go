// Package curvature finds from a formula where a function bends, and how it moves with its arguments. The rules are
// those of disciplined convex programming (Grant, Boyd and Ye 2006, doi:10.1007/0-387-30528-9_7). A formula is read
// from the inside out, and of each part the package knows the range of its values, how it moves with each argument, and
// whether it is convex or concave. What the rules do not show counts as not known, even if it is true.
package curvature

import (
	"math"
	"slices"
)

// Shape says what is known about a function of real arguments. False means that nothing is known.
type Shape struct {
	Convex, Concave bool // both: it is affine
	Monotone        bool // with each argument it never falls, or never rises, whatever the others are
	Smooth          bool // it has no kinks and no jumps
	// Everywhere is true if the function has a value for all arguments, and FromZero if it has one where none of them
	// is below 0. The rest holds where it has a value.
	Everywhere, FromZero bool
}

// Affine is the shape of a sum of multiples of the arguments.
var Affine = Shape{Convex: true, Concave: true, Monotone: true, Smooth: true, Everywhere: true, FromZero: true}

// Of returns the shape of a formula of n arguments. formula makes it of the forms of these.
func Of(n int, formula func(arguments []Form) Form) Shape {
	s := formula(arguments(n, math.Inf(-1))).Shape()
	s.FromZero = formula(arguments(n, 0)).shape.Everywhere
	return s
}

// Negated returns the shape of the negative of a function.
func (s Shape) Negated() Shape {
	s.Convex, s.Concave = s.Concave, s.Convex
	return s
}

// course says how a function moves with one of its arguments.
type course int8

const (
	still  course = iota // it does not depend on the argument
	rises                // or stays
	falls                // or stays
	varies               // or is not known
)

// negated returns the course of the negative of a function.
func (c course) negated() course {
	switch c {
	case rises:
		return falls
	case falls:
		return rises
	}
	return c
}

// and returns the course of a function that moves as c and as d do.
func (c course) and(d course) course {
	switch {
	case c == still || c == d:
		return d
	case d == still:
		return c
	}
	return varies
}

// times returns the course of a product whose one factor moves as c does, and whose other factor lies in [lo, hi].
func (c course) times(lo, hi float64) course {
	switch {
	case c == still || lo >= 0:
		return c
	case hi <= 0:
		return c.negated()
	}
	return varies
}

// Form is a part of a formula.
type Form struct {
	shape   Shape // without Monotone, which follows from courses, and FromZero
	lo, hi  float64
	courses []course // of each argument
}

// Constant returns the form of a number in a formula of some arguments.
func Constant(c float64, arguments int) Form {
	if math.IsNaN(c) {
		return unknown(make([]course, arguments), Shape{})
	}
	return Form{Affine, c, c, make([]course, arguments)}
}

// arguments returns the forms of n arguments, which may have any value from lo on.
func arguments(n int, lo float64) []Form {
	all := make([]Form, n)
	for j := range all {
		all[j] = Form{Affine, lo, math.Inf(1), make([]course, n)}
		all[j].courses[j] = rises
	}
	return all
}

// Shape returns what is known of f, but for FromZero.
func (f Form) Shape() Shape {
	f.shape.Monotone = !slices.Contains(f.courses, varies)
	return f.shape
}

// number returns the value of f if it is a known constant.
func (f Form) number() (c float64, ok bool) {
	moves := slices.ContainsFunc(f.courses, func(c course) bool { return c != still })
	return f.lo, f.lo == f.hi && f.shape.Everywhere && !moves
}

// affine reports whether f is known to be affine.
func (f Form) affine() bool { return f.shape.Convex && f.shape.Concave }

// both returns what two parts of a formula have in common.
func (s Shape) both(t Shape) Shape {
	return Shape{Convex: s.Convex && t.Convex, Concave: s.Concave && t.Concave, Smooth: s.Smooth && t.Smooth,
		Everywhere: s.Everywhere && t.Everywhere}
}

// unbent returns s without what is known of where it bends.
func (s Shape) unbent() Shape { return Shape{Smooth: s.Smooth, Everywhere: s.Everywhere} }

// unknown returns a form that depends on some arguments in an unknown way.
func unknown(on []course, s Shape) Form {
	own := slices.Clone(on)
	for j, c := range own {
		if c != still {
			own[j] = varies
		}
	}
	return Form{s.unbent(), math.Inf(-1), math.Inf(1), own}
}

// bounded returns f with a range; a bound that is not a number is none.
func (f Form) bounded(lo, hi float64) Form {
	f.lo = lo
	if math.IsNaN(lo) {
		f.lo = math.Inf(-1)
	}
	f.hi = hi
	if math.IsNaN(hi) {
		f.hi = math.Inf(1)
	}
	return f
}

// joined returns the courses of a function that moves with f as f does, and with g as g does.
func joined(f, g Form) []course {
	all := slices.Clone(f.courses)
	for j, c := range g.courses {
		all[j] = all[j].and(c)
	}
	return all
}

// Sum returns f + g.
func Sum(f, g Form) Form {
	return Form{shape: f.shape.both(g.shape), courses: joined(f, g)}.bounded(f.lo+g.lo, f.hi+g.hi)
}

// Negative returns -f.
func Negative(f Form) Form {
	own := make([]course, len(f.courses))
	for j, c := range f.courses {
		own[j] = c.negated()
	}
	return Form{f.shape.Negated(), -f.hi, -f.lo, own}
}

// Difference returns f - g.
func Difference(f, g Form) Form { return Sum(f, Negative(g)) }

// Product returns f · g of two different parts of a formula. The square of one part is Power(f, 2).
func Product(f, g Form) Form {
	if c, ok := f.number(); ok {
		return g.scaled(c)
	}
	if c, ok := g.number(); ok {
		return f.scaled(c)
	}
	own := make([]course, len(f.courses))
	for j := range own {
		own[j] = f.courses[j].times(g.lo, g.hi).and(g.courses[j].times(f.lo, f.hi))
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, a := range []float64{f.lo, f.hi} {
		for _, b := range []float64{g.lo, g.hi} {
			lo, hi = min(lo, times(a, b)), max(hi, times(a, b))
		}
	}
	return Form{shape: f.shape.both(g.shape).unbent(), courses: own}.bounded(lo, hi)
}

// scaled returns f times a number.
func (f Form) scaled(c float64) Form {
	if c < 0 {
		return Negative(f.scaled(-c))
	}
	return Form{f.shape, times(f.lo, c), times(f.hi, c), f.courses}
}

// times returns a·b, where 0 times infinity is 0.
func times(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}

// Quotient returns f / g.
func Quotient(f, g Form) Form { return Product(f, reciprocal(g)) }

// reciprocal returns 1/f. Where f may be 0, nothing is known of it.
func reciprocal(f Form) Form {
	switch {
	case f.hi < 0:
		return Negative(reciprocal(Negative(f)))
	case f.lo > 0:
		return f.through(outer{lo: 0, hi: math.Inf(1), falls: true, convex: true, smooth: true,
			value: func(v float64) float64 { return 1 / v }})
	}
	return unknown(f.courses, Shape{})
}

// Larger returns max(f, g).
func Larger(f, g Form) Form {
	s := f.shape.both(g.shape)
	switch everywhere := s.Everywhere; {
	case f.lo >= g.hi:
		f.shape.Everywhere = everywhere
		return f
	case g.lo >= f.hi:
		g.shape.Everywhere = everywhere
		return g
	}
	s.Concave, s.Smooth = false, false
	return Form{s, max(f.lo, g.lo), max(f.hi, g.hi), joined(f, g)}
}

// Smaller returns min(f, g).
func Smaller(f, g Form) Form { return Negative(Larger(Negative(f), Negative(g))) }

// outer is a function of one number in [lo, hi] that never falls or, if falls is set, never rises.
type outer struct {
	lo, hi                         float64
	falls, convex, concave, smooth bool
	value                          func(float64) float64
}

// through returns the function o of f.
func (f Form) through(o outer) Form {
	lo, hi := o.value(min(max(f.lo, o.lo), o.hi)), o.value(max(min(f.hi, o.hi), o.lo))
	inner := f
	if o.falls {
		lo, hi, inner = hi, lo, Negative(f)
	}
	s := Shape{Smooth: f.shape.Smooth && o.smooth, Everywhere: f.shape.Everywhere && f.lo >= o.lo && f.hi <= o.hi,
		Convex: o.convex && inner.shape.Convex, Concave: o.concave && inner.shape.Concave}
	return Form{shape: s, courses: inner.courses}.bounded(lo, hi)
}
