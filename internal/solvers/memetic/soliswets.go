package memetic

import (
	"math"

	"github.com/clopt/clopt/problems/rng"
)

// SolisWets is the state of a Solis-Wets local search (Solis and Wets 1981, doi:10.1287/moor.6.1.19) on the host. It
// is the reference for the kernels: plain loops in float64, with the same draws.
type SolisWets struct {
	Rho     float64   // standard deviation of a step
	B       []float64 // bias
	OK, Bad int       // successes and failures in a row
	Pending bool      // the forward step failed; the opposite step is next
	When    uint32    // counter of the draws of the current deviation
}

// NewSolisWets returns the state in which a search from x begins. The step is the distance to the nearest of the
// points that does not coincide with x, divided by 2n. If all coincide, it is 1e-3 of the box [lo, hi].
func NewSolisWets(x []float64, points [][]float64, lo, hi float64) *SolisWets {
	nearest := math.Inf(1)
	for _, y := range points {
		d := 0.0
		for i, v := range x {
			d += (v - y[i]) * (v - y[i])
		}
		if d > 0 {
			nearest = min(nearest, d)
		}
	}
	c := &SolisWets{Rho: 1e-3 * (hi - lo), B: make([]float64, len(x))}
	if !math.IsInf(nearest, 1) {
		c.Rho = math.Sqrt(nearest) / float64(2*len(x))
	}
	return c
}

// Propose writes the next neighbour of x to y, and its deviation to d. who makes the draws, and now is the number of
// this evaluation. The neighbour is cut to the box [lo, hi].
func (c *SolisWets) Propose(key rng.Key, who, now uint32, x []float64, lo, hi float64, d, y []float64) {
	sign := -1.0
	if !c.Pending {
		sign, c.When = 1, now
	}
	var w [4]uint32
	for i := range y {
		if i%4 == 0 {
			w = key.Words(uint32(i/4), who, c.When, rng.Step)
		}
		d[i] = c.Rho * float64(rng.Normal(w, uint32(i)))
		y[i] = min(max(x[i]+sign*(c.B[i]+d[i]), lo), hi)
	}
}

// Adapt changes bias and step after the neighbour with deviation d was accepted or rejected.
func (c *SolisWets) Adapt(d []float64, accepted bool) {
	switch {
	case accepted:
		for i := range d {
			if c.Pending {
				c.B[i] -= 0.4 * (d[i] + c.B[i])
			} else {
				c.B[i] = 0.2*c.B[i] + 0.4*(d[i]+c.B[i])
			}
		}
		c.OK++
		c.Bad = 0
		c.Pending = false
	case !c.Pending:
		c.Pending = true
		return
	default:
		for i := range c.B {
			c.B[i] *= 0.5
		}
		c.OK = 0
		c.Bad++
		c.Pending = false
	}
	if c.OK >= 5 {
		c.OK, c.Rho = 0, c.Rho*2
	} else if c.Bad >= 3 {
		c.Bad, c.Rho = 0, c.Rho/2
	}
}
