package lm

import "github.com/clopt/clopt/problems"

// order is an order of the variables in which those that components have in common are near each other, and the
// envelope of JᵀJ in it: row i has numbers from column first[i] to the diagonal only.
type order struct {
	place []int // of each variable
	at    []int // the variable of each place
	first []int // by place
	parts []part
	in    []int // the part of each variable
	of    []int // and of each component
	comps []int // the components of all parts, one part after the other
}

// part is a set of variables that no component connects with others.
type part struct {
	lo, hi      int // its variables have the places from lo to hi-1
	first, last int // and its components are comps[first:last], in increasing order
}

// newOrder returns the order of a structure: that of its period, once for each copy.
func newOrder(s problems.Structure) *order {
	one, copies := s.Period()
	return orderOf(one).repeated(copies)
}

// repeated returns the order of copies of what o is the order of, side by side.
func (o *order) repeated(copies int) *order {
	n := len(o.at)
	m := len(o.of)
	parts := len(o.parts)
	comps := len(o.comps)
	all := &order{place: make([]int, n*copies), at: make([]int, n*copies), first: make([]int, n*copies),
		parts: make([]part, parts*copies), in: make([]int, n*copies), of: make([]int, m*copies),
		comps: make([]int, comps*copies)}
	parallel(copies, func(_, c int) {
		shifted(all.place[c*n:], o.place, c*n)
		shifted(all.at[c*n:], o.at, c*n)
		shifted(all.first[c*n:], o.first, c*n)
		shifted(all.in[c*n:], o.in, c*parts)
		shifted(all.of[c*m:], o.of, c*parts)
		shifted(all.comps[c*comps:], o.comps, c*m)
		for i, q := range o.parts {
			all.parts[c*parts+i] = part{q.lo + c*n, q.hi + c*n, q.first + c*comps, q.last + c*comps}
		}
	})
	return all
}

// shifted sets the first numbers of to to those of from, plus an offset.
func shifted(to, from []int, offset int) {
	for i, v := range from {
		to[i] = v + offset
	}
}

// orderOf visits the variables breadth-first, from the last variable of a first visit (Cuthill and McKee 1969; George
// and Liu 1979 for the start).
func orderOf(s problems.Structure) *order {
	if s.Whole() {
		return orderOfAll(s.Variables(), s.Components())
	}
	n := s.Variables()
	o := &order{place: make([]int, n), at: make([]int, 0, n), first: make([]int, n), in: make([]int, n),
		of: make([]int, s.Components())}
	v := &visit{s: s, round: make([]int, n), opened: make([]int, s.Components())}
	for i := range n {
		if v.round[i] > 0 { // it belongs to a part that is done
			continue
		}
		all := v.from(i)
		all = v.from(all[len(all)-1])
		o.parts = append(o.parts, part{lo: len(o.at), hi: len(o.at) + len(all)})
		for _, i := range all {
			o.in[i], o.place[i] = len(o.parts)-1, len(o.at)
			o.at = append(o.at, i)
		}
	}
	for i := range n {
		o.first[i] = i
	}
	var reads []int
	for k := range s.Components() {
		reads = s.Reads(k, reads[:0])
		low := n
		for _, i := range reads { // a component that reads nothing belongs to the first part
			low, o.of[k] = min(low, o.place[i]), o.in[i]
		}
		o.parts[o.of[k]].last++ // their number so far
		for _, i := range reads {
			o.first[o.place[i]] = min(o.first[o.place[i]], low)
		}
	}
	end := 0
	for c := range o.parts {
		q := &o.parts[c]
		end += q.last
		q.first, q.last = end-q.last, end-q.last
	}
	o.comps = make([]int, end)
	for k, c := range o.of {
		q := &o.parts[c]
		o.comps[q.last] = k
		q.last++
	}
	return o
}

// orderOfAll returns the order of n variables all of which every component reads: one part, the last variable first.
func orderOfAll(n, components int) *order {
	o := &order{place: make([]int, n), at: make([]int, n), first: make([]int, n), in: make([]int, n),
		of: make([]int, components), comps: make([]int, components), parts: []part{{hi: n, last: components}}}
	for i := range n {
		o.place[i] = (i + 1) % n
		o.at[o.place[i]] = i
	}
	for k := range o.comps {
		o.comps[k] = k
	}
	return o
}

// components returns those of a part.
func (o *order) components(q part) []int { return o.comps[q.first:q.last] }

// own reports whether the devices solve the equations of a part: those of its only component.
func (o *order) own(c *components, q part) bool {
	comps := o.components(q)
	return len(comps) == 1 && c.own[comps[0]]
}

// size returns the number of cells of the envelope.
func (o *order) size() int { return o.cells(part{hi: len(o.at)}) }

// variables returns those of a part.
func (o *order) variables(q part) []int { return o.at[q.lo:q.hi] }

// visit visits variables through the components that read them.
type visit struct {
	s      problems.Structure
	rounds int
	round  []int // in which a variable was visited last; 0: never
	opened []int // in which the variables of a component were visited last

	all, comps, reads []int // room for a visit
}

// from returns the variables that are connected with variable i, in the order of the visit, until the next one.
func (v *visit) from(i int) []int {
	v.rounds++
	v.round[i] = v.rounds
	v.all = append(v.all[:0], i)
	for at := 0; at < len(v.all); at++ {
		v.comps = v.s.ComponentsOf(v.all[at], v.comps[:0])
		for _, k := range v.comps {
			if v.opened[k] == v.rounds {
				continue
			}
			v.opened[k] = v.rounds
			v.reads = v.s.Reads(k, v.reads[:0])
			for _, h := range v.reads {
				if v.round[h] < v.rounds {
					v.round[h] = v.rounds
					v.all = append(v.all, h)
				}
			}
		}
	}
	return v.all
}

// cells returns the number of cells of the envelope in the rows of a part.
func (o *order) cells(q part) (n int) {
	for i := q.lo; i < q.hi; i++ {
		n += i - o.first[i] + 1
	}
	return n
}

// waves deals the parts to waves, so that the equations of a wave have about as many numbers as can be kept. It returns
// the wave of each part, and their number. A part with few numbers does not wait for a wave of its own: it joins the
// one that has fewest so far, so that every wave has parts on all devices.
func (o *order) waves(most int) (wave []int, waves int) {
	sizes := make([]int, (o.size()+most-1)/most)
	wave = make([]int, len(o.parts))
	for c, q := range o.parts {
		for w, size := range sizes {
			if size < sizes[wave[c]] {
				wave[c] = w
			}
		}
		sizes[wave[c]] += o.cells(q)
	}
	return wave, len(sizes)
}
