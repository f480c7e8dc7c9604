package cec2013

import (
	"github.com/clopt/clopt/problems"
)

// Linear is 1, and nil where Ackley's function is stretched over all variables.
func (c *CEC2013) Linear() []float64 {
	if c.Accumulators() > 1 {
		return nil
	}
	return []float64{1}
}

// Reads appends the variables of a group or of a single position.
func (c *CEC2013) Reads(k int, dst []int) []int {
	if c.stretched() {
		if c.f == 12 {
			return append(dst, k, k+1)
		}
		return append(dst, k)
	}
	per, closed := c.components(), c.closed()
	base, k := k/per*cecBlock, k%per
	if k < closed {
		g := c.groups[k]
		for _, v := range c.from[g.start : g.start+g.size] {
			dst = append(dst, base+v)
		}
		return dst
	}
	rest := c.groups[closed]
	p := rest.start + k - closed
	dst = append(dst, base+c.from[p])
	if rest.base == cecRosenbrock {
		dst = append(dst, base+c.from[p+1])
	}
	return dst
}

// Cost is s² for a rotated group of s variables, and for others what they read.
func (c *CEC2013) Cost(k int) int {
	if !c.stretched() {
		if k %= c.components(); k < c.closed() {
			g := c.groups[k]
			if g.rotate != nil {
				return g.size * g.size
			}
			return g.size
		}
	}
	if c.f == 12 {
		return 2
	}
	return 1
}

// Items is ItemForm.
func (c *CEC2013) Items() problems.Problem { return c.ItemForm() }
