package lm

import "github.com/clopt/clopt/problems"

// rounds deals the stacks of a problem to rounds, so that the host keeps the products of one round at a time.
//
// A round takes the next stacks of each super-tile. So it has work for all devices, and the products are added in an
// order that follows from the problem alone.
type rounds struct {
	count int
	of    []int32 // by component: its round; nil: there is one round
}

// mostAnswers is about the largest number of products of a round.
const mostAnswers = 1 << 24

// newRounds deals stacks to rounds of about so many products.
func newRounds(c *components, t problems.Tiling, most int) rounds {
	all := 0
	for k := range c.of {
		all += c.need(k, derivatives).answers
	}
	r := rounds{count: 1}
	if all <= most {
		return r
	}
	r.of = make([]int32, len(c.of))
	supers := t.SuperTiles()
	if t.Whole { // one device has all of them
		supers = 1
	}
	for s := range supers {
		lo, hi := 0, len(c.of)
		if !t.Whole {
			from, to := t.SuperTile(s)
			lo, _ = t.Comps(from)
			_, hi = t.Comps(to - 1)
		}
		used, round := 0, int32(0)
		for k := lo; k < hi; k++ {
			need := c.need(k, derivatives).answers
			if need == 0 { // of a component that stands in a stack, or whose equations a device solves
				continue
			}
			if used > 0 && used+need > max(1, most/supers) {
				used, round = 0, round+1
			}
			used += need
			r.of[k], r.count = round, max(r.count, int(round)+1)
		}
	}
	return r
}

// has reports whether a component is in a round.
func (r rounds) has(round, k int) bool { return r.of == nil || int(r.of[k]) == round }
