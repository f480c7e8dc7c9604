package lm

import "github.com/clopt/clopt/problems"

// components says which variables each component of a problem reads.
type components struct {
	s    problems.Structure
	from []int // component k reads the variables list[from[k]:from[k+1]], in increasing order
	list []int
	cost int // of all components
}

func newComponents(s problems.Structure) *components {
	m := s.Components()
	c := &components{s: s, from: make([]int, m+1)}
	for k := range m {
		at := len(c.list)
		c.list = s.Reads(k, c.list)
		c.list = append(c.list[:at], sorted(c.list[at:])...)
		c.from[k+1] = len(c.list)
		c.cost += s.Cost(k)
	}
	return c
}

// variables returns those that component k reads.
func (c *components) variables(k int) []int { return c.list[c.from[k]:c.from[k+1]] }

// work returns the work of some components, with or without differences, as a multiple of that of a value.
func (c *components) work(ks []int, differences bool) float64 {
	sum := 0
	for _, k := range ks {
		sum += c.s.Cost(k) * c.need(k, differences).entries
	}
	return float64(sum) / float64(c.cost)
}
