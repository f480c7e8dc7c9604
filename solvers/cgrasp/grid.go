package cgrasp

import "math"

// grid has the candidates of each variable, at multiples of h from its value or from its lower bound.
type grid struct {
	hs, he float64   // first and last h, for a variable of the widest interval
	scale  []float64 // of h for each variable; nil: 1
	lo, hi []float64 // the interval of each variable
	span   float64   // of the widest
	half   int       // nodes on each side of x in a line search
	lower  bool      // nodes are counted from the lower bound
}

// step returns h for variable i.
func (g *grid) step(i int, h float64) float64 {
	if g.scale == nil {
		return h
	}
	return h * g.scale[i]
}

// graspMost is the largest number of nodes that is counted on either side.
const graspMost = 1 << 29

// count returns v, rounded down, or most if v is larger.
func count(v float64, most int) int {
	if v >= float64(most) {
		return most
	}
	return int(v)
}

// nodes returns the range of k for which the candidates of variable i lie in its interval. There are at most
// half candidates on each side of v.
func (g *grid) nodes(i int, v, h float64) (from, to int) {
	lo, hi := g.lo[i], g.hi[i]
	h = g.step(i, h)
	if g.lower {
		at := count(math.RoundToEven((v-lo)/h), graspMost)
		return max(0, at-g.half), min(count((hi-lo)/h, graspMost), at+g.half)
	}
	return -count((v-lo)/h, g.half), count((hi-v)/h, g.half)
}

// node returns candidate k of variable i.
func (g *grid) node(i, k int, v, h float64) float64 {
	if g.lower {
		v = g.lo[i]
	}
	return min(max(v+float64(float64(k)*g.step(i, h)), g.lo[i]), g.hi[i])
}
