package lm

import "sort"

// chosen is some components, and a task for them.
type chosen struct {
	task      task
	list      []int               // the components, in increasing order
	before    []room              // what those before each block of the list need
	used      room                // what all need
	parameter func(k int) float64 // derivatives: size of the differences of component k; trials: its λ
	hold      func(k int) bool    // trials: whether variables at a bound are left out
	at        []int               // by component: where its answers begin
	answers   []float64           // as lm_values, lm_products and lm_steps compute them; trials: first the values

	parts []bool // those of which components are chosen
}

// choose chooses the components of some parts, nil: of all, for a task other than derivatives.
func (r *run) choose(parts []int, t task) { r.chooseOf(parts, t, func(int) bool { return true }) }

// chooseOf chooses those components of some parts, nil: of all, for which is is true.
func (r *run) chooseOf(parts []int, t task, is func(k int) bool) {
	of := &r.chosen
	all := r.engine.c
	o := r.order
	of.parts = resized(of.parts, len(o.parts))
	clear(of.parts)
	r.each(parts, func(_ *factor, c int) { of.parts[c] = true })
	of.task = t
	of.list = filter(of.list, len(o.of), func(k int) (int, bool) {
		return k, (parts == nil || of.parts[o.of[k]]) && is(k)
	})
	of.before, of.used = cumulate(len(of.list), func(i int) room { return all.need(of.list[i], t) },
		func(i int, before room) { of.at[of.list[i]] = before.answers })
	of.answers = resized(of.answers, of.used.answers)
}

// needed returns what the components before number i of the list need.
func (of *chosen) needed(c *components, i int) room {
	if i == len(of.list) {
		return of.used
	}
	sum := of.before[i/block]
	for _, k := range of.list[i/block*block : i] {
		sum = sum.plus(c.need(k, of.task))
	}
	return sum
}

// fitting returns the end of the longest run of components from number first of the list on, before number end, for
// which there is room, and what they need. It has one at least. Those before first need the room before.
func (of *chosen) fitting(c *components, first, end int, before, most room) (next int, used room) {
	fits := func(b int) bool { return b*block < end && of.before[b].minus(before).fits(most) }
	b := first/block + 1 // the first block that begins where there is no room any more
	b += sort.Search(len(of.before)-b, func(i int) bool { return !fits(b + i) })
	next = max(first, (b-1)*block)
	for used = of.needed(c, next).minus(before); next < end; next++ {
		more := used.plus(c.need(of.list[next], of.task))
		if next > first && !more.fits(most) {
			break
		}
		used = more
	}
	return next, used
}
