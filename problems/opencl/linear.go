package opencl

import (
	"math"
	"slices"
	"strconv"
)

// linearForm returns c where the expression text has the form constant + Σ_i c_i·vars[i] as it is written: sums,
// differences, and products and quotients with constants. It returns nil for anything else, and where every c_i is 0.
// compileExpr must have accepted text.
func linearForm(text string, vars []string, consts map[string]float64) []float64 {
	l := &linearParser{exprParser{text: text, vars: vars, consts: consts}, true}
	l.next()
	f := l.sum()
	if !l.ok || l.kind != exprEnd && !l.comment() || f.constant() {
		return nil
	}
	for _, v := range f.c {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	return f.c
}

// affine is at0 + Σ_i c[i]·vars[i].
type affine struct {
	at0 float64
	c   []float64
}

func (a affine) constant() bool {
	return !slices.ContainsFunc(a.c, func(v float64) bool { return v != 0 })
}

// plus is a + s·b.
func (a affine) plus(s float64, b affine) affine {
	r := affine{a.at0 + s*b.at0, slices.Clone(a.c)}
	for i, v := range b.c {
		r.c[i] += s * v
	}
	return r
}

func (a affine) times(s float64) affine { return affine{c: make([]float64, len(a.c))}.plus(s, a) }

// linearParser follows the grammar of exprParser as far as it stays linear.
type linearParser struct {
	exprParser
	ok bool
}

func (l *linearParser) none() affine {
	l.ok = false
	return affine{c: make([]float64, len(l.vars))}
}

func (l *linearParser) sum() affine {
	a := l.term()
	for l.ok && l.is("+-") {
		s := 1.0
		if l.op == '-' {
			s = -1
		}
		l.next()
		a = a.plus(s, l.term())
	}
	return a
}

func (l *linearParser) term() affine {
	a := l.unary()
	for l.ok && l.is("*/") {
		div := l.op == '/'
		l.next()
		b := l.unary()
		switch {
		case div && b.constant():
			a = affine{a.at0 / b.at0, slices.Clone(a.c)}
			for i := range a.c {
				a.c[i] /= b.at0
			}
		case !div && b.constant():
			a = a.times(b.at0)
		case !div && a.constant():
			a = b.times(a.at0)
		default:
			return l.none()
		}
	}
	return a
}

func (l *linearParser) unary() affine {
	if l.is("+-") {
		minus := l.op == '-'
		l.next()
		a := l.unary()
		if minus {
			a = a.times(-1)
		}
		return a
	}
	a := l.operand()
	if l.is("^") {
		return l.none()
	}
	return a
}

func (l *linearParser) operand() affine {
	zero := affine{c: make([]float64, len(l.vars))}
	token := l.text[l.at:l.end]
	switch {
	case l.kind == exprNumber:
		zero.at0, _ = strconv.ParseFloat(token, 64)
		l.next()
		return zero
	case l.kind == exprName:
		l.next()
		if i := slices.Index(l.vars, token); i >= 0 {
			zero.c[i] = 1
			return zero
		}
		v, ok := l.consts[token]
		if !ok {
			v, ok = exprConsts[token]
		}
		if !ok || l.is("(") {
			return l.none()
		}
		zero.at0 = v
		return zero
	case l.is("("):
		l.next()
		a := l.sum()
		if !l.is(")") {
			return l.none()
		}
		l.next()
		return a
	}
	return l.none()
}
