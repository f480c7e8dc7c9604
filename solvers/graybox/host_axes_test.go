package graybox

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// axes is mts along the eigenvectors of the second derivatives at a random point near that of the restart.
func (h *hostPart) axes() {
	directions := eigenvectors(h.derivatives())
	for row := 0; row < 10; row++ { // rounds in a row without improvement
		u := rng.Uniform(h.key.Words(h.number, 1, h.made, rng.Choose)[1])
		if h.sweeps(u, 1e-3, func(k int, d float64) []float64 {
			y := slices.Clone(h.at)
			for v := range y {
				y[v] = h.inBox(math.FMA(d, directions[k][v], y[v]))
			}
			return y
		}) {
			row = -1
		}
	}
}

// derivatives returns the second derivatives, times a number, from differences.
func (h *hostPart) derivatives() [][]float64 {
	n, wide, base := len(h.at), 3e-6*h.width, slices.Clone(h.at)
	for k, v := range h.vars {
		u := 2*rng.Uniform(h.key.Word(uint32(v), 0, h.made, rng.Step)) - 1
		base[k] = min(max(base[k]+u*0.03*h.width, h.lo+wide), h.lo+h.width-wide)
	}
	f := h.evaluate(base)
	rise := func(i, j int) float64 { // the second difference along i and j together
		total := 0.0
		for _, d := range []float64{wide, -wide} {
			y := slices.Clone(base)
			if y[i] += d; j != i {
				y[j] += d
			}
			total += h.evaluate(y) - f
		}
		return total
	}
	e := make([][]float64, n)
	for i := range e {
		e[i] = make([]float64, n)
		e[i][i] = rise(i, i)
		for j := i - 1; j >= 0; j-- {
			e[i][j] = (rise(i, j) - e[i][i] - e[j][j]) / 2
			e[j][i] = e[i][j]
		}
	}
	return e
}

// eigenvectors returns those of a symmetric matrix: its rows, rotated in pairs until they are orthogonal. All pairs are
// rotated in turn, in rounds in which each row is in one pair.
func eigenvectors(e [][]float64) [][]float64 {
	last := (len(e) - 1) | 1
	for rotated := true; rotated; {
		rotated = false
		for round := range last {
			for t := range last/2 + 1 {
				i, j := (round+t)%last, (round+last-t)%last
				if t == 0 {
					j = last
				}
				if i < len(e) && j < len(e) && orthogonal(e[i], e[j]) {
					rotated = true
				}
			}
		}
	}
	for _, row := range e {
		size := math.Sqrt(dot(row, row))
		for k := range row {
			row[k] /= size
		}
	}
	return e
}

// orthogonal rotates two vectors so that they are orthogonal. It returns false if they are already.
func orthogonal(p, q []float64) bool {
	a, b, ab := dot(p, p), dot(q, q), dot(p, q)
	if math.Abs(ab) <= 1e-14*math.Sqrt(a)*math.Sqrt(b) {
		return false
	}
	sine, cosine := math.Sincos(math.Atan(2*ab/(b-a)) / 2)
	for k := range p {
		p[k], q[k] = cosine*p[k]-sine*q[k], sine*p[k]+cosine*q[k]
	}
	return true
}
