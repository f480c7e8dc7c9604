package lm

import "github.com/clopt/clopt/problems"

// components says which variables each component of a problem reads.
type components struct {
	s    problems.Structure
	from []int // component k reads the variables list[from[k]:from[k+1]]
	list []int
	of   []numbers
	cost int // of all components
}

// numbers are those of squares of a component, and its cost.
type numbers struct{ squares, cost uint32 }

func newComponents(s problems.Structure) *components {
	m := s.Components()
	c := &components{s: s, from: make([]int, m+1), of: make([]numbers, m)}
	for k := range m {
		at := len(c.list)
		c.list = s.Reads(k, c.list)
		if !s.Slopes() {
			c.list = append(c.list[:at], sorted(c.list[at:])...)
		}
		c.from[k+1] = len(c.list)
		c.of[k] = numbers{uint32(s.Squares(k)), uint32(s.Cost(k))}
		c.cost += s.Cost(k)
	}
	return c
}

// variables returns those that component k reads.
func (c *components) variables(k int) []int { return c.list[c.from[k]:c.from[k+1]] }

// work returns the work of the values of some components at some points, or of their derivatives at one point if
// points is 0, as a multiple of that of a value of all components.
func (c *components) work(ks []int, points int) float64 {
	sum := 0
	for _, k := range ks {
		times := points
		switch {
		case points > 0:
		case c.s.Slopes():
			times = 1 + slopes
		default:
			times = 1 + 2*len(c.variables(k))
		}
		sum += int(c.of[k].cost) * times
	}
	return float64(sum) / float64(c.cost)
}

// slopes is the work of the derivatives that a device text has, as a multiple of that of a value.
const slopes = 2

// differencesWork returns the work of derivatives, as a multiple of that of a value.
func differencesWork(s problems.Structure) float64 {
	if s.Slopes() {
		return slopes
	}
	return s.DifferencesWork()
}
