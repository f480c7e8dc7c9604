package cec2013

import (
	"slices"

	"github.com/clopt/clopt/problems"
)

// The panel form of the CEC'2013 functions (kernels/problems/cec2013/panel.cl)
// evaluates several points of a block in one work-group: cecPoints, so that a rotation is
// read once for all of them; cecDirectPoints where there is none, which leaves
// more registers (H200: 0.96 against 1.05 ms for 1e8 variables of F1).
const (
	cecPoints       = 4
	cecDirectPoints = 2
	cecLanes        = 128 // work-items that rotate
	cecFine         = 5   // positions summed by one item; divides every group size
)

// direct reports whether terms are added in the order of the variables, without permutation or rotation.
func (c *CEC2013) direct() bool {
	return len(c.groups) == 1 && kinds[c.f].base != cecSchwefel
}

// panel adds the panel form to the text of a block.
func (c *CEC2013) panel(t *problems.Text) {
	defs := problems.Defines(t.Defines)
	read := slices.Max(c.from) + 1
	rounds, batches := c.rounds()
	defs.Add("CEC_DIRECT", problems.Flag(c.direct()))
	defs.Add("CEC_TWICE", problems.Flag(read < cecBlock))
	defs.Add("CEC_FINE", cecFine)
	defs.Add("CEC_LANES", cecLanes)
	defs.Add("CEC_BATCHES", max(batches, 1))
	defs.Add("CEC_ROUNDS", len(rounds)/(cecLanes*(4+max(batches, 1))))
	t.Defines = defs
	t.Parts = append(t.Parts, "problems/cec2013/panel.cl")
	t.Panel = problems.Panel{Points: cecPoints, Scratch: cecBlock, Group: cecLanes}
	if c.direct() {
		t.Panel.Points = cecDirectPoints
		t.Panel.Scratch = cecBlock / 4 // of rosenbrock; the others need none
		t.Panel.One = true
		return
	}
	to := make([]uint32, 2*read)
	for i := range to {
		to[i] = cecBlock
	}
	for p, v := range c.from {
		if to[v] == cecBlock {
			to[v] = uint32(p)
		} else {
			to[read+v] = uint32(p)
		}
	}
	t.Tables = append(t.Tables, problems.Table{Name: "to", Uint: to})
	if len(rounds) > 0 {
		t.Tables = append(t.Tables, problems.Table{Name: "round", Uint: rounds})
	}
}

// rounds assigns the rows of all rotations to rounds of cecLanes items, the longest first, with all rows of a group in
// one round. cec2013/panel.cl describes the table. batches is the largest number of groups that an item rotates at a
// time.
func (c *CEC2013) rounds() (table []uint32, batches int) {
	place, total := map[int]int{}, 0
	for _, g := range c.groups {
		if _, ok := place[g.size]; g.rotate != nil && !ok {
			place[g.size] = total
			total += g.size * g.size
		}
	}
	type batch struct {
		size   int
		starts []uint32
	}
	var all []batch
	for _, size := range []int{cecSizes[2], cecSizes[1], cecSizes[0]} {
		starts := c.rotated(size)
		for len(starts) > 0 {
			n := 1
			for _, k := range []int{5, 4, 2} { // the text has loops for these
				if len(starts) >= k {
					n = k
					break
				}
			}
			all = append(all, batch{size, starts[:n]})
			starts = starts[n:]
			batches = max(batches, n)
		}
	}
	var used []int // lanes of each round
	var items [][]uint32
	for _, b := range all {
		r := slices.IndexFunc(used, func(n int) bool { return n+b.size <= cecLanes })
		if r < 0 {
			r = len(used)
			used = append(used, 0)
			items = append(items, make([]uint32, cecLanes*(4+batches)))
		}
		for i := range b.size {
			e := items[r][(used[r]+i)*(4+batches):]
			e[0] = uint32(b.size)
			e[1] = uint32(len(b.starts))
			e[2] = uint32(i)
			e[3] = uint32(place[b.size] + i)
			copy(e[4:], b.starts)
		}
		used[r] += b.size
	}
	return slices.Concat(items...), batches
}
