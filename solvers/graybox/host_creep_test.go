package graybox

import (
	"math"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// mts is MTS-LS1 of Tseng and Chen (2008): one variable after the other.
func (h *hostPart) mts() {
	u := rng.Uniform(h.key.Words(h.number, 0, h.made, rng.Choose)[1])
	h.sweeps(u, h.least, func(v int, d float64) []float64 {
		y := slices.Clone(h.at)
		y[v] = h.inBox(y[v] + d)
		return y
	})
}

// sweeps tries one direction after the other, of as many as there are variables. moved returns the point at a distance
// along one. The step follows from u, and is doubled after every third of the sweeps in a row that have improved the
// point. If none has, the end is where it is less than least of the box, and else where it is less than h.least. sweeps
// reports whether one has improved the point.
func (h *hostPart) sweeps(u, least float64, moved func(v int, d float64) []float64) (any bool) {
	widest := h.real(0.4)
	row := 0 // sweeps in a row
	for step := h.real(h.real(h.real(0.5+u)*widest) * h.width); ; {
		end := least
		if any {
			end = h.least
		}
		if step < h.real(h.real(end)*h.width) {
			return any
		}
		improved := false
		for v := range h.at {
			for _, d := range []float64{-step, step / 2} {
				y := moved(v, d)
				f := h.evaluate(y)
				if h.better(f, h.f) {
					h.move(y, f)
					improved, any = true, true
					break
				}
				second := d > 0 && len(h.at) == 1 && h.around == nil && h.aim == 0
				if lacks, rise := h.f-h.known, f-h.f; second && rise > 0 {
					h.decide(lacks, 4*rise, h.size)
					if h.lost = lacks > 4*rise; h.lost {
						return any
					}
				}
			}
		}
		if row++; !improved {
			row, step = 0, step/2
		} else if row%3 == 0 {
			step = min(2*step, h.real(widest*h.width))
		}
	}
}

// jumps changes one variable, or exchanges the values of two, until 4 candidates for each variable in a row have found
// nothing better.
func (h *hostPart) jumps() {
	n := uint32(len(h.at))
	for row := 0; row < 4*len(h.at); row++ {
		w := h.key.Words(h.number, 1, h.made, rng.Step)
		i, j := rng.Int(w[0], n), rng.Int(w[1], n)
		reach := math.Ldexp(h.width, -max(0, int(w[2]>>2&15)-7))
		low, high := max(h.real(h.at[i]-reach), h.lo), min(h.real(h.at[i]+reach), h.lo+h.width)
		y := slices.Clone(h.at)
		if y[i] = h.inBox(math.FMA(rng.Uniform(w[3]), h.real(high-low), low)); w[2]&3 == 0 {
			y[i], y[j] = h.at[j], h.at[i]
		}
		f := h.evaluate(y)
		switch {
		case h.better(f, h.f):
			h.move(y, f)
			row = -1
		case f == h.f:
			h.move(y, f)
		}
	}
}

// solisWets is the search of Solis and Wets (1981): normal steps of all variables around a bias.
func (h *hostPart) solisWets() {
	bias := make([]float64, len(h.at))
	good, bad := 0, 0 // successes and failures in a row
	for rho := h.real(h.real(0.1) * h.width); rho >= h.real(h.real(h.least)*h.width); {
		when := h.made
		step := make([]float64, len(h.at))
		for k, v := range h.vars {
			normal := rng.Normal(h.key.Words(uint32(v/4), 0, when, rng.Step), uint32(v))
			step[k] = h.real(h.real(rho*float64(normal)) + bias[k])
		}
		accepted := false
		for _, sign := range []float64{1, -1} {
			y := make([]float64, len(h.at))
			for k, x := range h.at {
				y[k] = h.inBox(x + sign*step[k])
			}
			f := h.evaluate(y)
			if !h.better(f, h.f) {
				continue
			}
			h.move(y, f)
			accepted = true
			for k := range bias {
				if sign > 0 {
					bias[k] = h.real(0.2*bias[k] + 0.4*step[k])
				} else {
					bias[k] = h.real(bias[k] - 0.4*step[k])
				}
			}
			break
		}
		if accepted {
			good, bad = good+1, 0
		} else {
			good, bad = 0, bad+1
			for k := range bias {
				bias[k] *= 0.5
			}
		}
		switch {
		case good == 5:
			good, rho = 0, min(2*rho, h.width)
		case bad == 3:
			bad, rho = 0, rho/2
		}
	}
}
