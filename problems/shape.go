package problems

import "github.com/clopt/clopt/internal/problems/curvature"

// Shaped is a Problem that knows the shape of g, its objective as a function of the accumulators.
type Shaped interface {
	Problem
	// Shape returns what is known of g for accumulators of any size and sign or, if the problem knows more, for those
	// that points of its box have.
	Shape() curvature.Shape
}

// ShapeOf returns the shape of the objective of p as a function of its accumulators. It is the zero Shape unless p is
// linear in them or a Shaped.
func ShapeOf(p Problem) curvature.Shape {
	if p.Linear() != nil {
		return curvature.Affine
	}
	if s, ok := p.(Shaped); ok {
		return s.Shape()
	}
	return curvature.Shape{}
}

// Written is a Problem whose g is a formula that is known.
type Written interface {
	Problem
	// Lost returns the first part of the formula of which the value at accumulators is beyond float64 or, though it is
	// not 0, below it; "" if there is none.
	Lost(acc []float64) string
}

// LostOf returns what p, if it is a Written, has lost at accumulators.
func LostOf(p Problem, acc []float64) string {
	if w, ok := p.(Written); ok {
		return w.Lost(acc)
	}
	return ""
}

// Sloped is a Problem that knows the derivatives of g.
type Sloped interface {
	Problem
	// Slopes returns the derivative of g by each accumulator. It is infinite or NaN where g has none. nil: they are not
	// known.
	Slopes(acc []float64) []float64
}

// SlopesOf returns the derivatives of the objective of p by its accumulators, if p is linear in them or a Sloped; nil:
// they are not known.
func SlopesOf(p Problem, acc []float64) []float64 {
	if linear := p.Linear(); linear != nil {
		return linear
	}
	if s, ok := p.(Sloped); ok {
		return s.Slopes(acc)
	}
	return nil
}

// FollowsSlopes reports whether points of p that are better by its slopes are known to be better: for accumulators a
// and b, g(b) is below g(a) if the sum of the slopes of g at a, each times b_j - a_j, is below 0. This is so where g is
// smooth and bends down or is linear, and for a g of one accumulator that never falls, or never rises. Then parts that
// share no components can be searched by their own accumulators, each times its slope. Where an accumulator is below 0,
// g may have no value.
func FollowsSlopes(p Problem) bool {
	s := ShapeOf(p)
	return s.FromZero && (s.Concave && s.Smooth || s.Monotone && p.Accumulators() == 1)
}

// BendsUp reports whether the objective of p may be below the mean of its values at two points in the middle between
// them, where points are accumulators. A penalty for a limit, such as max(0, s1-1000), bends up, and Ackley's function
// nowhere does. It is false only where that is known.
func BendsUp(p Problem) bool { return !ShapeOf(p).Concave }
