package lm

import (
	"slices"

	"github.com/clopt/clopt/problems"
)

// components says which variables each component of a problem reads.
type components struct {
	s    problems.Structure
	from []int // component k reads the variables list[from[k]:from[k+1]]
	list []int
	of   []numbers
	cost int    // of all components
	own  []bool // the component is a part of its own, of which the devices solve the equations
}

// numbers are those of squares of a component, and its cost.
type numbers struct{ squares, cost uint32 }

// newComponents lists the variables of the period of a structure, and repeats them for each copy.
func newComponents(s problems.Structure) *components {
	one, copies := s.Period()
	return componentsOf(one).repeated(s, copies)
}

// repeated returns the components of a structure that consists of copies of that of c, side by side.
func (c *components) repeated(s problems.Structure, copies int) *components {
	n, m, reads := c.s.Variables(), len(c.of), len(c.list)
	all := &components{s: s, from: make([]int, m*copies+1), list: make([]int, reads*copies),
		of: slices.Repeat(c.of, copies), cost: c.cost * copies, own: slices.Repeat(c.own, copies)}
	parallel(copies, func(_, copy int) {
		shifted(all.list[copy*reads:], c.list, copy*n)
		shifted(all.from[copy*m+1:], c.from[1:], copy*reads)
	})
	return all
}

func componentsOf(s problems.Structure) *components {
	m := s.Components()
	c := &components{s: s, from: make([]int, m+1), of: make([]numbers, m), own: make([]bool, m)}
	readers := make([]uint8, s.Variables()) // 2: two or more
	for k := range m {
		at := len(c.list)
		c.list = s.Reads(k, c.list)
		if !s.Slopes() {
			c.list = append(c.list[:at], sorted(c.list[at:])...)
		}
		c.from[k+1] = len(c.list)
		c.of[k] = numbers{uint32(s.Squares(k)), uint32(s.Cost(k))}
		c.cost += s.Cost(k)
		for _, i := range c.variables(k) {
			readers[i] = min(readers[i]+1, 2)
		}
	}
	for k := range c.own {
		vars := c.variables(k)
		c.own[k] = len(vars) > 0 && len(vars) <= mostOnDevice &&
			!slices.ContainsFunc(vars, func(i int) bool { return readers[i] > 1 })
	}
	return c
}

// mostOnDevice is the largest number of variables of a part of which a device solves the equations, with a work-group.
const mostOnDevice = 1 << 10

// variables returns those that component k reads.
func (c *components) variables(k int) []int { return c.list[c.from[k]:c.from[k+1]] }

// slopes is the work of the derivatives that a device text has, as a multiple of that of a value.
const slopes = 2

// differencesWork returns the work of derivatives, as a multiple of that of a value.
func differencesWork(s problems.Structure) float64 {
	if s.Slopes() {
		return slopes
	}
	return s.DifferencesWork()
}
