package opencl

import (
	"math"
	"slices"
)

// affine is the linear form at0 + Σ_i c[i]·s_i of an expression that consists of sums, differences, and products and
// quotients with constants. It is nil for any other expression.
type affine struct {
	at0 float64
	c   []float64
}

// constant reports whether all coefficients are 0.
func (a *affine) constant() bool {
	return a != nil && !slices.ContainsFunc(a.c, func(v float64) bool { return v != 0 })
}

// each applies f to the constants of a and b, and to each pair of coefficients.
func (a *affine) each(b *affine, f func(a, b float64) float64) *affine {
	r := &affine{f(a.at0, b.at0), slices.Clone(a.c)}
	for i := range r.c {
		r.c[i] = f(a.c[i], b.c[i])
	}
	return r
}

// combined returns the form of a op b; op is one of + - * /.
func (a *affine) combined(op byte, b *affine) *affine {
	switch {
	case a == nil || b == nil:
		return nil
	case op == '+':
		return a.each(b, func(a, b float64) float64 { return a + b })
	case op == '-':
		return a.each(b, func(a, b float64) float64 { return a - b })
	case op == '/' && b.constant():
		return a.each(a, func(v, _ float64) float64 { return v / b.at0 })
	case op == '*' && b.constant():
		return a.each(a, func(v, _ float64) float64 { return v * b.at0 })
	case op == '*' && a.constant():
		return b.combined('*', a)
	}
	return nil
}

// coefficients returns c, or nil where the expression is not linear, is constant, or has a coefficient that is not
// finite.
func (a *affine) coefficients() []float64 {
	if a == nil || a.constant() ||
		slices.ContainsFunc(a.c, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	return a.c
}
