// Package host is the common part of the host references of methods: comparisons of values, and points in
// the form in which devices draw and store them.
package host

import (
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// Better reports whether value a ranks before b. Finite values rank before others, then smaller values
// before larger ones. Equal values are not better.
func Better(a, b float64) bool {
	if !Finite(a) {
		return false
	}
	return !Finite(b) || a < b
}

// Drawn returns the variables [lo, hi) of a uniform point of p, in float64. Where all variables have one interval, they
// are the values of at(x, i) of view_drawn.
func Drawn(p problems.Problem, prec problems.Precision, key rng.Key, who, when uint32, purpose rng.Purpose, lo,
	hi int) []float64 {
	d := p.Domain().In(prec)
	x := make([]float64, hi-lo)
	var w [4]uint32
	block := uint32(math.MaxUint32)
	for i := lo; i < hi; i++ {
		if q := uint32(i) >> 2; q != block {
			block, w = q, key.Words(q, who, when, purpose)
		}
		a, b := d.Interval(i)
		u := rng.Uniform(w[i&3])
		if prec == problems.FP32 {
			x[i-lo] = float64(rng.FMA32(float32(u), float32(b)-float32(a), float32(a)))
		} else {
			x[i-lo] = math.FMA(u, b-a, a)
		}
	}
	return x
}

// Finite reports whether f is neither infinite nor NaN.
func Finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Infinite returns f if it is finite. Otherwise it returns +Inf and increments odd.
func Infinite(f float64, odd *int64) float64 {
	if Finite(f) {
		return f
	}
	*odd++
	return math.Inf(1)
}

// Slopes returns ∂g/∂acc_a of the objective of p, from what p knows of it or else by differences of a millionth, or 0
// where g is not smooth.
func Slopes(p problems.Problem, acc []float64) []float64 {
	slope, at := make([]float64, len(acc)), make([]float64, len(acc))
	if known := problems.SlopesOf(p, acc); known != nil {
		for a, v := range known {
			if Finite(v) {
				slope[a] = v
			}
		}
		return slope
	}
	copy(at, acc)
	for a, v := range acc {
		h := 1e-6 * max(math.Abs(v), 1e-300)
		if v == 0 {
			h = 1e-6
		}
		at[a] = v + h
		up := p.Objective(at)
		at[a] = v - h
		slope[a] = (up - p.Objective(at)) / (2 * h)
		at[a] = v
		if !Finite(slope[a]) {
			slope[a] = 0
		}
	}
	return slope
}
