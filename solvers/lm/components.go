package lm

import (
	"slices"

	"github.com/clopt/clopt/problems"
)

// components says which variables each component of a problem reads.
//
// Components one after the other that read the same variables are stacked: their derivatives are the rows of one
// matrix, of which the devices compute the products. So a regression of many rows has few products.
type components struct {
	s     problems.Structure
	by    derivation
	reads []span // component k reads the variables list[reads[k].lo:reads[k].hi]
	list  []int
	of    []numbers
	stack []int32 // by component: how many stand in the stack that begins with it; 0: it stands in that of another one
	cost  int     // of all components
	own   []bool  // the component is a part of its own, of which the devices solve the equations
}

// span is the numbers from lo to hi-1.
type span struct{ lo, hi int }

// numbers are those of squares of a component, and its cost.
type numbers struct{ squares, cost uint32 }

// newComponents lists the variables of the period of a structure, and repeats them for each copy. stacks is the largest
// number of residuals of a stack of several components.
func newComponents(s problems.Structure, by derivation, stacks int) *components {
	one, copies := s.Period()
	return componentsOf(one, by, stacks).repeated(s, copies)
}

// mostStacked is the largest number of residuals of a stack of several components: with more of them there is less to
// do for the host, which adds the products of the stacks, and with fewer there are more for a device to work on.
const mostStacked = 256

// stacks returns the largest number of residuals of a stack of several components of p. Where there are slopes, or
// several devices may have the components, nothing is stacked.
func stacks(p problems.Problem) int {
	if p.Structure().Slopes() || !p.Tiling().Whole {
		return 0
	}
	return mostStacked
}

// repeated returns the components of a structure that consists of copies of that of c, side by side.
func (c *components) repeated(s problems.Structure, copies int) *components {
	if copies == 1 {
		return c
	}
	n := c.s.Variables()
	m := len(c.of)
	reads := len(c.list)
	all := &components{s: s, by: c.by, reads: make([]span, m*copies), list: make([]int, reads*copies),
		of: slices.Repeat(c.of, copies), stack: slices.Repeat(c.stack, copies), cost: c.cost * copies,
		own: slices.Repeat(c.own, copies)}
	parallel(copies, func(_, copy int) {
		shifted(all.list[copy*reads:], c.list, copy*n)
		for k, r := range c.reads {
			all.reads[copy*m+k] = span{r.lo + copy*reads, r.hi + copy*reads}
		}
	})
	return all
}

func componentsOf(s problems.Structure, by derivation, stacks int) *components {
	m := s.Components()
	c := &components{s: s, by: by, reads: make([]span, m), of: make([]numbers, m), stack: make([]int32, m),
		own: make([]bool, m)}
	readers := make([]uint8, s.Variables()) // 2: two or more
	head := 0
	for k := range m {
		c.of[k] = numbers{uint32(s.Squares(k)), uint32(s.Cost(k))}
		c.cost += s.Cost(k)
		same := c.read(k, c.reads[max(k, 1)-1])
		for _, i := range c.variables(k) {
			readers[i] = min(readers[i]+1, 2)
		}
		if !same || c.of[k] != c.of[head] || int(c.stack[head]+1)*int(c.of[k].squares) > stacks {
			head = k
		}
		c.stack[head]++
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

// read lists the variables that component k reads, and reports whether they are those of the one before, whose list it
// shares then.
func (c *components) read(k int, before span) (same bool) {
	at := len(c.list)
	if c.s.Whole() && k > 0 {
		c.reads[k] = before
		return true
	}
	c.list = c.s.Reads(k, c.list)
	if !c.s.Slopes() {
		c.list = append(c.list[:at], sorted(c.list[at:])...)
	}
	c.reads[k] = (span{at, len(c.list)})
	if k == 0 || !slices.Equal(c.list[at:], c.list[before.lo:before.hi]) {
		return false
	}
	c.reads[k], c.list = before, c.list[:at]
	return true
}

// variables returns those that component k reads.
func (c *components) variables(k int) []int { return c.list[c.reads[k].lo:c.reads[k].hi] }

// slopes is the work of the derivatives that a device text has, as a multiple of that of a value.
const slopes = 2
