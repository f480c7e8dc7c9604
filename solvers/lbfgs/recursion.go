package lbfgs

import "math"

// recursion has the inner products of the stored pairs (s, y), from which the direction follows. Pair number k is in
// row k mod Rows.
type recursion struct {
	Rows   int
	Made   int       // pairs so far; the next one is not among them until it is known to be good
	Scale  float64   // s·y/y·y of the last good pair, which is about the inverse of the curvature; 0: there was none
	SY, YY []float64 // s_a·y_b and y_a·y_b in a*Rows + b
}

func newRecursion(rows int) recursion {
	return recursion{Rows: rows, SY: make([]float64, rows*rows), YY: make([]float64, rows*rows)}
}

// next returns the row of the next pair.
func (c *recursion) next() int { return c.Made % c.Rows }

// add stores the products of the next pair, as lbfgs_dots lists them. The pair is good if the slope along it has grown
// by a part of slope, that at its beginning.
func (c *recursion) add(products []float64, slope float64) {
	p, n := c.next(), c.Rows
	for r := range n {
		of := products[dots*r:]
		c.SY[r*n+p], c.SY[p*n+r] = of[0], of[1]
		c.YY[r*n+p], c.YY[p*n+r] = of[2], of[2]
	}
	if sy, yy := c.SY[p*n+p], c.YY[p*n+p]; sy > flat*math.Abs(slope) && yy > 0 && !math.IsInf(yy, 0) {
		c.Made++
		c.Scale = sy / yy
	}
}

// weights returns the weights of all rows and of the gradient in the direction -H·g, by the two loops of Nocedal (1980,
// doi:10.1090/S0025-5718-1980-0572855-7). products has those with g.
func (c *recursion) weights(products []float64) []float64 {
	n := c.Rows
	w := make([]float64, 2*n+1)
	s, y := w[:n], w[n:2*n] // of the rows of s and of y
	oldest := max(0, c.Made-(n-1))
	sg := func(r int) float64 { return products[dots*r+3] }
	yg := func(r int) float64 { return products[dots*r+4] }
	scale := 1.0
	for k := c.Made - 1; k >= oldest; k-- {
		r := k % n
		dot := sg(r)
		for j := k + 1; j < c.Made; j++ {
			dot += y[j%n] * c.SY[r*n+j%n]
		}
		y[r] = -dot / c.SY[r*n+r]
	}
	if c.Made > 0 {
		scale = c.Scale
	}
	for k := oldest; k < c.Made; k++ {
		r := k % n
		dot := scale * yg(r)
		for j := oldest; j < c.Made; j++ {
			dot += scale * y[j%n] * c.YY[r*n+j%n]
			if j < k {
				dot += s[j%n] * c.SY[j%n*n+r]
			}
		}
		s[r] = -y[r] - dot/c.SY[r*n+r]
	}
	for r := range n {
		s[r], y[r] = -s[r], -scale*y[r]
	}
	w[2*n] = -scale
	return w
}
