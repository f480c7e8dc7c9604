package cec2013

import (
	"github.com/clopt/clopt/problems"
)

// Linear returns 1, and nil for the Ackley function over all variables.
func (c *CEC2013) Linear() []float64 {
	if c.Accumulators() > 1 {
		return nil
	}
	return []float64{1}
}

// Structure returns windows for functions that are one sum, and otherwise the groups and single variables of a block,
// which repeat. A rotated group of s variables costs s²; other components cost the number of variables that they read.
// Groups of Ackley's function have two inner sums. The elliptic functions, those of Schwefel and that of Rosenbrock are
// sums of squares, except with mode=paper.
func (c *CEC2013) Structure() problems.Structure { return c.structure }

func (c *CEC2013) reads() problems.Structure {
	t, base := c.Tiling(), kinds[c.f].base
	switch {
	case c.stretched() && base == cecRosenbrock:
		return problems.Windows(c.n, t.M, 1, 0, 1).Costing(2)
	case c.stretched():
		return problems.Windows(c.n, t.M, 1, 0, 0)
	case c.direct() && (base == cecElliptic || base == cecRastrigin):
		return squared(base, problems.Windows(c.n, t.M, 1, 0, 0), 1)
	case len(c.groups) == 1 && c.closed() == 1:
		s := problems.Windows(c.n, t.M, cecBlock, 0, cecBlock-1).Costing(cecBlock).WithInner(c.inner())
		return squared(base, s, cecBlock)
	}
	start := []uint32{0}
	list := []uint32(nil)
	costs := []int(nil)
	squares := []int(nil)
	add := func(cost, terms int, positions []int) {
		for _, v := range positions {
			list = append(list, uint32(v))
		}
		start = append(start, uint32(len(list)))
		costs = append(costs, cost)
		squares = append(squares, terms)
	}
	for k, g := range c.groups {
		own := c.from[g.start : g.start+g.size]
		switch {
		case k >= c.closed() && g.base == cecRosenbrock:
			for p := range own[1:] {
				add(2, 2, own[p:p+2])
			}
		case k >= c.closed():
			for p := range own {
				add(1, 1, own[p:p+1])
			}
		case g.rotate != nil:
			add(g.size*g.size, g.size, own)
		default:
			add(g.size, g.size, own)
		}
	}
	s := problems.RepeatedLists(t.Tiles(), t.TileVars, start, list).Costing(costs...).WithInner(c.inner())
	return squared(base, s, squares...)
}

// inner returns the number of inner sums of a component: two, the sums of y² and of sin²(πy), where all components are
// Ackley's function of a group.
func (c *CEC2013) inner() int {
	if kinds[c.f].base == cecAckley && !c.stretched() {
		return 2
	}
	return 0
}

// squared declares that the components are sums of so many squares, and that the device knows their derivatives, if the
// base function is such a sum.
func squared(base cecBase, s problems.Structure, counts ...int) problems.Structure {
	if base == cecRastrigin || base == cecAckley {
		return s
	}
	return s.Squared(counts...).WithSlopes(true)
}
