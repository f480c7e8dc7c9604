package problems

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// Domain is the set of points of a problem: an interval for each variable.
type Domain struct {
	N int // variables, at least 1
	// Lo and Hi have one number, the interval of all variables, or N of them.
	Lo, Hi []float64
	// Binary is true if variables are 0 or 1. The interval is then [0, 1]. Device text and host reference take a
	// variable above 1/2 as 1, so a uniform point of the box gives uniform bits.
	Binary bool
	Names  []string // of the variables; nil: they have none. The caller must not change them.
	// Fixed are variables of a file that have one value in all points. If there are any, all variables have names.
	Fixed []input.Fixed
}

// Cube returns the domain of n variables that all have the interval [lo, hi].
func Cube(n int, lo, hi float64) Domain { return Domain{N: n, Lo: []float64{lo}, Hi: []float64{hi}} }

// Interval returns the interval of variable i.
func (d Domain) Interval(i int) (lo, hi float64) {
	if len(d.Lo) == 1 {
		return d.Lo[0], d.Hi[0]
	}
	return d.Lo[i], d.Hi[i]
}

// Box returns the smallest interval that contains the intervals of all variables.
func (d Domain) Box() (lo, hi float64) { return slices.Min(d.Lo), slices.Max(d.Hi) }

// OneBox reports whether all variables have the same interval.
func (d Domain) OneBox() bool {
	lo, hi := d.Box()
	return !slices.ContainsFunc(d.Lo, func(v float64) bool { return v != lo }) &&
		!slices.ContainsFunc(d.Hi, func(v float64) bool { return v != hi })
}

// In returns the domain in the numbers of a precision. In FP32 a bound that float32 cannot hold moves inside to the
// next float32, so rounding never moves a variable out of its interval. An interval without a float32, which Holds
// reports, has the one next to its lower bound.
func (d Domain) In(prec Precision) Domain {
	if prec == FP64 {
		return d
	}
	in := Domain{N: d.N, Lo: make([]float64, len(d.Lo)), Hi: make([]float64, len(d.Hi)), Binary: d.Binary,
		Names: d.Names, Fixed: d.Fixed}
	for i := range d.Lo {
		l, h := float32(d.Lo[i]), float32(d.Hi[i])
		if float64(l) < d.Lo[i] {
			l = math.Nextafter32(l, float32(math.Inf(1)))
		}
		if float64(h) > d.Hi[i] {
			h = math.Nextafter32(h, float32(math.Inf(-1)))
		}
		if l > h {
			l, h = float32(d.Lo[i]), float32(d.Lo[i])
		}
		in.Lo[i], in.Hi[i] = float64(l), float64(h)
	}
	return in
}

// Holds returns an error that names the first variable whose interval has no number of a precision, or nil.
func (d Domain) Holds(prec Precision) error {
	in := d.In(prec)
	for i, lo := range in.Lo {
		if lo >= d.Lo[i] && in.Hi[i] <= d.Hi[i] {
			continue
		}
		name := "every variable"
		if len(d.Lo) > 1 {
			name = fmt.Sprint("variable ", i)
		}
		if i < len(d.Names) && len(d.Lo) > 1 {
			name += " (" + d.Names[i] + ")"
		}
		return fmt.Errorf("%s lies in [%v, %v], which has no number of %s; %v is the nearest", name, d.Lo[i], d.Hi[i],
			prec, lo)
	}
	return nil
}

// Stored returns x as devices of a precision store it: rounded, and with each variable inside its interval. x holds the
// variables from number first on.
func (d Domain) Stored(prec Precision, first int, x []float64) []float64 {
	in := d.In(prec)
	y := make([]float64, len(x))
	for i, v := range x {
		if prec == FP32 {
			v = float64(float32(v))
		}
		lo, hi := in.Interval(first + i)
		y[i] = min(max(v, lo), hi)
	}
	return y
}

// Bounds is one interval for every variable.
type Bounds struct{ Lo, Hi float64 }

// Validate returns an *input.Error unless Lo is below Hi and their difference is finite.
func (b Bounds) Validate() error {
	switch {
	case !(b.Lo < b.Hi):
		return input.Errorf("", 0, 0, "lower bound %g is not below upper bound %g", b.Lo, b.Hi)
	case math.IsInf(b.Hi-b.Lo, 0):
		return input.Errorf("", 0, 0, "bounds %g and %g are too far apart; keep their difference below 1.8e308%s", b.Lo,
			b.Hi, input.Instead(strconv.FormatFloat(max(b.Hi, -b.Lo), 'g', -1, 64)))
	}
	return nil
}

// BoundsOf returns the bounds of n variables that a table has in its rows, one "lo hi" for each variable. Equal bounds
// fix a variable. Errors name file.
func BoundsOf(t *input.Table, n int, file string) (lo, hi []float64, err *input.Error) {
	if t.RowStart != nil || t.Rows != n || t.Cols != 2 {
		return nil, nil, input.Errorf(file, 0, 0, "%d rows of %d numbers for %d variables. Give a row \"lo hi\" for "+
			"each variable.", t.Rows, t.Cols, n)
	}
	lo, hi = make([]float64, n), make([]float64, n)
	fixed := 0
	for i := range lo {
		lo[i], hi[i] = t.Values[2*i], t.Values[2*i+1]
		if lo[i] == hi[i] && !math.IsInf(lo[i], 0) {
			fixed++
			continue
		}
		if err := (Bounds{lo[i], hi[i]}).Validate(); err != nil {
			return nil, nil, input.Errorf(file, 0, 0, "variable %d: %v.", i, err)
		}
	}
	if fixed == n {
		return nil, nil, input.Errorf(file, 0, 0, "all variables are fixed. Give one of them two bounds.")
	}
	return lo, hi, nil
}
