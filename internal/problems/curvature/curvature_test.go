package curvature

import (
	"math"
	"math/rand/v2"
	"testing"
)

// node is a part of a random formula with its value.
type node struct {
	form  Form
	value func(s []float64) float64
	text  string
}

// grow returns a random formula of two arguments.
func grow(r *rand.Rand, depth int, args []Form) node {
	if depth == 0 {
		switch k := r.IntN(3); k {
		case 0, 1:
			return node{args[k], func(s []float64) float64 { return s[k] }, []string{"s0", "s1"}[k]}
		default:
			c := math.Round(200*r.NormFloat64()*math.Exp(3*r.NormFloat64())) / 100
			return node{Constant(c, 2), func([]float64) float64 { return c }, "c"}
		}
	}
	a := grow(r, depth-1-r.IntN(depth), args)
	one := map[string]func(float64) float64{"exp": math.Exp, "log": math.Log, "log1p": math.Log1p,
		"sqrt": math.Sqrt, "abs": math.Abs, "cosh": math.Cosh, "tanh": math.Tanh, "cbrt": math.Cbrt,
		"sinh": math.Sinh, "floor": math.Floor,
		"asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "tan": math.Tan,
		"cos": func(v float64) float64 { return math.Cos(min(max(v, -1e300), 1e300)) }} // also where v is infinite
	two := map[string]func(a, b float64) float64{"max": math.Max, "min": math.Min, "pow": math.Pow, "hypot": math.Hypot,
		"atan2": math.Atan2}
	if r.IntN(3) == 0 {
		names := []string{"exp", "log", "log1p", "sqrt", "abs", "cosh", "tanh", "cbrt", "sinh", "floor", "asin", "acos",
			"atan", "cos", "tan"}
		name := names[r.IntN(len(names))]
		return node{Function(name, a.form), func(s []float64) float64 { return one[name](a.value(s)) },
			name + "(" + a.text + ")"}
	}
	if r.IntN(4) == 0 {
		c := []float64{-2, -1, -0.5, 0.5, 1.5, 2, 3, 4}[r.IntN(8)]
		return node{Power(a.form, Constant(c, 2)), func(s []float64) float64 { return math.Pow(a.value(s), c) },
			"(" + a.text + ")^c"}
	}
	b := grow(r, depth-1-r.IntN(depth), args)
	switch name := []string{"+", "-", "*", "/", "max", "min", "pow", "hypot", "atan2"}[r.IntN(9)]; name {
	case "+":
		return node{Sum(a.form, b.form), func(s []float64) float64 { return a.value(s) + b.value(s) },
			"(" + a.text + "+" + b.text + ")"}
	case "-":
		return node{Sum(a.form, Negative(b.form)), func(s []float64) float64 { return a.value(s) - b.value(s) },
			"(" + a.text + "-" + b.text + ")"}
	case "*":
		return node{Product(a.form, b.form), func(s []float64) float64 { return a.value(s) * b.value(s) },
			a.text + "*" + b.text}
	case "/":
		return node{Quotient(a.form, b.form), func(s []float64) float64 { return a.value(s) / b.value(s) },
			a.text + "/(" + b.text + ")"}
	default:
		return node{Function2(name, a.form, b.form),
			func(s []float64) float64 { return two[name](a.value(s), b.value(s)) },
			name + "(" + a.text + "," + b.text + ")"}
	}
}

// What the rules say of random formulas holds at random arguments of many sizes.
func TestShapesHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(lo float64) []float64 {
		s := make([]float64, 2)
		for j := range s {
			if s[j] = math.Exp(4 * r.NormFloat64()); lo < 0 && r.IntN(2) == 0 {
				s[j] = -s[j]
			}
		}
		return s
	}
	finite := func(v float64) bool { return !math.IsNaN(v) && math.Abs(v) < 1e100 }
	known := 0
	for trial := range 8000 {
		lo := math.Inf(-1)
		if trial%2 == 1 {
			lo = 0
		}
		n := grow(r, 1+r.IntN(4), arguments(2, lo))
		s := n.form.Shape()
		if s.Convex || s.Concave {
			known++
		}
		fault := ""
		var up, down [2]bool
		for range 60 {
			x, y := draw(lo), draw(lo)
			if r.IntN(2) == 0 { // near each other
				for j := range y {
					y[j] = x[j] * (1 + 0.1*r.NormFloat64())
				}
			}
			f, g := n.value(x), n.value(y)
			if s.Everywhere && math.IsNaN(f) && finite(n.form.lo+n.form.hi) {
				fault = "it has no value somewhere"
			}
			if !finite(f) || !finite(g) {
				continue
			}
			tol := 1e-7 * (1 + math.Abs(f) + math.Abs(g))
			if f < n.form.lo-tol || f > n.form.hi+tol {
				fault = "its range"
			}
			middle := n.value([]float64{(x[0] + y[0]) / 2, (x[1] + y[1]) / 2})
			if finite(middle) && (s.Convex && middle > (f+g)/2+tol || s.Concave && middle < (f+g)/2-tol) {
				fault = "its curvature"
			}
			for j := range 2 {
				z := []float64{x[0], x[1]}
				z[j] = y[j]
				h := n.value(z)
				if !finite(h) || y[j] == x[j] || math.Abs(h-f) <= 1e-7*(1+math.Abs(f)+math.Abs(h)) {
					continue
				}
				rising := (h > f) == (y[j] > x[j])
				up[j], down[j] = up[j] || rising, down[j] || !rising
			}
		}
		if s.Monotone && (up[0] && down[0] || up[1] && down[1]) {
			fault = "it is not monotone"
		}
		if fault != "" {
			t.Errorf("%s: %s; %+v", n.text, fault, n.form)
		}
	}
	if known < 1000 {
		t.Errorf("of 8000 formulas %d are known to bend one way", known)
	}
}
