package graybox

import (
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/host"
)

func dot(a, b []float64) (v float64) {
	for k := range a {
		v += a[k] * b[k]
	}
	return v
}

// times returns the product of a matrix, given by rows or by columns if it is symmetric, and a vector.
func times(m [][]float64, v []float64) []float64 {
	p := make([]float64, len(m))
	for k, row := range m {
		p[k] = dot(row, v)
	}
	return p
}

// lbfgs is the quasi-Newton search of parts for which it keeps a matrix (BFGS): a gradient from differences, and then
// values along a line, again and again.
func (h *hostPart) lbfgs() {
	n := len(h.at)
	width := make([]float64, n)
	for k, v := range h.at {
		width[k] = math.Cbrt(0x1p-52) * max(math.Abs(v), 1e-3*h.width)
	}
	var inverse [][]float64 // of the second derivatives; nil: nothing is known of them
	var s, before []float64 // the last change of the point, and the gradient before it
	gained := 0.0           // by the last line
	checked := h.f          // the value n + 10 lines ago, or fewer
	for lines := 1; ; lines++ {
		g := h.gradient(width, gained)
		if s != nil {
			y := slices.Clone(g)
			for k := range y {
				y[k] -= before[k]
			}
			sy, size := dot(s, y), math.Sqrt(dot(s, s))*math.Sqrt(dot(y, y))
			h.decide(sy, 1e-10*size, size)
			if sy > 1e-10*size {
				inverse = bfgs(inverse, s, y)
			}
		}
		start := slices.Clone(h.at)
		var found bool
		if gained, found = h.line(inverse, g); !found && inverse != nil {
			inverse = nil
			gained, found = h.line(nil, g)
		}
		if !found {
			return
		}
		if lines%(n+10) == 0 {
			if h.decide(checked-h.f, 1e-3*math.Abs(h.f), h.size); checked-h.f < 1e-3*math.Abs(h.f) {
				return
			}
			checked = h.f
		}
		s, before = slices.Clone(h.at), g
		for k := range s {
			s[k] -= start[k]
		}
	}
}

// bfgs adds the changes s of the point and y of the gradient to the inverse of the second derivatives.
func bfgs(inverse [][]float64, s, y []float64) [][]float64 {
	sy := dot(s, y)
	if inverse == nil {
		inverse = make([][]float64, len(s))
		for k := range inverse {
			inverse[k] = make([]float64, len(s))
			inverse[k][k] = sy / dot(y, y)
		}
	}
	hy := times(inverse, y)
	more := (1 + dot(y, hy)/sy) / sy
	for i := range inverse {
		for j := range inverse {
			inverse[i][j] += more*s[i]*s[j] - (hy[i]*s[j]+s[i]*hy[j])/sy
		}
	}
	return inverse
}

// gradient returns the derivatives at the point. It adapts the widths of the differences if the last line has gained.
func (h *hostPart) gradient(width []float64, gained float64) []float64 {
	g := make([]float64, len(h.at))
	for k, v := range h.at {
		up, down := v+width[k], v-width[k]
		if up > h.lo+h.width {
			up = v
		}
		if down < h.lo {
			down = v
		}
		y := slices.Clone(h.at)
		y[k] = up
		above := h.evaluate(y) - h.f
		y[k] = down
		below := h.evaluate(y) - h.f
		up, down = up-v, v-down
		if up == 0 {
			above = 0
		}
		if down == 0 {
			below = 0
		}
		g[k] = (above - below) / (up + down)
		if gained > 0 && up > 0 && down > 0 {
			wanted := math.Sqrt(1e-15 * math.Abs(h.f) * min(gained, math.Abs(h.f)))
			by := min(max(math.Sqrt(wanted/math.Abs(above+below)), 0.1), 10)
			width[k] = min(max(width[k]*by, 1e-14*max(math.Abs(v), 1e-3*h.width)), 1e-3*h.width)
		}
	}
	return g
}

// line searches along the direction -inverse·g, or along -g if inverse is nil. It returns what it has gained, and
// false if it has found no better point.
func (h *hostPart) line(inverse [][]float64, g []float64) (gained float64, found bool) {
	d, reach := slices.Clone(g), 0.1
	if inverse != nil {
		d, reach = times(inverse, g), 0.5
	}
	start := slices.Clone(h.at)
	for k := range d {
		if d[k] = -d[k]; start[k] <= h.lo && d[k] < 0 || start[k] >= h.lo+h.width && d[k] > 0 {
			d[k] = 0
		}
	}
	slope := dot(d, g)
	t := reach * h.width / math.Sqrt(dot(d, d))
	if inverse != nil {
		t = min(1, t)
	}
	if !(slope < 0) {
		return 0, false
	}
	try := func(t float64) float64 {
		y := slices.Clone(start)
		for k := range y {
			y[k] = h.inBox(y[k] + t*d[k])
		}
		f := h.evaluate(y)
		gain := f - h.f
		h.decide(f, h.f, h.size)
		if gain < 0 && (found || gain <= 1e-4*t*slope) {
			h.move(y, f)
			found = true
			gained -= gain
		}
		return gain
	}
	// The three last points of the line: t and the value there less that of the middle one.
	var left, middle, right, above, below float64
	for tries := 1; ; tries++ {
		gain := try(t)
		if found {
			middle, above, below = t, -gain, below-gain
			for longer := right == 0; longer; {
				right = 2 * middle
				if tries++; tries > 1+20 {
					return gained, true
				}
				if gain = try(right); gain < 0 {
					left, middle, above = middle, right, -gain
				} else {
					below, longer = gain, false
				}
			}
			break
		}
		if tries == 20 {
			return 0, false
		}
		right, below = t, gain
		t = min(max(-slope*t*t/(2*(gain-t*slope)), 0.1*t), 0.5*t)
	}
	a, b := middle-left, right-middle
	down, up := above/a, below/b
	if t = middle + (down*b-up*a)/(2*(down+up)); host.Finite(t) {
		try(t)
	}
	return gained, true
}
